#!/bin/sh
# run_fuzz.sh SECONDS [TARGET...]: builds the fuzz targets and runs each for that long, two at a time; by default npy, npz,
# csv, toml, model, http, and where HDF5 is there hdf5_layout. Exits non-zero on a finding and keeps the
# input that made it in build/fuzz/findings. Corpora stay in build/fuzz/corpus, and build/fuzz/executions.tsv has a line for
# every run: target, executions, seconds, commit; later runs go on from there. The target hdf5_file exercises libhdf5 and is
# run by hand: it goes on after a finding, and what it finds is to be sorted by its stack.
set -eu
if [ $# -lt 1 ]; then
  echo "usage: $0 SECONDS [TARGET...]" >&2
  exit 2
fi
seconds=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/fuzz
cd "$root"
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j2 --target nouq_fuzzers
mkdir -p "$build/findings"
"$build/tests/fuzz/make_seeds" "$build/seeds"
if [ $# -eq 0 ]; then
  set -- npy npz csv toml model http
  if [ -x "$build/tests/fuzz/hdf5_layout_fuzz" ]; then set -- "$@" hdf5_layout; fi
fi
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)

# The memory limits are part of the test: a few kilobytes of input must not make a reader allocate without bound.
run_target() {
  target=$1
  case $target in
    hdf5_file) # libhdf5 leaks whenever it refuses a damaged file
      options='-fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -detect_leaks=0'
      export ASAN_OPTIONS=detect_leaks=0
      ;;
    *)
      options=
      unset ASAN_OPTIONS
      ;;
  esac
  mkdir -p "$build/corpus/$target" "$build/seeds/$target"
  # shellcheck disable=SC2086 # the options are words
  "$build/tests/fuzz/${target}_fuzz" $options -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 \
    -max_len=1048576 -print_final_stats=1 -verbosity=1 -artifact_prefix="$build/findings/$target-" \
    "$build/corpus/$target" "$build/seeds/$target" >"$build/$target.log" 2>&1
}

# One line of what the target's log says it did.
count_executions() {
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$1.log" | tail -n 1)
  printf '%s\t%s\t%s\t%s\n' "$1" "${executions:-0}" "$seconds" "$commit" >>"$build/executions.tsv"
}

# Two at a time: each keeps one core busy.
status=0
while [ $# -gt 0 ]; do
  first=$1
  second=${2:-}
  echo "== $first${second:+, $second}: $seconds s"
  if [ -n "$second" ]; then
    run_target "$second" &
    shift
  fi
  shift
  (run_target "$first") || status=1
  if [ -n "$second" ]; then wait $! || status=1; fi
  for target in $first $second; do
    grep -E '^stat::|SUMMARY|ERROR' "$build/$target.log" | sed "s/^/$target: /" || true
    count_executions "$target"
  done
done
echo "== executions so far:"
awk -F '\t' '{ sum[$1] += $2 } END { for (target in sum) printf "%s: %d\n", target, sum[target] }' "$build/executions.tsv" | sort
[ $status -eq 0 ] || echo "findings are in $build/findings" >&2
exit $status

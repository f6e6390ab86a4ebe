#!/usr/bin/env bash
# What libnouq.so is to its users: small, needing little, offering include/nouq and nothing else.
#   shared_library.sh libnouq.so include/nouq
set -euo pipefail
library=$1 headers=$2
bytes=$(stat -Lc %s "$library")
echo "size: $bytes bytes"
((bytes < 5000000)) || { echo "more than 5 MB"; exit 1; }

needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
echo "needs:" $needed
# The full build reads data files: HDF5 and zlib come with it. The inference-only build needs neither, and carries the
# little of libfmt that it uses inside.
if grep -vE '^(libfmt|libhdf5[a-z_]*|libz|libsz|libc|libm|libgomp|libomp|libstdc\+\+|libgcc_s|ld-linux-.*)\.so' <<<"$needed"; then
  echo "a library too many"
  exit 1
fi

open=$(nm -DC --defined-only "$library" | cut -d' ' -f3-)
# What the headers mark with NOUQ_API, and nothing else, is open: functions by name, classes with their members.
marked=$(cat "$headers"/*.h | sed -E 's://.*$::' | grep -E 'NOUQ_API' | grep -v '^#define' || true)
classes=$(sed -nE 's/.*(class|struct) NOUQ_API ([A-Za-z]+).*/\2/p' <<<"$marked" | paste -sd'|')
functions=$(grep -vE 'class NOUQ_API|struct NOUQ_API|nouq_status' <<<"$marked" |
  sed -nE 's/.*[ *&]([A-Za-z_0-9]+)\(.*/\1/p' | grep -v '^nouq_' | sort -u | paste -sd'|')
offered="nouq_[a-z_]+|(void )?nouq::(detail::|Evaluation::)?($functions)[(<[].*|nouq::($classes)(<[a-z]+>)?::.*"
offered+="|(typeinfo|typeinfo name|vtable) for nouq::($classes)"
stray=$(grep -vE "^($offered)@@NOUQ_0\$|^NOUQ_0\$" <<<"$open" || true)
[[ -z $stray ]] || { echo "open, but not part of the interface:"; echo "$stray"; exit 1; }
for name in ${functions//|/ }; do
  grep -qE "^(void )?nouq::(detail::|Evaluation::)?$name[(<[].*@@NOUQ_0\$" <<<"$open" || { echo "$name is missing"; missing=yes; }
done
[[ -z ${missing-} ]] || exit 1
for name in nouq_predict nouq_train; do
  grep -q "^$name@@NOUQ_0\$" <<<"$open" || { echo "$name is missing"; exit 1; }
done

#!/usr/bin/env bash
# What libnouq.so is to its users: small, needing little, offering include/nouq and nothing else.
#   shared_library.sh libnouq.so
set -euo pipefail
library=$1
bytes=$(stat -Lc %s "$library")
echo "size: $bytes bytes"
((bytes < 5000000)) || { echo "more than 5 MB"; exit 1; }

needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
echo "needs:" $needed
# libfmt comes with the full build; the inference-only build carries the little of it that it uses inside.
if grep -vE '^(libfmt|libc|libm|libgomp|libomp|libstdc\+\+|libgcc_s|ld-linux-.*)\.so' <<<"$needed"; then
  echo "a library too many"
  exit 1
fi

open=$(nm -DC --defined-only "$library" | cut -d' ' -f3-)
stray=$(grep -vE '^(nouq_[a-z_]+|nouq::(Model|Constraints|Layout)::.*|nouq::(project|metric|metric_names)(\(|\[).*|(typeinfo|typeinfo name|vtable) for nouq::Error)@@NOUQ_0$|^NOUQ_0$' <<<"$open" || true)
[[ -z $stray ]] || { echo "open, but not part of the interface:"; echo "$stray"; exit 1; }
grep -q '^nouq_predict@@NOUQ_0$' <<<"$open" || { echo "nouq_predict is missing"; exit 1; }

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
# The full build reads data files: HDF5 and zlib come with it. The inference-only build needs neither, and carries the
# little of libfmt that it uses inside.
if grep -vE '^(libfmt|libhdf5[a-z_]*|libz|libsz|libc|libm|libgomp|libomp|libstdc\+\+|libgcc_s|ld-linux-.*)\.so' <<<"$needed"; then
  echo "a library too many"
  exit 1
fi

open=$(nm -DC --defined-only "$library" | cut -d' ' -f3-)
classes='Model|Constraints|ConstraintRequest|Evaluation|Layout|Problem|Stream'
functions='project|metric|metric_names|metric_list|name|read|write|split|select|validate|generate|train|select_model|check_data|evaluate'
functions+='|settings_from_(toml|json)|to_json|difference|set_option|train_settings|method_names|progress_to|register_[a-z]+'
functions+='|fingerprint|require_writable|shift_from_name|shift_names|to_string|constraint_names|problem_names|make_problem|linspace|permutation'
functions+='|detail::(allocate_aligned|release_aligned|fail_[a-z_]+)'
types='Error|Cancelled|Problem|ConstraintRequest'
offered="nouq_[a-z_]+|nouq::($classes)::.*|nouq::($functions)(\(|\[).*|(typeinfo|typeinfo name|vtable) for nouq::($types)"
stray=$(grep -vE "^($offered)@@NOUQ_0\$|^NOUQ_0\$" <<<"$open" || true)
[[ -z $stray ]] || { echo "open, but not part of the interface:"; echo "$stray"; exit 1; }
for name in nouq_predict nouq_train 'nouq::train(nouq::DataSet const&, nouq::TrainSettings const&, nouq::Progress const&)'; do
  grep -qF "$name@@NOUQ_0" <<<"$open" || { echo "$name is missing"; exit 1; }
done

// Trust in one prediction: is this input like those the surrogate was trained on?
//
// The score is normalised: up to 1 is what training inputs showed, beyond that is doubtful, and beyond a
// second threshold of the model (2 by default) the input is called out of domain.
#pragma once

#include <string_view>

#include <nouq/export.h>

namespace nouq {

enum class Verdict { in_domain, doubtful, out_of_domain };
NOUQ_API std::string_view name(Verdict verdict);  // "in-domain", "doubtful", "out-of-domain"

struct Trust {
  double score = 0;
  Verdict verdict = Verdict::in_domain;
};

}  // namespace nouq

// Trust in one prediction: is this input like those the model was trained on?
//
// Three witnesses are heard, each against what it says of samples that were held out from training: the size
// of sigma, by how much the prediction violates its conservation law, and how new the input is. The score is
// normalised: up to 1 is what held-out samples show, beyond that is doubtful, and beyond a second threshold
// of the model (2 by default) the input is called out of domain. A stated share of inputs like those of
// training (0.95 by default) is called in-domain, whichever witnesses are heard.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/export.h>

namespace nouq {

enum class Verdict { in_domain, doubtful, out_of_domain };
NOUQ_API std::string_view name(Verdict verdict);  // "in-domain", "doubtful", "out-of-domain"

struct Trust {
  double score = 0;
  Verdict verdict = Verdict::in_domain;
  // What each witness says, as a multiple of what the same share of held-out samples stays below; nothing
  // where it is not heard: a law whose values are not known, a model that was not calibrated for it.
  std::optional<double> spread = {}, law = {}, novelty = {};
  // Why the verdict is not in-domain, most important first: "m = 6.2 is outside 2 to 3".
  std::vector<std::string> reasons = {};
};

// How well scores tell two sets apart: the probability that one of `far` is above one of `near`, ties
// counting half. 1 is perfect separation, 1/2 none. Throws when a list is empty.
NOUQ_API double auroc(const std::vector<double>& near, const std::vector<double>& far);

}  // namespace nouq

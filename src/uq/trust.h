// Trust in one prediction: is this input like those the surrogate was trained on?
//
// Witnesses, each a number per prediction that is large for unusual inputs:
//   spread    mean of sigma over the field, in units of its mean over held-out samples; of several channels
//             the root mean square. A constant sigma says nothing.
//   law       root of the sum of squared residuals of a conservation law (physics/trust_evidence.h)
//   distance  of the input from the nearest training input, as the network sees them (uq/novelty.h)
//   outside   by how much parameters and inputs leave the ranges of the training data
// The last two are one witness to users, novelty. With W the witnesses of n held-out samples and Q(W) the
// quantile of the level, the new sample among them, a sample's unusualness is the largest of W / Q(W), and
// its score that over the quantile of the unusualness of held-out samples. Counting the new sample in makes
// the combination conformal: a sample like the held-out ones scores above 1 with probability at most 1 -
// level, whichever witnesses are heard and however few were held out.
//   up to 1          in_domain
//   1 to `far`       doubtful
//   beyond           out_of_domain
// Contract: calibrated on samples the networks did not train on; an uncalibrated surrogate is an Error that
// says so. What is not a finite number is not trusted. Models of before keep their own score, |sigma| / |mu|
// over its quantile ("trust.reference").
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <nouq/trust.h>  // Verdict, Trust and auroc, which users see

#include "uq/novelty.h"

namespace nouq {

std::string_view name(Verdict verdict);

struct TrustOptions {
  double level = 0.95;  // share of in-domain inputs to be called in_domain
  double far = 2.0;     // score beyond which an input is called out_of_domain
};

// Fewer held-out samples than the level asks for can still state a level of n / (n + 1).
constexpr Index least_for_trust = 4;
double affordable_trust_level(double level, Index held_out);

struct Witnesses {
  static constexpr double silent = -1;  // not heard
  double spread = silent;
  double law = silent;
  double distance = silent;
  double outside = silent;

  [[nodiscard]] std::array<double, 4> list() const { return {spread, law, distance, outside}; }
};

// |sigma| / |mu| of one sample.
double relative_spread(std::span<const double> mean, std::span<const double> variance);

// Kept in the surrogate as "trust.held_out" [n, 4], "trust.level", "trust.far" and "trust.spread_unit". Takes
// the witnesses of held-out samples, and the mean of sigma per channel in which spread is counted.
void calibrate_trust(const TrustOptions& options, const std::vector<Witnesses>& held_out,
                     const std::vector<double>& spread_unit, Surrogate& surrogate);
// The mean of sigma per channel over held-out fields [n, ..., channels].
std::vector<double> spread_unit_of(const ArrayView<const double>& variance);
double spread_in(const std::vector<double>& unit, std::span<const double> variance);
bool has_trust(const Surrogate& surrogate);
void remove_trust(Surrogate& surrogate);
// Which witnesses a calibrated surrogate has, by the names users know.
std::vector<std::string> witness_names(const Surrogate& surrogate);

// A sample as the judge meets it; what is null or empty is not known.
struct Evidence {
  std::span<const double> mean, variance;
  std::span<const double> pooled = {};
  std::span<const float> inputs = {};
  std::span<const double> parameters = {};
};

// Judges many predictions of one surrogate, which must outlive it. Const: many callers, each with a Scratch;
// nothing is allocated but by reasons().
class TrustJudge {
 public:
  struct Scratch {
    std::vector<double> unusual, point;
  };
  struct Judged {
    double score = 0;
    Verdict verdict = Verdict::in_domain;
    double spread = Witnesses::silent, law = Witnesses::silent, novelty = Witnesses::silent;
  };

  explicit TrustJudge(const Surrogate& surrogate);
  [[nodiscard]] Scratch scratch() const;
  // All witnesses but the law.
  [[nodiscard]] Witnesses witnesses(const Evidence& evidence, Scratch& scratch) const;
  [[nodiscard]] Judged judge(const Witnesses& witnesses, Scratch& scratch) const;
  // `law` is the name of the one that is violated most.
  [[nodiscard]] std::vector<std::string> reasons(const Judged& judged, const Evidence& evidence,
                                                 const std::string& law) const;

 private:
  static constexpr std::size_t columns = 4;
  [[nodiscard]] double unusualness(const std::array<double, columns>& row,
                                   const std::array<double, columns>& quantile,
                                   const std::array<bool, columns>& heard) const;
  [[nodiscard]] Judged with_verdict(Judged judged) const;

  const Surrogate& surrogate_;
  bool old_ = false;
  double reference_ = 0, far_ = 0;
  std::vector<double> spread_unit_;
  Novelty novelty_;
  std::vector<std::array<double, columns>> held_out_;
  std::size_t rank_ = 0;                               // of the quantile among the held-out samples, from 0
  std::array<std::array<double, 2>, columns> edge_{};  // their values just below that rank and at it
  std::array<bool, columns> known_{};
};

Trust trust_of(const TrustJudge::Judged& judged, std::vector<std::string> reasons);

}  // namespace nouq

#include "uq/trust.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "uq/method.h"
#include "uq/quantile.h"

namespace nouq {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Index most_held_out = 500;  // kept; more say little new about a quantile
constexpr std::size_t outside_column = 3;

// What is unusual about a sample by one witness. Outside is 1 or more for whatever is outside at all, so that
// a range that held-out samples never leave is its own yardstick.
double share_of(std::size_t column, double value, double quantile) {
  const double unit = column == outside_column ? std::max(1.0, quantile) : quantile;
  if (unit > 0) return value / unit;
  return value > 0 ? infinite : 0.0;
}

std::string times(double factor) {
  if (!(factor < 1e4)) return "more than 10000";
  return factor < 10 ? fmt::format("{:.1f}", factor) : fmt::format("{:.0f}", factor);
}

std::string spread_reason(const Surrogate& surrogate, double factor, bool relative) {
  const std::string_view members = find_method(surrogate.method).count_means();
  const std::string what = members.empty() ? "sigma is" : fmt::format("the {} disagree", members);
  return fmt::format("{} {} times as much{} as on held-out data", what, times(factor),
                     relative ? ", relative to the field," : "");
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::doubtful:
      return "doubtful";
    case Verdict::out_of_domain:
      return "out-of-domain";
    case Verdict::in_domain:
      break;
  }
  return "in-domain";
}

double affordable_trust_level(double level, Index held_out) {
  if (!(level > 0) || held_out < least_for_trust) return 0;
  if (held_out >= samples_needed(level)) return level;
  return static_cast<double>(held_out) / static_cast<double>(held_out + 1);
}

double relative_spread(std::span<const double> mean, std::span<const double> variance) {
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    squares += mean[i] * mean[i];
    total += variance[i];
  }
  if (!std::isfinite(squares) || !std::isfinite(total)) return infinite;  // no prediction to trust
  const double without_field = total > 0.0 ? infinite : 0.0;
  return squares > 0.0 ? std::sqrt(total / squares) : without_field;
}

namespace {

// Mean of sigma of one channel.
double mean_sigma(std::span<const double> variance, std::size_t channel, std::size_t channels) {
  double sum = 0;
  for (std::size_t i = channel; i < variance.size(); i += channels) sum += std::sqrt(variance[i]);
  return sum * static_cast<double>(channels) / static_cast<double>(variance.size());
}

}  // namespace

std::vector<double> spread_unit_of(const ArrayView<const double>& variance) {
  const auto channels = static_cast<std::size_t>(variance.shape().back());
  std::vector<double> unit(channels);
  for (std::size_t c = 0; c < channels; ++c) unit[c] = mean_sigma(variance.span(), c, channels);
  return unit;
}

double spread_in(const std::vector<double>& unit, std::span<const double> variance) {
  double squares = 0, counted = 0;
  for (std::size_t c = 0; c < unit.size(); ++c) {
    if (!(unit[c] > 0)) continue;
    const double sigma = mean_sigma(variance, c, unit.size()) / unit[c];
    squares += sigma * sigma;
    counted += 1;
  }
  return counted > 0 ? std::sqrt(squares / counted) : Witnesses::silent;
}

void calibrate_trust(const TrustOptions& options, const std::vector<Witnesses>& held_out,
                     const std::vector<double>& spread_unit, Surrogate& surrogate) {
  require(options.far >= 1.0, "trust: far = {}, expected at least 1", options.far);
  const Index count = std::min(most_held_out, std::ssize(held_out));
  require(count >= samples_needed(options.level),
          "trust calibration: {} held-out samples are too few for a level of {}; at least {} are needed",
          count, options.level, samples_needed(options.level));
  Array<double> table({count, 4});
  for (std::size_t c = 0; c < 4; ++c) {
    std::vector<double> values;
    for (Index i = 0; i < count; ++i) values.push_back(held_out[i].list()[c]);
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    // A witness that says nothing of one sample, or the same nothing of all, is not heard.
    const bool heard = *least >= 0 && std::isfinite(*greatest) && (c == outside_column || *greatest > 0);
    for (Index i = 0; i < count; ++i)
      table[4 * i + static_cast<Index>(c)] = heard ? values[i] : Witnesses::silent;
  }
  surrogate.state["trust.held_out"] = std::move(table);
  surrogate.state["trust.spread_unit"] = Array<double>({std::ssize(spread_unit)}, spread_unit);
  surrogate.state["trust.level"] = number(options.level);
  surrogate.state["trust.far"] = number(options.far);
}

bool has_trust(const Surrogate& surrogate) {
  return surrogate.state.contains("trust.held_out") || surrogate.state.contains("trust.reference");
}

void remove_trust(Surrogate& surrogate) {
  std::erase_if(surrogate.state, [](const auto& entry) { return entry.first.starts_with("trust."); });
}

std::vector<std::string> witness_names(const Surrogate& surrogate) {
  const auto found = surrogate.state.find("trust.held_out");
  if (found == surrogate.state.end()) return {"spread"};
  const Array<double>& table = found->second;
  std::vector<std::string> names;
  if (table[0] >= 0) names.emplace_back("spread");
  if (table[1] >= 0) names.emplace_back("law");
  if (table[2] >= 0 || table[3] >= 0) names.emplace_back("novelty");
  return names;
}

TrustJudge::TrustJudge(const Surrogate& surrogate) : surrogate_(surrogate), novelty_(surrogate) {
  require(has_trust(surrogate), "the model has no trust calibration; it was fitted without held-out samples");
  far_ = state_number(surrogate, "trust.far");
  old_ = !surrogate.state.contains("trust.held_out");
  if (old_) {
    reference_ = state_number(surrogate, "trust.reference");
    return;
  }
  const Array<double>& table = state_array(surrogate, "trust.held_out");
  const double level = state_number(surrogate, "trust.level");
  require(table.rank() == 2 && table.extent(1) == columns && table.extent(0) >= samples_needed(level),
          "'trust.held_out' of shape {}: expected [{} or more, {}] for a level of {}",
          to_string(table.shape()), samples_needed(level), columns, level);
  for (const double value : table)
    require(std::isfinite(value) && (value >= 0 || value == Witnesses::silent),
            "'trust.held_out' has {}: expected a number of at least 0, or -1 for none", value);
  const Array<double>& unit = state_array(surrogate, "trust.spread_unit");
  require(unit.size() == surrogate.channels(), "'trust.spread_unit' has {} numbers: expected {}", unit.size(),
          surrogate.channels());
  spread_unit_.assign(unit.begin(), unit.end());
  const auto count = static_cast<std::size_t>(table.extent(0));
  held_out_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(table.data() + columns * i, columns, held_out_[i].begin());
  // A hair less, as in quantile.cpp: the rank of the quantile is one of the samples'.
  rank_ =
      static_cast<std::size_t>(std::max(1.0, std::ceil(static_cast<double>(count + 1) * level - 1e-9))) - 1;
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<double> values;
    for (const auto& row : held_out_) values.push_back(row.at(c));
    std::sort(values.begin(), values.end());
    known_.at(c) = values.front() >= 0 && (c != 2 || novelty_.has_distance());
    edge_.at(c) = {rank_ > 0 ? values[rank_ - 1] : 0.0, values[rank_]};
  }
}

TrustJudge::Scratch TrustJudge::scratch() const {
  return {std::vector<double>(held_out_.size()),
          std::vector<double>(static_cast<std::size_t>(2 * surrogate_.network.width))};
}

Witnesses TrustJudge::witnesses(const Evidence& evidence, Scratch& scratch) const {
  Witnesses found;
  if (old_) {
    found.spread = relative_spread(evidence.mean, evidence.variance);
    return found;
  }
  found.spread = spread_in(spread_unit_, evidence.variance);
  // What is no number must not be trusted, whatever else is heard.
  double sum = 0;
  for (const double value : evidence.mean) sum += value;
  if (!std::isfinite(sum) || !std::isfinite(found.spread)) found.spread = infinite;
  if (novelty_.has_distance() && evidence.pooled.size() == scratch.point.size())
    found.distance = novelty_.distance(evidence.pooled, scratch.point);
  if (!evidence.inputs.empty() || !evidence.parameters.empty())
    found.outside = novelty_.outside(evidence.parameters, evidence.inputs);
  return found;
}

double TrustJudge::unusualness(const std::array<double, columns>& row,
                               const std::array<double, columns>& quantile,
                               const std::array<bool, columns>& heard) const {
  double most = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    if (heard.at(c)) most = std::max(most, share_of(c, row.at(c), quantile.at(c)));
  }
  return most;
}

TrustJudge::Judged TrustJudge::with_verdict(Judged judged) const {
  const Verdict beyond = judged.score <= far_ ? Verdict::doubtful : Verdict::out_of_domain;
  judged.verdict = judged.score <= 1.0 ? Verdict::in_domain : beyond;
  return judged;
}

TrustJudge::Judged TrustJudge::judge(const Witnesses& witnesses, Scratch& scratch) const {
  Judged judged;
  if (old_) {
    judged.score = judged.spread = witnesses.spread / reference_;
    return with_verdict(judged);
  }
  const auto row = witnesses.list();
  std::array<bool, columns> heard{};
  std::array<double, columns> quantile{}, share{};
  for (std::size_t c = 0; c < columns; ++c) {
    heard.at(c) = known_.at(c) && row.at(c) >= 0;
    // Of the held-out values and this one together.
    quantile.at(c) = std::clamp(row.at(c), edge_.at(c)[0], edge_.at(c)[1]);
    share.at(c) = heard.at(c) ? share_of(c, row.at(c), edge_.at(c)[1]) : Witnesses::silent;
  }
  judged.spread = share[0];
  judged.law = share[1];
  judged.novelty = std::max(share[2], share[3]);
  if (witnesses.spread == infinite) {  // not a finite number
    judged.score = infinite;
    return with_verdict(judged);
  }
  require(heard[0] || heard[1] || heard[2] || heard[3],
          "trust: none of the model's witnesses can be heard of this prediction; it needs the inputs, or the "
          "values of the law");
  for (std::size_t i = 0; i < held_out_.size(); ++i)
    scratch.unusual[i] = unusualness(held_out_[i], quantile, heard);
  const auto at = scratch.unusual.begin() + static_cast<std::ptrdiff_t>(rank_);
  std::nth_element(scratch.unusual.begin(), at, scratch.unusual.end());
  const double own = unusualness(row, quantile, heard);
  judged.score = *at > 0 ? own / *at : (own > 0 ? infinite : 0.0);
  return with_verdict(judged);
}

std::vector<std::string> TrustJudge::reasons(const Judged& judged, const Evidence& evidence,
                                             const std::string& law) const {
  if (judged.verdict == Verdict::in_domain) return {};
  if (!std::isfinite(judged.score)) {
    for (const double value : evidence.mean)
      if (!std::isfinite(value)) return {"the prediction is not a finite number"};
  }
  std::vector<std::pair<double, std::string>> found;
  if (judged.spread > 1) found.emplace_back(judged.spread, spread_reason(surrogate_, judged.spread, old_));
  if (judged.law > 1)
    found.emplace_back(judged.law,
                       fmt::format("the {} is off by {} times what is usual", law, times(judged.law)));
  if (judged.novelty > 1) {
    const double usual = known_[outside_column] ? std::max(1.0, edge_[outside_column][1]) : infinite;
    std::vector<std::string> outside = novelty_.outside_reasons(evidence.parameters, evidence.inputs, usual);
    if (outside.empty())
      outside.push_back(fmt::format("the input is {} times as far from the training inputs as held-out ones",
                                    times(judged.novelty)));
    for (std::string& text : outside) found.emplace_back(judged.novelty, std::move(text));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (auto& [factor, text] : found) texts.push_back(std::move(text));
  return texts;
}

Trust trust_of(const TrustJudge::Judged& judged, std::vector<std::string> reasons) {
  const auto said = [](double value) { return value >= 0 ? std::optional(value) : std::nullopt; };
  return {judged.score,     judged.verdict,       said(judged.spread),
          said(judged.law), said(judged.novelty), std::move(reasons)};
}

double auroc(const std::vector<double>& near, const std::vector<double>& far) {
  require(!near.empty() && !far.empty(), "AUROC of {} against {} scores: expected at least one of each",
          near.size(), far.size());
  std::vector<double> sorted = near;
  std::sort(sorted.begin(), sorted.end());
  double wins = 0;
  for (const double score : far) {
    const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), score);
    wins += static_cast<double>(below - sorted.begin()) + 0.5 * static_cast<double>(above - below);
  }
  return wins / (static_cast<double>(near.size()) * static_cast<double>(far.size()));
}

}  // namespace nouq

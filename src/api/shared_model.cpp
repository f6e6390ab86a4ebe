#include "api/shared_model.h"

#include <algorithm>
#include <cmath>

#include "api/strided_copy.h"
#include "core/error.h"
#include "core/grid_domain.h"
#include "core/threads.h"

namespace nouq {
namespace {

constexpr Index part_size = 20;         // samples predicted at a time; bounds the working memory
constexpr std::size_t most_idle = 256;  // workspaces kept

// Where `count` samples of an output can be computed: in the caller's own memory when it is as wanted.
double* place(const Output& output, Index first, Index count, Index size, Buffer<double>& buffer) {
  if (output.data != nullptr) {
    if (double* own = contiguous<double>(output)) return own + first * size;
  }
  buffer.resize(count * size);
  return buffer.data();
}

// Brings what was computed in a buffer to the caller.
void deliver(const double* values, const Buffer<double>& buffer, const Output& output, Index first,
             Index count) {
  if (output.data != nullptr && values == buffer.data()) scatter(values, output, first, count);
}

// A workspace on loan: goes back to the pool whatever happens.
template <class Return>
class Loan {
 public:
  explicit Loan(Return give_back) : give_back_(std::move(give_back)) {}
  ~Loan() { give_back_(); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  Return give_back_;
};

}  // namespace

SharedModel::SharedModel(Surrogate surrogate) : surrogate_(std::move(surrogate)) {
  validate(surrogate_);
  if (has_conformal(surrogate_)) conformal_ = conformal_of(surrogate_);
  if (has_trust(surrogate_)) judge_.emplace(surrogate_);
  idle_.reserve(most_idle);  // so that giving back cannot fail
  auto first = std::make_unique<Workspace>(surrogate_, nouq::shape_of(surrogate_.grid), 1);
  if (judge_) first->scratch = judge_->scratch();
  members_ = first->predictor.samples();
  put_back(std::move(first));
}

bool SharedModel::has_band(std::span<const Index> grid) const {
  Shape prediction(grid.begin(), grid.end());
  prediction.insert(prediction.begin(), 1);
  prediction.push_back(surrogate_.channels());
  return conformal_ && fits(*conformal_, surrogate_, prediction);
}

void SharedModel::set_threads(int threads) { threads_ = resolve_threads(threads); }

std::unique_ptr<SharedModel::Workspace> SharedModel::take(std::span<const Index> grid) {
  const int threads = threads_;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(idle_.rbegin(), idle_.rend(), [&](const auto& w) {
      return w->threads == threads && std::equal(grid.begin(), grid.end(), w->grid.begin());
    });
    if (found != idle_.rend()) {
      auto workspace = std::move(*found);
      idle_.erase(std::next(found).base());
      return workspace;
    }
  }
  auto workspace = std::make_unique<Workspace>(surrogate_, Shape(grid.begin(), grid.end()), threads);
  if (judge_) workspace->scratch = judge_->scratch();
  return workspace;
}

void SharedModel::put_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() >= most_idle) idle_.erase(idle_.begin());
  idle_.push_back(std::move(workspace));
}

void SharedModel::predict(const Input& given, const Outputs& given_outputs) {
  const PredictCall call = checked_call(surrogate_, members_, given, given_outputs);
  require(given_outputs.band.data == nullptr || has_band(call.grid),
          "a band is asked for: the model's bands are for the grid it was calibrated on");
  const LawWitness laws = wants_trust(given_outputs) ? known_laws(call) : LawWitness();
  if (given_outputs.trust != nullptr) given_outputs.trust->assign(static_cast<std::size_t>(call.samples), {});
  auto workspace = take(call.grid);
  const Loan loan([&] { put_back(std::move(workspace)); });
  Workspace& w = *workspace;
  const Index size = w.predictor.points() * std::ssize(surrogate_.input_channels);
  const auto* inputs = contiguous<float>(call.inputs);
  if (inputs == nullptr) {
    w.inputs.resize(call.samples * size);
    gather(call.inputs, 0, call.samples, w.inputs.data());
    inputs = w.inputs.data();
  }
  for (Index i = 0; i < call.samples * size; ++i) {
    require(std::isfinite(inputs[i]), "inputs: {} in sample {}, expected finite numbers", inputs[i],
            i / size);
  }
  for (Index first = 0; first < call.samples; first += part_size)
    predict_part(w, call, laws, inputs + first * size, first, std::min(part_size, call.samples - first));
}

LawWitness SharedModel::known_laws(const PredictCall& call) const {
  const Known* known = call.outputs.known;
  if (known == nullptr) return {};
  const Shape expected = {call.samples, std::ssize(surrogate_.parameter_names)};
  require(known->parameters.empty() || known->parameters.shape() == expected,
          "parameters of shape {}: expected {}", to_string(known->parameters.shape()), to_string(expected));
  for (const auto& [name, values] : known->values)
    require(laws_of(surrogate_).contains(name), "values of '{}': the model has no law of that name", name);
  DataSet question;
  question.grid = regridded(surrogate_.grid, {call.grid.begin(), call.grid.end()});
  question.output_channels = surrogate_.output_channels;
  question.constraint_values = known->values;
  return {surrogate_, question, call.samples};
}

void SharedModel::predict_part(Workspace& w, const PredictCall& call, const LawWitness& laws,
                               const float* inputs, Index first, Index count) const {
  const Outputs& outputs = call.outputs;
  const Index size = w.predictor.points() * surrogate_.channels();
  double* mean = place(outputs.mean, first, count, size, w.mean);
  double* variance = place(outputs.deviation, first, count, size, w.variance);
  double* samples = outputs.samples.data == nullptr
                        ? nullptr
                        : place(outputs.samples, first, count, members_ * size, w.samples);
  const bool judged = wants_trust(outputs);
  const Index pooled_size = w.predictor.pooled_size();
  if (judged) w.pooled.resize(count * pooled_size);
  w.predictor.predict(inputs, count, mean, variance, samples, judged ? w.pooled.data() : nullptr);
  const Index input_size = w.predictor.points() * std::ssize(surrogate_.input_channels);
  const auto row = [](const auto* values, Index i, Index n) {
    return std::span(values + i * n, static_cast<std::size_t>(n));
  };
  for (Index i = 0; judged && i < count; ++i) {
    Evidence evidence{row(mean, i, size), row(variance, i, size),
                      row(static_cast<const double*>(w.pooled.data()), i, pooled_size),
                      row(inputs, i, input_size)};
    if (outputs.known != nullptr && !outputs.known->parameters.empty())
      evidence.parameters = outputs.known->parameters.row(first + i).span();
    judge(w, evidence, laws, outputs, first + i);
  }
  widen(w, variance, outputs, first, count);
  deliver(mean, w.mean, outputs.mean, first, count);
  if (outputs.deviation.data != nullptr) {
    for (Index i = 0; i < count * size; ++i) variance[i] = std::sqrt(variance[i]);
    deliver(variance, w.variance, outputs.deviation, first, count);
  }
  deliver(samples, w.samples, outputs.samples, first, count);
}

template <class Action>
void SharedModel::with_slope(const Array<float>& inputs, Action&& action) {
  for (Index i = 0; i < inputs.size(); ++i)
    require(std::isfinite(inputs[i]), "inputs: {} at element {}, expected finite numbers", inputs[i], i);
  const std::span<const Index> shape(inputs.shape());
  auto workspace = take(shape.subspan(1, shape.size() - 2));
  const Loan loan([&] { put_back(std::move(workspace)); });
  Workspace& w = *workspace;
  if (!w.slope) w.slope = std::make_unique<MeanDerivative>(surrogate_, w.grid, w.threads);
  action(*w.slope);
}

Array<double> SharedModel::gradient(const Array<float>& inputs, const Array<double>& sensitivity) {
  Array<double> result(inputs.shape());
  with_slope(inputs, [&](MeanDerivative& slope) {
    slope.gradient(inputs.data(), inputs.extent(0), sensitivity.data(), result.data());
  });
  return result;
}

Array<double> SharedModel::derivative(const Array<float>& inputs, const Array<double>& direction) {
  Shape shape = inputs.shape();
  shape.back() = surrogate_.channels();
  Array<double> result(shape);
  with_slope(inputs, [&](MeanDerivative& slope) {
    slope.derivative(inputs.data(), inputs.extent(0), direction.data(), result.data());
  });
  return result;
}

// The half widths of the bands, from the variance as the networks give it.
void SharedModel::widen(Workspace& w, const double* variance, const Outputs& outputs, Index first,
                        Index count) const {
  if (outputs.band.data == nullptr) return;
  const Index size = w.predictor.points() * surrogate_.channels();
  double* band = place(outputs.band, first, count, size, w.band);
  half_width(*conformal_, {variance, static_cast<std::size_t>(count * size)},
             {band, static_cast<std::size_t>(count * size)});
  deliver(band, w.band, outputs.band, first, count);
}

void SharedModel::judge(Workspace& w, const Evidence& evidence, const LawWitness& laws,
                        const Outputs& outputs, Index sample) const {
  Witnesses heard = judge_->witnesses(evidence, w.scratch);
  std::size_t worst = 0;
  heard.law = laws.violation(sample, evidence.mean.data(), worst);
  const TrustJudge::Judged judged = judge_->judge(heard, w.scratch);
  if (outputs.score != nullptr) outputs.score[sample] = judged.score;
  if (outputs.verdict != nullptr) outputs.verdict[sample] = static_cast<std::int32_t>(judged.verdict);
  if (outputs.witnesses != nullptr) {
    double* three = outputs.witnesses + 3 * sample;
    for (const double value : {judged.spread, judged.law, judged.novelty})
      *three++ = value >= 0 ? value : std::nan("");
  }
  if (outputs.trust != nullptr)
    (*outputs.trust)[sample] =
        trust_of(judged, judge_->reasons(judged, evidence, laws.heard() ? laws.name(worst) : ""));
}

}  // namespace nouq

#include "api/shared_model.h"

#include <algorithm>
#include <cmath>

#include "api/strided_copy.h"
#include "core/error.h"
#include "core/threads.h"
#include "uq/trust.h"

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
  idle_.reserve(most_idle);  // so that giving back cannot fail
  auto first = std::make_unique<Workspace>(surrogate_, nouq::shape_of(surrogate_.grid), 1);
  members_ = first->predictor.samples();
  put_back(std::move(first));
}

bool SharedModel::has_band(std::span<const Index> grid) const {
  if (!conformal_ || conformal_->kind() == ConformalKind::whole_field) return conformal_.has_value();
  Shape field(grid.begin(), grid.end());
  field.push_back(surrogate_.channels());
  return conformal_->factor.shape() == field;
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
  return std::make_unique<Workspace>(surrogate_, Shape(grid.begin(), grid.end()), threads);
}

void SharedModel::put_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() >= most_idle) idle_.erase(idle_.begin());
  idle_.push_back(std::move(workspace));
}

void SharedModel::predict(const Input& given, const Outputs& given_outputs) {
  const PredictCall call = checked_call(surrogate_, members_, given, given_outputs);
  require(given_outputs.band.data == nullptr || has_band(call.grid),
          "a band is asked for: the model's pointwise bands are for the grid it was calibrated on");
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
    predict_part(w, call, inputs + first * size, first, std::min(part_size, call.samples - first));
}

void SharedModel::predict_part(Workspace& w, const PredictCall& call, const float* inputs, Index first,
                               Index count) const {
  const Outputs& outputs = call.outputs;
  const Index size = w.predictor.points() * surrogate_.channels();
  double* mean = place(outputs.mean, first, count, size, w.mean);
  double* variance = place(outputs.deviation, first, count, size, w.variance);
  double* samples = outputs.samples.data == nullptr
                        ? nullptr
                        : place(outputs.samples, first, count, members_ * size, w.samples);
  w.predictor.predict(inputs, count, mean, variance, samples);
  judge(w, mean, variance, outputs, first, count);
  widen(w, variance, outputs, first, count);
  deliver(mean, w.mean, outputs.mean, first, count);
  if (outputs.deviation.data != nullptr) {
    for (Index i = 0; i < count * size; ++i) variance[i] = std::sqrt(variance[i]);
    deliver(variance, w.variance, outputs.deviation, first, count);
  }
  deliver(samples, w.samples, outputs.samples, first, count);
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

void SharedModel::judge(const Workspace& w, const double* mean, const double* variance,
                        const Outputs& outputs, Index first, Index count) const {
  if (outputs.score == nullptr && outputs.verdict == nullptr) return;
  const std::size_t size = w.predictor.points() * surrogate_.channels();
  for (Index i = first; i < first + count; ++i, mean += size, variance += size) {
    const Trust judged = nouq::judge(surrogate_, relative_spread({mean, size}, {variance, size}));
    if (outputs.score != nullptr) outputs.score[i] = judged.score;
    if (outputs.verdict != nullptr) outputs.verdict[i] = static_cast<std::int32_t>(judged.verdict);
  }
}

}  // namespace nouq

// A surrogate that many callers ask at once, each with arrays of its own kind.
//
// Why: a Predictor serves one caller at a time and keeps its working memory. So a pool of them stands behind
// every model: a call takes one that fits its grid, or makes one, and puts it back. After the first call of a
// shape nothing is allocated. The C++, C, Fortran and Python interfaces are thin over this class.
// Contract: as nouq/model.h says. Everything is checked before anything is written.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "api/predict_call.h"
#include "physics/trust_evidence.h"
#include "uq/conformal.h"
#include "uq/mean_derivative.h"
#include "uq/predictor.h"

namespace nouq {

class SharedModel {
 public:
  // Throws when the surrogate cannot predict on the grid it names.
  explicit SharedModel(Surrogate surrogate);

  [[nodiscard]] const Surrogate& surrogate() const { return surrogate_; }
  [[nodiscard]] Index members() const { return members_; }
  // Whether there are calibrated bands for predictions on a grid of these extents.
  [[nodiscard]] bool has_band(std::span<const Index> grid) const;
  void set_threads(int threads);
  void predict(const Input& inputs, const Outputs& outputs);
  // Derivatives of the mean (nouq/gradient.h), of fields in the form [samples, axes..., channels].
  [[nodiscard]] Array<double> gradient(const Array<float>& inputs, const Array<double>& sensitivity);
  [[nodiscard]] Array<double> derivative(const Array<float>& inputs, const Array<double>& direction);

 private:
  // What one call needs besides the caller's arrays.
  struct Workspace {
    Workspace(const Surrogate& surrogate, const Shape& grid_shape, int thread_count)
        : grid(grid_shape), threads(thread_count), predictor(surrogate, grid, threads) {}
    Shape grid;
    int threads;
    Predictor predictor;
    Buffer<float> inputs;
    Buffer<double> mean, variance, samples, band, pooled;
    TrustJudge::Scratch scratch;
    std::unique_ptr<MeanDerivative> slope;  // made when it is first asked for
  };

  template <class Action>
  void with_slope(const Array<float>& inputs, Action&& action);
  std::unique_ptr<Workspace> take(std::span<const Index> grid);
  void put_back(std::unique_ptr<Workspace> workspace);
  // The laws whose values the caller knows; all of that is checked here.
  [[nodiscard]] LawWitness known_laws(const PredictCall& call) const;
  void predict_part(Workspace& w, const PredictCall& call, const LawWitness& laws, const float* inputs,
                    Index first, Index count) const;
  // One sample, which has the number `sample` in the call.
  void judge(Workspace& w, const Evidence& evidence, const LawWitness& laws, const Outputs& outputs,
             Index sample) const;
  void widen(Workspace& w, const double* variance, const Outputs& outputs, Index first, Index count) const;

  Surrogate surrogate_;
  std::optional<Conformal> conformal_;
  std::optional<TrustJudge> judge_;
  Index members_ = 0;
  std::atomic<int> threads_ = 1;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace nouq

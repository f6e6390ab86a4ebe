// BayesianNO: a trained network, and a Gaussian over the weights of its last layer (laplace.h).
#include <numeric>

#include "core/buffer.h"
#include "core/error.h"
#include "core/threads.h"
#include "uq/laplace.h"
#include "uq/method.h"

namespace nouq {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// State: "laplace.covariance" is [channels, features + 1] (diagonal) or [channels, features + 1, features +
// 1] (its root), "laplace.prior_precision" and "laplace.noise" are [channels], "laplace.add_noise" is 0 or 1.
class BayesianPredictor final : public MethodPredictor {
 public:
  BayesianPredictor(const Surrogate& surrogate, const Shape& grid, int threads)
      : surrogate_(surrogate),
        network_(surrogate.network, grid, threads),
        threads_(resolve_threads(threads)),
        scratch_(resolve_threads(threads)) {
    const Index size = surrogate.network.features + 1;
    const Array<double>& stored = state_array(surrogate, "laplace.covariance");
    full_ = stored.rank() == 3;
    const Array<double>& noise = state_array(surrogate, "laplace.noise");
    const bool add = state_number(surrogate, "laplace.add_noise") != 0.0;
    for (Index c = 0; c < surrogate.channels(); ++c) {
      covariance_.emplace_back(Eigen::Map<const RowMatrix>(
          stored.data() + c * (stored.size() / surrogate.channels()), full_ ? size : 1, size));
      noise_.push_back(add ? noise[c] * noise[c] : 0.0);
    }
  }
  [[nodiscard]] Index samples() const override { return 0; }

  void predict(const float* inputs, Index batch, double* mean, double* variance, float* /*samples*/,
               double* pooled) override {
    const Index size = network_.points() * surrogate_.channels();
    network_.trunk_forward(surrogate_.weights.at(0).data(), inputs, batch);
    network_.write_pooled(batch, pooled);
    parallel_for(threads_, batch, [&](Index b) { one(b, mean + b * size, variance + b * size); });
  }

 private:
  struct Scratch {
    Buffer<float> features, outputs;
    RowMatrix phi, turned;
  };

  void one(Index sample, double* mean, double* variance) {
    Scratch& s = scratch_[thread_index()];
    const Index points = network_.points(), n = surrogate_.network.features, channels = surrogate_.channels();
    const float* weights = surrogate_.weights.at(0).data();
    s.features.resize(points * n);
    s.outputs.resize(points * channels);
    network_.features(weights, sample, s.features.data());
    network_.head_forward(weights, sample, {}, s.outputs.data());
    std::copy(s.outputs.begin(), s.outputs.end(), mean);
    s.phi.setOnes(points, n + 1);
    using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    s.phi.leftCols(n) = Eigen::Map<const Floats>(s.features.data(), points, n).cast<double>();
    for (Index c = 0; c < channels; ++c) channel_variance(c, s, variance);
  }

  void channel_variance(Index c, Scratch& s, double* variance) const {
    const Index channels = surrogate_.channels();
    const RowMatrix& covariance = covariance_[c];
    if (full_) s.turned.noalias() = s.phi * covariance;
    for (Index p = 0; p < s.phi.rows(); ++p) {
      const double spread =
          full_ ? s.turned.row(p).squaredNorm() : s.phi.row(p).cwiseAbs2().dot(covariance.row(0));
      variance[p * channels + c] = spread + noise_[c];
    }
  }

  const Surrogate& surrogate_;
  Network<float> network_;
  int threads_;
  bool full_ = false;
  std::vector<RowMatrix> covariance_;
  std::vector<double> noise_;
  std::vector<Scratch> scratch_;
};

LaplaceSums sums_over(const ScaledData& train, Network<float>& network, const float* weights) {
  constexpr Index batch = 20;
  const DataSet& data = train.data();
  Buffer<float> inputs(batch * data.inputs.row(0).size());
  Buffer<float> targets(batch * data.outputs.row(0).size());
  const FieldsOf<float> fields_of = [&](Index first, Index count) {
    std::vector<Index> samples(count);
    std::iota(samples.begin(), samples.end(), first);
    train.gather(samples, inputs.data(), targets.data());
    return SampleFields<float>{inputs.data(), targets.data()};
  };
  return laplace_sums(network, weights, fields_of, train.size(), batch);
}

class BayesianMethod final : public Method {
 public:
  [[nodiscard]] std::string_view name() const override { return "bayesian"; }
  [[nodiscard]] std::string_view summary() const override {
    return "one network, and a Gaussian over its last layer's weights fitted afterwards (Laplace)";
  }
  void describe(OptionTable& table, MethodOptions& options) const override {
    auto& o = options.own<LaplaceOptions>();
    table
        .add_named(
            "laplace", o.covariance, laplace_covariance_from_name,
            [](LaplaceCovariance c) { return c == LaplaceCovariance::full ? "full" : "diagonal"; },
            {"diagonal", "full"}, "covariance of the last layer's weights")
        .about(
            "The diagonal is the paper's. The full matrix costs (features + 1)^2 numbers in the model file and "
            "accounts for features that go together.");
    table.add("count-points", o.count_points, "count grid points, not functions, in the likelihood")
        .about(
            "As released, functions are counted, which makes the noise far larger than the residuals and the "
            "variance useful; counting points is the textbook's likelihood and gives a small variance.");
    table.add("add-noise", o.add_noise, "add the noise variance to the predicted variance")
        .about("For the variance of a measurement instead of that of the field.");
  }
  [[nodiscard]] std::vector<TrainerOptions> trainings(const MethodOptions& /*options*/,
                                                      const TrainerOptions& base,
                                                      Index channels) const override {
    TrainerOptions training = base;
    training.network.outputs = channels;
    training.loss = {base.loss.kind, channels, 1};
    return {training};
  }
  void finish(const MethodOptions& options, const ScaledData& train, int threads,
              Surrogate& surrogate) const override {
    Network<float> network(surrogate.network, shape_of(train.data().grid), threads);
    const float* weights = surrogate.weights.at(0).data();
    const auto& o = options.own<LaplaceOptions>();
    const LaplaceSums sums = sums_over(train, network, weights);
    const Index channels = surrogate.channels(), n = surrogate.network.features;
    const bool full = o.covariance == LaplaceCovariance::full;
    Array<double> covariance(full ? Shape{channels, n + 1, n + 1} : Shape{channels, n + 1});
    Array<double> prior({channels}), noise({channels});
    for (Index c = 0; c < channels; ++c) {
      Eigen::VectorXd theta(n + 1);
      for (Index j = 0; j < n; ++j)
        theta(j) = static_cast<double>(weights[network.layout().head_weight() + c * n + j]);
      theta(n) = static_cast<double>(weights[network.layout().head_bias() + c]);
      const LaplacePosterior posterior = fit_laplace(o, sums, c, theta);
      prior[c] = posterior.prior_precision;
      noise[c] = posterior.noise;
      const RowMatrix rows =
          full ? RowMatrix(posterior.covariance_root) : RowMatrix(posterior.covariance_root.transpose());
      std::copy_n(rows.data(), rows.size(), covariance.data() + c * rows.size());
    }
    surrogate.state["laplace.covariance"] = std::move(covariance);
    surrogate.state["laplace.prior_precision"] = std::move(prior);
    surrogate.state["laplace.noise"] = std::move(noise);
    surrogate.state["laplace.add_noise"] = number(o.add_noise ? 1.0 : 0.0);
  }
  void check(const Surrogate& surrogate) const override {
    require_networks(surrogate, 1, 1);
    require_outputs(surrogate, surrogate.channels());
    require(surrogate.network.head_bias, "the bayesian model's network has no bias in its head");
    const Index channels = surrogate.channels(), size = surrogate.network.features + 1;
    const Array<double>& stored = state_array(surrogate, "laplace.covariance");
    const Shape expected = stored.rank() == 3 ? Shape{channels, size, size} : Shape{channels, size};
    require(stored.shape() == expected, "the model's 'laplace.covariance' has shape {}: expected {}",
            to_string(stored.shape()), to_string(expected));
    const Array<double>& noise = state_array(surrogate, "laplace.noise");
    require(noise.size() == channels, "the model's 'laplace.noise' has {} numbers: expected {}", noise.size(),
            channels);
    (void)state_number(surrogate, "laplace.add_noise");
  }
  [[nodiscard]] std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate, const Shape& grid,
                                                           int threads) const override {
    return std::make_unique<BayesianPredictor>(surrogate, grid, threads);
  }
};

}  // namespace

std::unique_ptr<Method> make_bayesian() { return std::make_unique<BayesianMethod>(); }

}  // namespace nouq

// DiverseNO: many heads on one trunk, each trained on the data and pushed apart from the others; their spread
// is the uncertainty.
#include <algorithm>

#include "core/error.h"  // fmt
#include "uq/method.h"
#include "uq/moments.h"

namespace nouq {
namespace {

class DiversePredictor final : public MethodPredictor {
 public:
  DiversePredictor(const Surrogate& surrogate, const Shape& grid, int threads)
      : surrogate_(surrogate), network_(surrogate.network, grid, threads) {}
  [[nodiscard]] Index samples() const override { return surrogate_.network.outputs / surrogate_.channels(); }

  void predict(const float* inputs, Index batch, double* mean, double* variance, float* samples,
               double* pooled) override {
    const Index channels = surrogate_.channels();
    const Index columns = surrogate_.network.outputs;
    const Index rows = batch * network_.points();
    heads_.resize(rows * columns);
    network_.predict(surrogate_.weights.at(0).data(), inputs, batch, heads_.data());
    network_.write_pooled(batch, pooled);
    for (Index c = 0; c < channels; ++c)
      moments(heads_.data() + c, {this->samples(), channels, columns, channels}, rows, mean + c,
              variance + c);
    if (samples != nullptr) separate(batch, samples);
  }

 private:
  // From heads side by side at every point to one field per head.
  void separate(Index batch, float* samples) const {
    const Index channels = surrogate_.channels();
    const Index points = network_.points();
    for (Index b = 0; b < batch; ++b) {
      for (Index m = 0; m < this->samples(); ++m) {
        for (Index p = 0; p < points; ++p) {
          for (Index c = 0; c < channels; ++c)
            *samples++ = heads_[((b * points + p) * this->samples() + m) * channels + c];
        }
      }
    }
  }

  const Surrogate& surrogate_;
  Network<float> network_;
  Buffer<float> heads_;  // [batch][points][heads][channels]
};

void describe_diversity(OptionTable& table, Diversity& d) {
  table
      .add_named(
          "diversity", d.kind, diversity_from_name, [](DiversityKind kind) { return name(kind); },
          diversity_names(), "what keeps the heads apart")
      .about(
          "A distance between heads that training makes large: of their weights (the paper's choice and the "
          "cheapest), of gradients on the batch, or of outputs on unlabelled inputs.");
  table
      .add_named(
          "diversity-through", d.through, reach_from_name, [](DiversityReach reach) { return name(reach); },
          reach_names(), "how far back the diversity reaches: the heads alone, or the trunk before them, too")
      .since_version("0.2")
      .about(
          "For the kinds that look at gradients and outputs: whether they train the heads alone or, as in the "
          "released code, the trunk, too. That takes a pass forward and back through the network for every "
          "input that the kind looks at: twice the time for those of gradients, and with 200 unlabelled "
          "inputs and batches of 20 about ten times for those of outputs.");
  table.add("strength", d.strength, "lambda: how strongly the heads are pushed apart")
      .at_least(0)
      .about(
          "The paper chooses it from 0.01 to 100 by validation error ('nouq select'). Stronger heads differ more "
          "far from the training data and cost a little accuracy within them.");
  table.add("bound", d.bound, "what the diversity saturates at; 0 for no bound, as in the paper")
      .at_least(0)
      .about("Without one the heads drift apart for as long as training runs; set it for long trainings.");
  table.add("warmup", d.warmup, "first epochs without diversity")
      .at_least(0)
      .about("Ten in the released code: the heads first learn the data.");
  table.add("sampled", d.sampled, "heads compared in a step; 0 for all")
      .at_least(0)
      .about("The released code draws 5. Comparing all costs no more for the diversity of weights.");
}

struct DiverseOptions {
  Index count = 10;  // heads
  Diversity diversity = {.strength = 1.0, .bound = 10.0};
  std::filesystem::path unlabelled;
};

class DiverseMethod final : public Method {
 public:
  [[nodiscard]] std::string_view name() const override { return "diverse"; }
  [[nodiscard]] std::string_view summary() const override {
    return "many heads on a shared trunk, pushed apart; an ensemble's spread at the price of one network";
  }
  [[nodiscard]] std::string_view count_means() const override { return "heads"; }
  void describe(OptionTable& table, MethodOptions& options) const override {
    auto& o = options.own<DiverseOptions>();
    table.add("count", o.count, "heads")
        .between(2, 1000)
        .about(
            "How many samples a prediction consists of: ten in the paper. The standard deviation of fewer than "
            "five is a rough estimate; heads and masks cost little, each network of an ensemble a training.");
    describe_diversity(table, o.diversity);
    table
        .add("unlabelled", o.unlabelled,
             "inputs that a diversity of outputs looks at, on the grid of the data: a file as for 'predict', "
             "without solutions if need be")
        .shown_as("FILE")
        .about(
            "Where the heads are compared by kinds that look at outputs: inputs unlike those of training, whose "
            "solutions need not be known.");
  }
  [[nodiscard]] std::vector<LossKind> losses() const override {
    return {LossKind::relative_l2, LossKind::relative_l2_squared, LossKind::heads_crps, LossKind::fair_crps};
  }
  [[nodiscard]] std::vector<SettingsNote> notes(const MethodOptions& options,
                                                const TrainerOptions& base) const override {
    const Diversity& diversity = options.own<DiverseOptions>().diversity;
    std::vector<SettingsNote> notes;
    if (base.epochs <= diversity.warmup)
      notes.push_back({"", fmt::format("the diversity starts after {} epochs (--warmup), so {} epochs train "
                                       "without it",
                                       diversity.warmup, base.epochs)});
    if (base.unlabelled != nullptr && !needs_unlabelled_inputs(diversity.kind))
      notes.push_back(
          {"unlabelled", fmt::format("does nothing for the diversity {}, only for those of outputs",
                                     nouq::name(diversity.kind))});
    if (diversity.through == DiversityReach::trunk && !diversity.reaches_trunk())
      notes.push_back(
          {"diversity-through", "does nothing for the diversity weights: a trunk has none of them"});
    return notes;
  }
  void scale_epochs(MethodOptions& options, const std::function<Index(Index)>& scaled) const override {
    Index& warmup = options.own<DiverseOptions>().diversity.warmup;
    warmup = scaled(warmup);
  }
  [[nodiscard]] UnlabelledInputs unlabelled(const MethodOptions& options) const override {
    const auto& o = options.own<DiverseOptions>();
    const DiversityKind kind = o.diversity.kind;
    return {o.unlabelled, needs_unlabelled_inputs(kind) ? fmt::format("diversity {}", nouq::name(kind)) : ""};
  }
  void recover(const Surrogate& surrogate, MethodOptions& options) const override {
    options.own<DiverseOptions>().count = surrogate.network.outputs / surrogate.channels();
  }
  [[nodiscard]] bool has_variance_in_training() const override { return true; }
  [[nodiscard]] std::vector<TrainerOptions> trainings(const MethodOptions& options,
                                                      const TrainerOptions& base,
                                                      Index channels) const override {
    const auto& o = options.own<DiverseOptions>();
    TrainerOptions training = base;
    training.network.outputs = o.count * channels;
    training.network.head_bias = false;
    training.loss = {base.loss.kind, channels, o.count};
    training.diversity = o.diversity;
    return {training};
  }
  void check(const Surrogate& surrogate) const override {
    require_networks(surrogate, 1, 1);
    const Index heads = surrogate.network.outputs / surrogate.channels();
    require_outputs(surrogate, std::max<Index>(2, heads) * surrogate.channels());
  }
  [[nodiscard]] std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate, const Shape& grid,
                                                           int threads) const override {
    return std::make_unique<DiversePredictor>(surrogate, grid, threads);
  }
};

}  // namespace

std::unique_ptr<Method> make_diverse() { return std::make_unique<DiverseMethod>(); }

}  // namespace nouq

#include "training_options.h"

#include <algorithm>

#include "core/grid_domain.h"
#include "core/with_source.h"
#include "data/load.h"
#include "data/split.h"
#include "input_file.h"
#include "physics/physics.h"
#include "uq/quantile.h"

namespace nouq::cli {
namespace {

void add_method_options(OptionTable& table, TrainingOptions& o, Chosen chosen) {
  table.group("Uncertainty");
  table.add("method", o.method, "how uncertainty is made; 'nouq methods' describes them")
      .one_of(method_names());
  table.add("count", o.count, "heads (diverse), networks (ensemble) or masks (dropout)").between(2, 1000);
  if (chosen == Chosen::by_hand)
    table.add("dropout", o.dropout, "probability of dropping a feature, for dropout").between(0, 0.99);
  table.add("diversity", o.diversity, "what keeps the heads apart, for diverse").one_of(diversity_names());
  if (chosen == Chosen::by_hand)
    table.add("strength", o.strength, "lambda: how strongly the heads are pushed apart, for diverse")
        .at_least(0);
  table.add("bound", o.bound, "what the diversity saturates at; 0 for no bound, as in the paper").at_least(0);
  table.add("warmup", o.warmup, "first epochs without diversity").at_least(0);
  table.add("sampled", o.sampled, "heads compared in a step; 0 for all").at_least(0);
  table
      .add("unlabelled", o.unlabelled,
           "inputs that a diversity of outputs looks at, on the grid of the data: a file as for 'predict', "
           "without solutions if need be")
      .shown_as("FILE");
  table.add("laplace", o.laplace, "covariance of the last layer's weights, for bayesian")
      .one_of({"diagonal", "full"});
  table.add("count-points", o.count_points, "count grid points, not functions, in bayesian's likelihood");
  table.add("add-noise", o.add_noise, "add the noise variance to the variance of bayesian");
}

void add_network_options(OptionTable& table, TrainingOptions& o, Chosen chosen) {
  table.group("Network");
  if (chosen == Chosen::by_hand)
    table.add("width", o.width, "channels of the Fourier blocks").between(1, 1024);
  table.add("blocks", o.blocks, "Fourier blocks").between(1, 64);
  table.add("modes", o.modes, "frequencies kept along each axis (12, or what the axis allows)").at_least(1);
  table.add("padding", o.padding, "zeros appended along each axis (9, none where periodic)").at_least(0);
  table
      .add("padding-fraction", o.padding_fraction,
           "padding as a share of each axis instead: other grids can be asked")
      .between(0, 4);
  table
      .add("normalise", o.normalise,
           "scale channels to mean 0, deviation 1; auto: when their size asks for it")
      .one_of({"auto", "on", "off"});
}

void add_loop_options(OptionTable& table, TrainingOptions& o, Chosen chosen) {
  table.group("Training");
  table.add("epochs", o.epochs, "passes over the data").between(1, 1e7);
  table.add("batch", o.batch, "samples per step").between(1, 1e6);
  if (chosen == Chosen::by_hand) table.add("rate", o.rate, "learning rate").between(1e-8, 10);
  table.add("schedule", o.schedule, "how the rate falls; step halves it every tenth of the epochs")
      .one_of({"step", "cosine", "one_cycle", "constant"});
  table.add("weight-decay", o.weight_decay, "of Adam").at_least(0);
  table.add("patience", o.patience, "stop after so many epochs without a better validation loss; 0: never")
      .at_least(0);
  table.add("seed", o.seed, "of split, weights, order and masks");
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.add("checkpoint-period", o.checkpoint_period, "epochs between checkpoints").at_least(1);
  table.group("Calibration on the validation samples");
  table
      .add("trust-level", o.trust_level,
           "share of the validation samples to be called in-domain; 0 for no trust flag (0.95, where there "
           "are 19 samples or more)")
      .at_least(0)
      .below(1);
  table.add("trust-far", o.trust_far, "trust score beyond which an input is called out-of-domain")
      .at_least(1);
  table
      .add("coverage", o.coverage,
           "of the conformal bands; 0 for no bands (0.9, where there are 9 validation samples or more)")
      .at_least(0)
      .below(1);
  table.add("pointwise", o.pointwise, "bands that cover each point, not whole fields");
}

// One value for all axes, or one per axis.
template <class T>
std::vector<T> per_axis(const std::vector<T>& given, std::size_t axes, const char* name) {
  if (given.size() == 1) return std::vector<T>(axes, given.front());
  require(given.size() == axes, "--{}: {} values for {} axes; give one, or one per axis", name, given.size(),
          axes);
  return given;
}

void set_network(const TrainingOptions& o, const DataSet& data, NetworkOptions& network) {
  network.width = o.width;
  network.blocks = o.blocks;
  const std::size_t axes = data.grid.size();
  if (!o.modes.empty()) network.modes = per_axis(o.modes, axes, "modes");
  if (!o.padding.empty()) {
    const auto points = per_axis(o.padding, axes, "padding");
    for (std::size_t i = 0; i < axes; ++i) network.padding[i] = {.points = points[i], .fraction = {}};
  }
  if (o.padding_fraction > 0.0) {
    require(o.padding.empty(), "--padding and --padding-fraction say the same thing: give one");
    for (std::size_t i = 0; i < axes; ++i) {
      if (!data.grid[i].periodic()) network.padding[i] = {.points = 0, .fraction = o.padding_fraction};
    }
  }
  padded_lengths(network, shape_of(data.grid));  // throws when the modes do not fit
}

}  // namespace

void add_training_options(OptionTable& table, TrainingOptions& o, Chosen chosen) {
  table.group("Data");
  table.add("data", o.data, "what to learn: NPZ or HDF5").as_positional().as_required();
  table.add("validation", o.validation, "data file to validate on, instead of a part of the data")
      .shown_as("FILE");
  table.add("validation-fraction", o.validation_fraction, "share of the data kept back for validation")
      .between(0.01, 0.9);
  add_method_options(table, o, chosen);
  add_network_options(table, o, chosen);
  add_loop_options(table, o, chosen);
}

namespace {

// The relative error, which training makes small, is not defined for a field of zeros.
void require_no_zero_fields(const DataSet& data, const std::filesystem::path& path) {
  const std::optional<Index> sample = zero_field(data);
  require(!sample,
          "{}: the output of sample {} is zero everywhere, so its relative error is not defined; leave that "
          "sample out",
          path.string(), sample.value_or(0));
}

DataSet load_checked(const TrainingOptions& o, const std::filesystem::path& path) {
  DataSet data = load_data_set(path);
  if (o.method != "variance") require_no_zero_fields(data, path);
  with_source(path.string(), [&] { (void)physics_of(data); });
  return data;
}

void require_affordable(const char* option, double level, Index held_out) {
  const Index needed = level > 0.0 ? samples_needed(level) : 0;
  require(held_out >= needed,
          "--{} = {}: needs at least {} validation samples, there are {}; give more data, a larger "
          "--validation-fraction, or 0",
          option, level, needed, held_out);
}

}  // namespace

std::optional<Index> zero_field(const DataSet& data) {
  const Index size = data.outputs.size() / std::max<Index>(1, data.size());
  for (Index s = 0; s < data.size(); ++s) {
    const auto* field = data.outputs.data() + s * size;
    if (std::all_of(field, field + size, [](float u) { return u == 0.0F; })) return s;
  }
  return std::nullopt;
}

TrainingData load_training_data(const TrainingOptions& o) {
  TrainingData data;
  data.train = load_checked(o, o.data);
  if (!o.unlabelled.empty()) data.unlabelled = load_inputs(o.unlabelled).inputs;
  if (!o.validation.empty()) {
    data.validation = load_checked(o, o.validation);
    require_same_domain(data.train.grid, data.validation.grid, o.validation.string());
    return data;
  }
  require_samples(data.train, 2, "a training and a validation part", o.data.string());
  const SplitCounts counts =
      split_counts(data.train.size(), {1.0 - o.validation_fraction, o.validation_fraction, 0.0});
  const Split parts = split(data.train.size(), counts, o.seed);
  data.validation = select(data.train, parts.validation);
  data.train = select(data.train, parts.train);
  return data;
}

FitOptions fit_options(const TrainingOptions& o, const TrainingData& data) {
  FitOptions fit = default_fit(data.train, o.epochs);
  set_network(o, data.train, fit.train.network);
  fit.method = {.name = o.method, .count = o.count, .dropout = o.dropout, .diversity = {}, .laplace = {}};
  fit.method.diversity = {diversity_from_name(o.diversity), o.strength, o.bound, o.warmup, o.sampled};
  fit.method.laplace.covariance = laplace_covariance_from_name(o.laplace);
  fit.method.laplace.count_points = o.count_points;
  fit.method.laplace.add_noise = o.add_noise;
  if (o.normalise != "auto") fit.normalise = o.normalise == "on";
  fit.train.batch = o.batch;
  fit.train.schedule.kind = schedule_from_name(o.schedule);
  fit.train.schedule.base_rate = o.rate;
  fit.train.weight_decay = o.weight_decay;
  fit.train.patience = o.patience;
  fit.train.seed = o.seed;
  require(o.method != "diverse" || !data.unlabelled.empty() ||
              !needs_unlabelled_inputs(fit.method.diversity.kind),
          "--diversity {}: compares the heads on inputs without solutions; give some with --unlabelled FILE",
          o.diversity);
  if (!data.unlabelled.empty()) fit.train.unlabelled = &data.unlabelled;
  fit.threads = o.threads;
  fit.checkpoint_period = o.checkpoint_period;
  return fit;
}

CalibrationOptions calibration_options(const TrainingOptions& o, Index held_out) {
  if (o.trust_level) require_affordable("trust-level", *o.trust_level, held_out);
  if (o.coverage) require_affordable("coverage", *o.coverage, held_out);
  const CalibrationOptions usual;
  return affordable({o.trust_level.value_or(usual.trust_level), o.trust_far,
                     o.coverage.value_or(usual.coverage), o.pointwise},
                    held_out);
}

}  // namespace nouq::cli

#include "uq/train_settings.h"

#include <algorithm>

#include "config/settings_text.h"
#include "core/error.h"
#include "core/grid_domain.h"
#include "core/names.h"
#include "nn/architecture.h"
#include "uq/cross_fitting.h"
#include "uq/network_grid.h"
#include "uq/quantile.h"

namespace nouq {
namespace {

void add_all(OptionTable& table, std::vector<Option> options) {
  for (Option& option : options) table.add(std::move(option));
}

void describe_data(OptionTable& table, TrainSettings& s) {
  table.group("Data");
  table.add("validation-fraction", s.validation_fraction, "share of the data kept back for validation")
      .between(0.01, 0.9)
      .about(
          "Share of the data kept back for validation: of these the best epoch is chosen, and trust, "
          "bands and the strictness of the law are calibrated on them. Raise it when there are few "
          "samples and the trust flag or the bands are left out: they need 4 and 9 validation samples. "
          "Without effect when validation data are given.");
}

void describe_uncertainty(OptionTable& table, TrainSettings& s) {
  table.group("Uncertainty");
  table.add("method", s.method, "how uncertainty is made; 'nouq methods' describes them")
      .one_of(method_names())
      .about(
          "How uncertainty is made: \"diverse\" (many heads on a shared trunk, pushed apart), \"ensemble\" "
          "(networks from different seeds), \"dropout\" (random masks), \"bayesian\" (a Gaussian over the "
          "last layer) or \"variance\" (the network predicts it). The heads of diverse cost little more "
          "than one network and react most to inputs unlike those of training; an ensemble costs as "
          "many trainings as it has members and is what to compare with.");
  add_all(table, method_options().options(s.options));
}

std::vector<std::string> architectures_and_auto() {
  std::vector<std::string> names = architecture_names();
  names.insert(names.begin(), "auto");
  return names;
}

void describe_network(OptionTable& table, TrainSettings& s) {
  table.group("Network");
  table.add("architecture", s.architecture, "what kind of network; auto: ffno over three axes, else fno")
      .one_of(architectures_and_auto())
      .since_version("0.2")
      .about(
          "The network's architecture; its own settings (width, modes, ...) are options. \"fno\" is "
          "the Fourier neural operator (Li et al., 2021) of the paper; \"ffno\" the factorised one "
          "(Tran et al., 2023), with one spectral layer per axis and far fewer weights. \"auto\" "
          "takes fno on grids of one and two axes, where it is as accurate in half the time, and "
          "ffno on three, where it has a fortieth of the weights and, with up to a hundred runs, a "
          "third of the error; docs/networks.md compares them.");
  add_all(table, network_options().options(s.options));
  table
      .add("normalise", s.normalise,
           "scale channels to mean 0, deviation 1; auto: when their size asks for it")
      .one_of({"auto", "on", "off"})
      .about(
          "Whether input and output channels are scaled to mean 0 and standard deviation 1. \"auto\" does "
          "so when the mean of a channel is beyond 10, or its deviation beyond 10 or below 0.01, and when "
          "one output channel varies more than twice as much as another: a network trains badly on such "
          "numbers, and a loss of all channels is that of the largest. The paper does not scale; its "
          "fields are of size one.");
}

void describe_loop(OptionTable& table, TrainSettings& s) {
  table.group("Training");
  table.add("loss", s.loss, "what the weights are to make small; auto: the method's own")
      .one_of(loss_labels())
      .since_version("0.2")
      .about(
          "What the weights are to make small; \"auto\" takes the method's own. \"relative_l2\" is |u - y| "
          "/ |y| over the field, the released code's, and \"relative_l2_squared\" the paper's formula; "
          "\"nll\" the Gaussian likelihood of variance. \"crps\" scores the whole predicted distribution, "
          "for variance in closed form and for diverse over the heads: spread and error are then learnt "
          "together, and heads need no strength (set it to 0). \"fair_crps\" is the score without the "
          "bias of few heads (Ferro, 2014); as a loss it leaves the outermost heads free.");
  table
      .add("project-in-training", s.project_in_training,
           "the loss is that of the prediction projected onto the law of the data")
      .since_version("0.2")
      .about(
          "Whether the loss is that of the prediction projected onto the conservation law of the data: "
          "mean and variance are moved as by the projection \"diagonal\" before they are scored, and the "
          "weights learn what the law does not know already. For data with values of a law, and the "
          "methods diverse and variance. Project the predictions of such a model, too: without, they "
          "miss the law.");
  table.add("epochs", s.epochs, "passes over the data")
      .between(1, 1e7)
      .about(
          "Passes over the data. With the schedule one_cycle 160 are a third of the paper's 500, whose "
          "steps waste most of them; 100 do where time matters more than the last half of the error. "
          "More help as long as the validation loss still falls at the end. Time is proportional to it.");
  table.add("batch", s.batch, "samples per step; 0: an eighth of the training samples, from 5 to 20")
      .between(0, 1e6)
      .about(
          "Samples per step of the optimiser, 20 in the paper. 0 takes an eighth of the training samples, "
          "but at least 5 and at most 20: with few samples smaller batches make more steps of an epoch "
          "and fit better. Larger ones use more memory.");
  table.add("rate", s.rate, "learning rate")
      .between(1e-8, 10)
      .about(
          "The learning rate at the beginning (for the schedule one_cycle: its peak). 3e-3 is for "
          "one_cycle; with step the paper has 1e-3, from {1e-4, 1e-3, 1e-2}. Lower it when the loss grows "
          "or oscillates, or for fine-tuning.");
  table
      .add("schedule", s.schedule,
           "how the rate falls; one_cycle rises first, step halves it every tenth of the epochs")
      .one_of({"step", "cosine", "one_cycle", "constant"})
      .about(
          "How the learning rate falls: \"one_cycle\" rises first and then falls to nearly zero along "
          "cosines, which takes a third of the epochs of \"step\"; \"step\" halves it every tenth of the "
          "epochs (the paper's), \"cosine\" goes down to zero along half a cosine, \"constant\".");
  table.add("period", s.period, "epochs after which the schedule step halves the rate; 0: a tenth of all")
      .at_least(0)
      .since_version("0.2")
      .about(
          "Epochs after which the schedule \"step\" halves the rate; 0 takes a tenth of all epochs. "
          "The released code has 50 for its 500.");
  table.add("weight-decay", s.weight_decay, "of Adam")
      .at_least(0)
      .about(
          "Of Adam, added to the gradient as in the paper: pulls weights towards zero. Raise it when "
          "the validation loss is far above the training loss.");
  table.add("patience", s.patience, "stop after so many epochs without a better validation loss; 0: never")
      .at_least(0)
      .about(
          "Stop after so many epochs without a better validation loss; 0: never. The best epoch's "
          "weights are kept either way, so this only saves time.");
  table.add("seed", s.seed, "of split, weights, order and masks")
      .about(
          "Of everything random: the split into training and validation samples, initial weights, the "
          "order of samples, dropout masks. The same seed, settings and data give the same model, bit "
          "for bit, on any number of threads.");
  table.add("threads", s.threads, "0 for all cores")
      .at_least(0)
      .without_effect_on_result()
      .about("Threads for all networks together; 0 for all cores. The result does not depend on it.");
  table
      .add("rollout", s.rollout,
           "learn a time step, to be applied again and again: how many time points it has; 0: no")
      .at_least(0)
      .since_version("0.2")
      .about(
          "Learn a time step instead of whole solutions over t: 1 for one state from the one before, "
          "more for a block of so many time points from the state before it; 0: no. Trajectories are cut "
          "into steps, and the model is applied again and again for as long as is asked "
          "(nouq/rollout.h, `predict --steps`). Larger blocks take fewer applications, and their errors "
          "add up less often.");
  table.add("from", s.from, "a model to go on from (fine-tuning); keeps its method and architecture")
      .shown_as("MODEL")
      .without_effect_on_result()
      .about(
          "A model file to go on from (fine-tuning): its method, networks and normalisation are kept, "
          "and training starts from its weights. Give a smaller rate and fewer epochs.");
  table.add("folder", s.folder, "where to keep checkpoints, so that an interrupted training can go on")
      .shown_as("FOLDER")
      .without_effect_on_result()
      .about(
          "Where checkpoints are kept while training, so that an interrupted training goes on when it "
          "is started again with the same settings and data; none when empty. Files of other trainings "
          "in it are left alone.");
  table.add("checkpoint-period", s.checkpoint_period, "epochs between checkpoints")
      .at_least(1)
      .without_effect_on_result()
      .about(
          "Epochs between two checkpoints. Raise it when an epoch takes less time than writing the "
          "weights.");
  table
      .add("any-processor", s.any_processor,
           "go on with checkpoints of other vector instructions, to other last digits")
      .without_effect_on_result()
      .since_version("0.2")
      .about(
          "Instruction sets (AVX-512, AVX2) add up in different orders, so a training goes on with the one "
          "that it was begun with, and is refused where the processor does not have it. With this it goes "
          "on there all the same, and ends with last digits that no processor makes alone.");
}

void describe_calibration(OptionTable& table, TrainSettings& s) {
  table.group("Calibration on the validation samples");
  table
      .add(
          "trust-level", s.trust_level,
          "share of the validation samples to be called in-domain; 0 for no trust flag (0.95; of 4 to 18 samples n / (n + 1))")
      .at_least(0)
      .below(1)
      .about(
          "Share of the validation samples to be called in-domain by the trust flag; 0 for no trust "
          "flag. Not set: 0.95 where there are 19 validation samples or more, the share n / (n + 1) that "
          "fewer can state down to 4, else none.");
  table.add("trust-far", s.trust_far, "trust score beyond which an input is called out-of-domain")
      .at_least(1)
      .about(
          "Trust score beyond which an input is called out-of-domain; between 1 and this it is called "
          "doubtful. Lower it where a wrong answer is expensive.");
  table
      .add("coverage", s.coverage,
           "of the conformal bands; 0 for no bands (0.9, where there are 9 validation samples or more)")
      .at_least(0)
      .below(1)
      .about(
          "Of the conformal bands: the share of fields (or points) that lie within them; 0 for no "
          "bands. Not set: 0.9 where there are 9 validation samples or more, else none (Angelopoulos "
          "and Bates, 2023).");
  table.add("pointwise", s.pointwise, "bands that cover each point, not whole fields")
      .about(
          "Bands that cover each point with the given coverage, not whole fields: narrower, and a field "
          "may leave them somewhere.");
  table
      .add("cross-folds", s.cross_folds,
           "short trainings that calibrate on all samples, where fewer than 19 are held out; 0 for none")
      .between(0, 5)
      .since_version("0.2")
      .about(
          "Where fewer than 19 samples are held out: into how many folds the training samples are divided "
          "for short trainings, each without one of them, so that sigma, trust and bands are calibrated on "
          "all samples. They take at most a third of the training's own time. 0: none, "
          "calibrate on the validation samples alone.");
}

// Brings the given options to the variables behind a table; true for those that were there.
bool assign_given(const OptionTable& table, const std::string& name, const OptionValue& value) {
  const Option* option = table.find(name);
  if (option == nullptr) return false;
  assign(*option, value.values(), name);
  return true;
}

std::vector<std::string> all_option_names() {
  std::vector<std::string> names = method_options().names();
  for (const std::string& name : network_options().names()) names.push_back(name);
  return names;
}

// The options of the method and the network, from the flat list.
struct Resolved {
  MethodOptions method;
  NetworkSettings network;
};

Resolved resolve_options(const TrainSettings& settings, const std::string& method,
                         const std::string& architecture) {
  Resolved resolved;
  resolved.method.name = method;
  resolved.network.architecture = architecture;
  OptionTable network("network", "");
  describe(network, resolved.network);
  for (const auto& [key, value] : settings.options) {
    const std::string name = option_name(key);
    if (resolved.method.set(name, value) || assign_given(network, name, value)) continue;
    if (!method_options().has(name) && !network_options().has(name))
      fail_unknown_name("option", name, all_option_names());
  }
  return resolved;
}

Index usual_batch(Index samples) { return std::clamp<Index>(samples / 8, 5, 20); }

// The network of a surrogate with those options changed that were given.
NetworkOptions with_given(NetworkOptions network, const Options& given, const NetworkOptions& asked) {
  for (const auto& [key, value] : given) {
    const std::string name = option_name(key);
    if (name == "width") network.width = asked.width;
    if (name == "blocks") network.blocks = asked.blocks;
    if (name == "modes") network.modes = asked.modes;
    if (name == "padding" || name == "padding-fraction") network.padding = asked.padding;
    if (name == "features") network.features = asked.features;
    if (network.extra.contains(name) && asked.extra.contains(name))
      network.extra[name] = asked.extra.at(name);
  }
  return network;
}

// Method options that were given and that the surrogate has otherwise: "count 3 and 10".
std::string difference(const Options& given, MethodOptions kept, MethodOptions asked) {
  OptionTable kept_table("kept", ""), asked_table("asked", "");
  find_method(kept.name).describe(kept_table, kept);
  find_method(kept.name).describe(asked_table, asked);
  std::string text;
  for (const auto& [key, value] : given) {
    const Option *own = kept_table.find(option_name(key)), *other = asked_table.find(option_name(key));
    if (own != nullptr && other != nullptr && own->load() != other->load())
      text += fmt::format("{}{} {} and {}", text.empty() ? "" : ", ", option_name(key), to_words(own->load()),
                          to_words(other->load()));
  }
  return text;
}

// What was asked for in so many words must be what the surrogate has: fine-tuning cannot change it.
void require_kept(const TrainSettings& settings, const Surrogate& from, const FitOptions& kept,
                  const FitOptions& asked) {
  std::string differences;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) differences += (differences.empty() ? "" : ", ") + text;
  };
  if (settings.method != TrainSettings{}.method && settings.method != from.method)
    add(fmt::format("method {} and {}", from.method, settings.method));
  if (settings.architecture != "auto" && settings.architecture != from.network.architecture)
    add(fmt::format("architecture {} and {}", from.network.architecture, settings.architecture));
  else
    add(difference(from.network, with_given(from.network, settings.options, asked.train.network)));
  add(difference(settings.options, kept.method, asked.method));
  if (settings.normalise != "auto" && kept.normalise != asked.normalise)
    add(fmt::format("normalise {} and {}", kept.normalise ? "on" : "off", settings.normalise));
  require(differences.empty(),
          "from: the model to start from and what is asked differ: {}; fine-tuning keeps method, network and "
          "normalisation, so leave these options out, or train a new model",
          differences);
}

// Going on from a surrogate keeps everything that gives the networks their shape, and what they see of the
// data.
void keep_architecture(const TrainSettings& settings, const DataSet& data, const Surrogate& from,
                       FitOptions& fit) {
  require(
      same_points(from.grid, data.grid) || answers_on(from, data.grid),
      "from: the data are on other points ({}) than those of the model to start from ({}), whose networks "
      "only know its own; bring the data onto them, or train a new model",
      to_string(shape_of(data.grid)), to_string(shape_of(from.grid)));
  const FitOptions asked = fit;
  fit.normalise = !from.input_normalisation.is_none() || !from.output_normalisation.is_none();
  fit.train.network = from.network;
  find_method(from.method).recover(from, fit.method);
  fit.from = &from;
  require_kept(settings, from, fit, asked);
}

void require_affordable(const char* option, double level, Index held_out) {
  const Index needed = level > 0.0 ? samples_needed(level) : 0;
  require(held_out >= needed,
          "{} = {}: needs at least {} held-out samples, there are {}; give more data, a larger "
          "validation-fraction, or 0",
          option, level, needed, held_out);
}

// Every setting is held against its description, wherever it was set.
void check(TrainSettings settings) {
  require(settings.cross_folds != 1, "cross-folds = 1: expected 0 for none, or 2 to 5");
  OptionTable table("train", "");
  describe(table, settings);
  for (const Option& option : table.options()) {
    if (option.name != "seed") assign(option, option.load(), option.name);  // any 64 bits will do
  }
}

}  // namespace

const DeclaredOptions& method_options() {
  static const DeclaredOptions all = [] {
    DeclaredOptions declared;
    std::vector<std::string> names = method_names();
    // The order of the help: what the default method has comes first.
    std::stable_partition(names.begin(), names.end(),
                          [](const std::string& name) { return name == TrainSettings{}.method; });
    for (const std::string& name : names) {
      MethodOptions unused;
      OptionTable table(name, "");
      find_method(name).describe(table, unused);
      declared.add(name, table);
    }
    return declared;
  }();
  return all;
}

// Not kept: architectures may be registered at any time before they are used.
DeclaredOptions network_options() {
  DeclaredOptions declared;
  for (const std::string& name : architecture_names()) {
    NetworkSettings unused;
    unused.architecture = name;
    OptionTable table(name, "");
    describe(table, unused);
    declared.add(name, table);
  }
  return declared;
}

void describe(OptionTable& table, TrainSettings& settings) {
  describe_data(table, settings);
  describe_uncertainty(table, settings);
  describe_network(table, settings);
  describe_loop(table, settings);
  describe_calibration(table, settings);
}

void describe(OptionTable& table, SelectSettings& s) {
  table.group("Rule");
  table.add("rule", s.rule, "what decides: the validation error, or samples kept at the edge of the data")
      .one_of({"tolerance", "edge"})
      .since_version("0.2")
      .about(
          "What decides. \"tolerance\": the validation error, and of the diversity strengths the largest "
          "whose error is within the tolerance of the best. \"edge\": a fifth of the training samples, "
          "those nearest to the ends of the parameter range (with several parameters the outermost; "
          "without, those whose inputs are farthest from the mean input), are kept from the trials, and "
          "whoever predicts them with the least CRPS wins: strength, loss and sizing as well. The winner "
          "is then trained on all samples.");
  table.group("Grid");
  table.add("widths", s.widths, "widths to try")
      .between(1, 1024)
      .about("Widths of the network to try, the paper's by default.");
  table.add("rates", s.rates, "learning rates to try")
      .between(1e-8, 10)
      .about("Learning rates to try, the paper's by default.");
  table.add("dropouts", s.dropouts, "dropout probabilities to try, for dropout")
      .between(0, 0.99)
      .only_for({"dropout"})
      .about("Dropout probabilities to try, for the method dropout.");
  table.add("strengths", s.strengths, "diversity strengths to try, for diverse")
      .at_least(0)
      .only_for({"diverse"})
      .about(
          "Diversity strengths (lambda) to try, for the method diverse. Of those within the tolerance "
          "of the best validation error the largest is kept: by that error alone the least diverse "
          "network would always win, and diversity is what pays out of domain.");
  table.add("losses", s.losses, "losses to try; none: that of the training")
      .one_of(loss_labels())
      .since_version("0.2")
      .about("Losses to try; none: that of the training settings.");
  table.add("tolerance", s.tolerance, "how much worse than the best a stronger diversity may be")
      .at_least(0)
      .only_for({"diverse"})
      .about("How much worse than the best, as a share of its error, a stronger diversity may be.");
}

std::string to_json(const TrainSettings& settings) {
  TrainSettings copy;
  OptionTable table("train", "");
  describe(table, copy);  // what it finds is the default
  copy = settings;
  return to_json(table, Which::changed);
}

FitOptions resolve(const TrainSettings& settings, const DataSet& train, const Surrogate* from) {
  check(settings);
  const Resolved options = resolve_options(settings, from == nullptr ? settings.method : from->method,
                                           settings.architecture != "auto" ? settings.architecture
                                           : from != nullptr               ? from->network.architecture
                                                                           : default_architecture(train));
  FitOptions fit;
  fit.method = options.method;
  fit.train.network = resolve(options.network, train);
  (void)padded_lengths(fit.train.network, shape_of(train.grid));  // throws when the modes do not fit
  fit.normalise = settings.normalise == "auto" ? needs_normalisation(train) : settings.normalise == "on";
  fit.train.epochs = settings.epochs;
  fit.train.batch = settings.batch > 0 ? settings.batch : usual_batch(train.size());
  fit.train.schedule.kind = schedule_from_name(settings.schedule);
  fit.train.schedule.base_rate = settings.rate;
  fit.train.schedule.period =
      settings.period > 0 ? settings.period : std::max<Index>(1, settings.epochs / 10);
  fit.train.loss.kind = loss_of(find_method(fit.method.name), settings.loss);
  fit.train.weight_decay = settings.weight_decay;
  fit.train.patience = settings.patience;
  fit.train.seed = settings.seed;
  fit.threads = settings.threads;
  fit.folder = settings.folder;
  fit.checkpoint_period = settings.checkpoint_period;
  fit.any_processor = settings.any_processor;
  if (from != nullptr) keep_architecture(settings, train, *from, fit);
  return fit;
}

void require_unlabelled(const FitOptions& fit) {
  const std::string needed_by = find_method(fit.method.name).unlabelled(fit.method).needed_by;
  require(needed_by.empty() || fit.train.unlabelled != nullptr,
          "{}: compares the heads on inputs without solutions; give some as 'unlabelled'", needed_by);
}

namespace {

// Of the options that were changed, those that the method or architecture in use does not declare.
template <class List>
void add_idle_options(const List& options, const std::string& what, const std::string& used,
                      std::vector<SettingsNote>& notes) {
  for (const Option& option : options) {
    const auto& owners = option.owners;
    const bool idle = !owners.empty() && std::find(owners.begin(), owners.end(), used) == owners.end();
    if (idle && option.load() != option.default_values)
      notes.push_back({option.name, fmt::format("does nothing for the {} {}, only for {}", what, used,
                                                fmt::join(owners, ", "))});
  }
}

std::string counted(Index count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

SettingsNote cross_fitting_note(const FitOptions& fit, Index folds, Index training, Index held_out) {
  return {"", fmt::format("{} few to calibrate on: {} trainings of {} follow, each without a part of "
                          "the training samples, and sigma, trust and bands are calibrated on all {} "
                          "samples (cross-folds 0 leaves that out)",
                          held_out == 1 ? "1 validation sample is too"
                                        : fmt::format("{} validation samples are too", held_out),
                          folds, counted(short_fit(fit, folds).train.epochs, "epoch"), training + held_out)};
}

void add_uncalibrated(const TrainSettings& settings, const CalibrationOptions& planned, Index held_out,
                      std::vector<SettingsNote>& notes) {
  const CalibrationOptions usual;
  if (!settings.trust_level && planned.trust_level == 0)
    notes.push_back(
        {"", fmt::format("{} validation samples are too few to calibrate trust at {}; predictions "
                         "will have no trust flag",
                         held_out, usual.trust_level)});
  else if (!settings.trust_level && planned.trust_level < usual.trust_level)
    notes.push_back(
        {"", fmt::format("{} validation samples calibrate trust at {:.3g}, not {}: one input in {} like "
                         "those of training will be flagged",
                         held_out, planned.trust_level, usual.trust_level, held_out + 1)});
  if (!settings.coverage && planned.coverage == 0)
    notes.push_back(
        {"", fmt::format("{} validation samples are too few for conformal bands with a coverage of {}",
                         held_out, usual.coverage)});
}

}  // namespace

std::vector<SettingsNote> notes_on(const TrainSettings& settings, const FitOptions& fit,
                                   const CalibrationOptions& planned, Index training, Index held_out) {
  std::vector<SettingsNote> notes;
  const Index folds = settings.cross_folds;
  const bool crossed = uses_cross_fitting(training, held_out, folds);
  if (crossed) notes.push_back(cross_fitting_note(fit, folds, training, held_out));
  add_uncalibrated(settings, planned, held_out + (crossed ? training : 0), notes);
  TrainSettings copy = settings;
  add_idle_options(method_options().options(copy.options), "method", fit.method.name, notes);
  add_idle_options(network_options().options(copy.options), "architecture", fit.train.network.architecture,
                   notes);
  if (settings.period > 0 && settings.schedule != "step")
    notes.push_back(
        {"period", fmt::format("does nothing for the schedule {}, only for step", settings.schedule)});
  for (SettingsNote& note : find_method(fit.method.name).notes(fit.method, fit.train))
    notes.push_back(std::move(note));
  return notes;
}

std::vector<SettingsNote> notes_on(const SelectSettings& settings, const std::string& method) {
  SelectSettings copy;
  OptionTable table("select", "");
  describe(table, copy);  // what it finds is the default
  copy = settings;
  std::vector<SettingsNote> notes;
  add_idle_options(table.options(), "method", method, notes);
  return notes;
}

SelectionGrid resolve(const SelectSettings& settings) {
  return {settings.widths,    settings.rates,     settings.dropouts,
          settings.strengths, settings.tolerance, settings.losses};
}

CalibrationOptions calibration_of(const TrainSettings& s, Index held_out) {
  if (s.trust_level) require_affordable("trust-level", *s.trust_level, held_out);
  if (s.coverage) require_affordable("coverage", *s.coverage, held_out);
  const CalibrationOptions usual;
  return affordable({s.trust_level.value_or(usual.trust_level), s.trust_far,
                     s.coverage.value_or(usual.coverage), s.pointwise},
                    held_out);
}

}  // namespace nouq

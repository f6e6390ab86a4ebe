// The uncertainty methods, behind one interface.
//
// A method is three things: which networks to train (`trainings`), what to compute afterwards from the
// training data (`finish`), and how to turn an input into mean, variance and samples (`predictor`). Training
// itself is not the method's business: whoever fits runs all networks of all methods through one pool, where
// they are parallel, resumable and shared (the network of `bayesian` is the first member of `ensemble`).
//
// A method's options are a struct in its own file, which MethodOptions carries without knowing it, and
// `describe` says what each of them is. Whoever is not the method sets them by name.
//
// Adding a method, or an option to one, is one file with a class derived from Method, one line in
// methods.def, one test.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/options.h>
#include <nouq/progress.h>  // SettingsNote

#include "config/option_table.h"
#include "train/trainer.h"
#include "uq/surrogate.h"

namespace nouq {

// A method by its name, with its own options.
class MethodOptions {
 public:
  std::string name = "diverse";

  // The struct of the method's own; its defaults unless something was set.
  template <class Own>
  Own& own() {
    if (auto* set = std::any_cast<Own>(&own_)) return *set;
    return own_.emplace<Own>();
  }
  template <class Own>
  [[nodiscard]] const Own& own() const {
    static const Own defaults{};
    const auto* set = std::any_cast<Own>(&own_);
    return set != nullptr ? *set : defaults;
  }

  // One option by its name, within what its description allows; false when the method has none of that name.
  bool set(const std::string& option, const OptionValue& value);
  // Throws when the method has no option of that name.
  [[nodiscard]] OptionValue get(const std::string& option) const;

 private:
  std::any own_;
};

// Inputs without solutions that trainings look at.
struct UnlabelledInputs {
  std::filesystem::path file;  // that an option names
  std::string needed_by;       // what cannot do without, e.g. "diversity outputs"; mostly nothing
};

// The mean of a prediction, as a linear map of its networks' outputs: the average over all networks, over the
// first `groups` groups of `channels` output columns each, and over dropout masks where there are some.
struct MeanRule {
  Index groups = 1;
  Index masks = 0;
  std::function<std::uint64_t(std::span<const float>)> mask_seed = {};  // of a normalised input
};

// Predicts for one grid and one number of threads; keeps its working memory, so that only the first call
// allocates. One caller at a time.
class MethodPredictor {
 public:
  virtual ~MethodPredictor() = default;
  // How many samples (heads, members, masks) a prediction consists of; 0 when the method has none.
  [[nodiscard]] virtual Index samples() const = 0;
  // inputs: [batch][points][input channels], normalised. mean, variance: [batch][points][channels].
  // samples: [batch][samples()][points][channels], or null. pooled: [batch][2 width], the hidden channels of
  // the (first) network's trunk as Network::write_pooled has them, or null.
  virtual void predict(const float* inputs, Index batch, double* mean, double* variance, float* samples,
                       double* pooled) = 0;
};

class Method {
 public:
  virtual ~Method() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;
  // `count` means different things; empty when the method has no such number.
  [[nodiscard]] virtual std::string_view count_means() const { return ""; }

  // Describes the options this method has, each bound to its place in the method's own struct: from here come
  // the command line, files, Python's keywords and the docs. Methods that share a name (count) must agree on
  // its range.
  virtual void describe(OptionTable& table, MethodOptions& options) const = 0;
  // What a reader should know of these options before a training of so many epochs: sentences, mostly none.
  [[nodiscard]] virtual std::vector<SettingsNote> notes(const MethodOptions& options,
                                                        const TrainerOptions& base) const;
  // For a training of other length: turns numbers of epochs by `scaled`.
  virtual void scale_epochs(MethodOptions& options, const std::function<Index(Index)>& scaled) const;
  [[nodiscard]] virtual UnlabelledInputs unlabelled(const MethodOptions& options) const;
  // The options that gave a surrogate its shape, for going on from it.
  virtual void recover(const Surrogate& surrogate, MethodOptions& options) const;

  // The losses its networks can be trained with; the first is taken without a word.
  [[nodiscard]] virtual std::vector<LossKind> losses() const;
  // Whether the networks give a variance while they are trained, by which the loss can be projected.
  [[nodiscard]] virtual bool has_variance_in_training() const { return false; }
  // Turns general settings into those of each network; base.loss says the kind alone. Throws on options the
  // method cannot work with.
  [[nodiscard]] virtual std::vector<TrainerOptions> trainings(const MethodOptions& options,
                                                              const TrainerOptions& base,
                                                              Index channels) const = 0;
  // Called with the networks' weights in place. Writes to surrogate.state.
  virtual void finish(const MethodOptions& options, const ScaledData& train, int threads,
                      Surrogate& surrogate) const;
  // Throws unless a valid surrogate of this method, perhaps from a file, has all that the predictor
  // relies on.
  virtual void check(const Surrogate& surrogate) const = 0;
  // For derivatives of the mean (uq/mean_derivative.h). All output columns, unless the method says otherwise.
  // The surrogate has passed the check.
  [[nodiscard]] virtual MeanRule mean_rule(const Surrogate& surrogate) const;
  // The surrogate has passed the check.
  [[nodiscard]] virtual std::unique_ptr<MethodPredictor> predictor(const Surrogate& surrogate,
                                                                   const Shape& grid, int threads) const = 0;
};

// The loss of a method by its label, or "auto" for its own; throws for one that the method does not have.
LossKind loss_of(const Method& method, std::string_view label);
// All labels, and "auto".
std::vector<std::string> loss_labels();

// Throws for an unknown name, and suggests the nearest.
const Method& find_method(std::string_view name);
std::vector<std::string> method_names();

// Throws unless a prediction can be made from the surrogate: valid, of a known method, and as that needs it.
void check(const Surrogate& surrogate);

// The seed of network k of several: that of the first is the seed itself.
std::uint64_t member_seed(std::uint64_t seed, Index k);

}  // namespace nouq

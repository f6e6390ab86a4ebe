// Settings of a training, each with what it does, when to change it and where it comes from.
//
// The network and the methods are those of the paper (Mouli, Maddix et al., "Using uncertainty quantification
// to characterize and improve out-of-domain learning for PDEs", ICML 2024) as far as the grid of the data
// allows; how they are trained (schedule, rate, epochs, batch, bound) is what docs/recipe.md found better in
// less time. What a method or a network architecture has besides stands in `options`: `nouq train
// --help`, docs/settings.md and nouq.train.__doc__ in Python list all of them, from the same description.
//
//   nouq::TrainSettings settings{.method = "diverse", .epochs = 500};
//   settings.options = {{"count", 10}, {"strength", 0.1}, {"width", 64}};
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/options.h>

namespace nouq {

class Model;

struct TrainSettings {
  // How uncertainty is made: "diverse" (many heads on a shared trunk, pushed apart), "ensemble" (networks
  // from different seeds), "dropout" (random masks), "bayesian" (a Gaussian over the last layer) or
  // "variance" (the network predicts it). The heads of diverse cost little more than one network and react
  // most to inputs unlike those of training; an ensemble costs as many trainings as it has members and is
  // what to compare with.
  std::string method = "diverse";

  // Share of the data kept back for validation: of these the best epoch is chosen, and trust, bands and the
  // strictness of the law are calibrated on them. Raise it when there are few samples and the trust flag or
  // the bands are left out: they need 4 and 9 validation samples. Without effect when validation data are
  // given.
  double validation_fraction = 0.2;

  // The network's architecture; its own settings (width, modes, ...) are options. "fno" is the Fourier
  // neural operator (Li et al., 2021) of the paper; "ffno" the factorised one (Tran et al., 2023), with
  // one spectral layer per axis and far fewer weights. "auto" takes fno on grids of one and two axes,
  // where it is as accurate in half the time, and ffno on three, where it has a fortieth of the weights and,
  // with up to a hundred runs, a third of the error; docs/networks.md compares them.
  std::string architecture = "auto";

  // Whether input and output channels are scaled to mean 0 and standard deviation 1. "auto" does so when the
  // mean of a channel is beyond 10, or its deviation beyond 10 or below 0.01, and when one output channel
  // varies more than twice as much as another: a network trains badly on such numbers, and a loss of all
  // channels is that of the largest. The paper does not scale; its fields are of size one.
  std::string normalise = "auto";

  // What the weights are to make small; "auto" takes the method's own. "relative_l2" is |u - y| / |y| over
  // the field, the released code's, and "relative_l2_squared" the paper's formula; "nll" the Gaussian
  // likelihood of variance. "crps" scores the whole predicted distribution, for variance in closed form and
  // for diverse over the heads: spread and error are then learnt together, and heads need no strength (set
  // it to 0). "fair_crps" is the score without the bias of few heads (Ferro, 2014); as a loss it leaves the
  // outermost heads free.
  std::string loss = "auto";

  // Whether the loss is that of the prediction projected onto the conservation law of the data: mean and
  // variance are moved as by the projection "diagonal" before they are scored, and the weights learn what
  // the law does not know already. For data with values of a law, and the methods diverse and variance.
  // Project the predictions of such a model, too: without, they miss the law.
  bool project_in_training = false;

  // Passes over the data. With the schedule one_cycle 160 are a third of the paper's 500, whose steps waste
  // most of them; 100 do where time matters more than the last half of the error. More help as long as the
  // validation loss still falls at the end. Time is proportional to it.
  std::int64_t epochs = 160;

  // Samples per step of the optimiser, 20 in the paper. 0 takes an eighth of the training samples, but at
  // least 5 and at most 20: with few samples smaller batches make more steps of an epoch and fit better.
  // Larger ones use more memory.
  std::int64_t batch = 0;

  // The learning rate at the beginning (for the schedule one_cycle: its peak). 3e-3 is for one_cycle; with
  // step the paper has 1e-3, from {1e-4, 1e-3, 1e-2}. Lower it when the loss grows or oscillates, or for
  // fine-tuning.
  double rate = 3e-3;

  // How the learning rate falls: "one_cycle" rises first and then falls to nearly zero along cosines, which
  // takes a third of the epochs of "step"; "step" halves it every tenth of the epochs (the paper's), "cosine"
  // goes down to zero along half a cosine, "constant".
  std::string schedule = "one_cycle";

  // Epochs after which the schedule "step" halves the rate; 0 takes a tenth of all epochs. The released
  // code has 50 for its 500.
  std::int64_t period = 0;

  // Of Adam, added to the gradient as in the paper: pulls weights towards zero. Raise it when the validation
  // loss is far above the training loss.
  double weight_decay = 1e-4;

  // Stop after so many epochs without a better validation loss; 0: never. The best epoch's weights are kept
  // either way, so this only saves time.
  std::int64_t patience = 0;

  // Of everything random: the split into training and validation samples, initial weights, the order of
  // samples, dropout masks. The same seed, settings and data give the same model, bit for bit, on any number
  // of threads.
  std::uint64_t seed = 0;

  // Threads for all networks together; 0 for all cores. The result does not depend on it.
  int threads = 0;

  // Share of the validation samples to be called in-domain by the trust flag; 0 for no trust flag. Not set:
  // 0.95 where there are 19 validation samples or more, the share n / (n + 1) that fewer can state down to 4,
  // else none.
  std::optional<double> trust_level = {};

  // Trust score beyond which an input is called out-of-domain; between 1 and this it is called doubtful.
  // Lower it where a wrong answer is expensive.
  double trust_far = 2.0;

  // Of the conformal bands: the share of fields (or points) that lie within them; 0 for no bands. Not set:
  // 0.9 where there are 9 validation samples or more, else none (Angelopoulos and Bates, 2023).
  std::optional<double> coverage = {};

  // Bands that cover each point with the given coverage, not whole fields: narrower, and a field may leave
  // them somewhere.
  bool pointwise = false;

  // Where fewer than 19 samples are held out: into how many folds the training samples are divided for short
  // trainings, each without one of them, so that sigma, trust and bands are calibrated on all samples. They
  // take at most a third of the training's own time. 0: none, calibrate on the validation samples alone.
  std::int64_t cross_folds = 3;

  // A model file to go on from (fine-tuning): its method, networks and normalisation are kept, and training
  // starts from its weights. Give a smaller rate and fewer epochs.
  std::string from = {};

  // Where checkpoints are kept while training, so that an interrupted training goes on when it is started
  // again with the same settings and data; none when empty. Files of other trainings in it are left alone.
  std::string folder = {};

  // Epochs between two checkpoints. Raise it when an epoch takes less time than writing the weights.
  std::int64_t checkpoint_period = 1;

  // Instruction sets (AVX-512, AVX2) add up in different orders, so a training goes on with the one that it
  // was begun with, and is refused where the processor does not have it. With this it goes on there all the
  // same, and ends with last digits that no processor makes alone.
  bool any_processor = false;

  // What the method and the architecture have besides, by name: count, strength, width, modes, ...
  Options options = {};

  // Learn a time step instead of whole solutions over t: 1 for one state from the one before, more for a
  // block of so many time points from the state before it; 0: no. Trajectories are cut into steps, and the
  // model is applied again and again for as long as is asked (nouq/rollout.h, `predict --steps`). Larger
  // blocks take fewer applications, and their errors add up less often.
  std::int64_t rollout = 0;

  // Inputs without solutions ([n, axes..., channels]) for a diversity of outputs, in memory instead of in the
  // file that the option "unlabelled" names.
  Array<float> unlabelled_inputs = {};

  // A model to go on from, in memory instead of in the file that `from` names.
  std::shared_ptr<const Model> from_model = {};
};

// A search over widths, rates and what the method has to choose.
struct SelectSettings {
  // What decides. "tolerance": the validation error, and of the diversity strengths the largest whose error
  // is within the tolerance of the best. "edge": a fifth of the training samples, those nearest to the ends
  // of the parameter range (with several parameters the outermost; without, those whose inputs are farthest
  // from the mean input), are kept from the trials, and whoever predicts them with the least CRPS wins:
  // strength, loss and sizing as well. The winner is then trained on all samples. It tells which settings
  // bear going beyond the data, without data from there.
  std::string rule = "tolerance";

  // Losses to try; none: that of the training settings.
  std::vector<std::string> losses = {};

  // Widths of the network to try, the paper's by default.
  std::vector<std::int64_t> widths = {32, 64};

  // Learning rates to try, the paper's by default.
  std::vector<double> rates = {1e-4, 1e-3, 1e-2};

  // Dropout probabilities to try, for the method dropout.
  std::vector<double> dropouts = {0.1, 0.25};

  // Diversity strengths (lambda) to try, for the method diverse. Of those within the tolerance of the best
  // validation error the largest is kept: by that error alone the least diverse network would always win, and
  // diversity is what pays out of domain.
  std::vector<double> strengths = {1e-2, 1e-1, 1, 10, 100};

  // How much worse than the best, as a share of its error, a stronger diversity may be.
  double tolerance = 0.1;
};

// One combination of a selection.
struct Trial {
  std::int64_t width = 0;
  double rate = 0;
  double dropout = 0;   // 0 for other methods
  double strength = 0;  // 0 for other methods
  // Of several output channels, each in units of its root mean square.
  double validation_mse = std::numeric_limits<double>::infinity();
  std::string error = {};  // why there is no surrogate (it diverged); empty when there is one
  std::string loss = {};   // empty: that of the training settings
  // By the rule "edge": the CRPS of the samples kept from the trials, and the sizing that gave it.
  double edge_crps = std::numeric_limits<double>::infinity();
  std::string sizing = {};
};

}  // namespace nouq

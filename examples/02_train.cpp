// Trains a surrogate on a data file, says how good it is, and saves it.
//
// Sample run:  ./02_train heat-runs.npz heat.nouq
//   network 1/1  epoch 4/40  loss 3.1e-01  validation 2.9e-01  3 s left
//   ...
//   relative error 2.1e-02, with the heat conserved 2.0e-02; 95 % of the samples called in domain
//
// 1. read the data and keep some for the test
// 2. say what to train: the method, its options, the network
// 3. train, with a line of progress now and then
// 4. evaluate on the test samples, as predicted and projected onto the law
// 5. save; example 03 asks the model
#include <cstdio>
#include <exception>
#include <iostream>
#include <utility>

#include <nouq/nouq.hpp>

int main(int count, char** arguments) try {
  if (count != 3 && count != 4) {
    std::fprintf(stderr, "usage: 02_train DATA MODEL [EPOCHS]\n");
    return 2;
  }
  // 1. A quarter for the test; train() splits off validation samples by itself.
  nouq::DataSplit parts = nouq::split(nouq::read(arguments[1]), {0.75, 0.0, 0.25}, 1);

  // 2. Eight heads on a shared trunk. nouq/settings.h explains every setting, `nouq train --help` every
  // option.
  nouq::TrainSettings settings{.method = "diverse", .epochs = 40, .batch = 5, .schedule = "one_cycle"};
  if (count == 4) settings.epochs = std::atoi(arguments[3]);
  settings.options = {{"count", 8}, {"width", 12}, {"modes", 8}};

  // 3. A function of your own instead of progress_to() can also stop the training (nouq/progress.h).
  const nouq::Model model = nouq::train(std::move(parts.train), settings, nouq::progress_to(std::cerr));

  // 4. How good is it where it has not been?
  const nouq::Evaluation plain = nouq::evaluate(model, parts.test);
  const nouq::Evaluation projected = nouq::evaluate(model, parts.test, {.project = "diagonal"});
  std::printf("relative error %.1e, with the heat conserved %.1e; %.0f %% of the samples called in domain\n",
              plain.metric("relative_l2"), projected.metric("relative_l2"), 100 * (1 - plain.flagged));

  // 5. One file with everything that a prediction needs.
  model.save(arguments[2]);
  return 0;
} catch (const nouq::Cancelled& stopped) {
  std::fprintf(stderr, "%s\n", stopped.what());
  return 130;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

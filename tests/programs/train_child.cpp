// A training that a test kills and starts again: train_child CHECKPOINT RESULT EPOCHS THREADS. Writes the
// weights at the end.
#include <cstdlib>

#include "core/file.h"
#include "support/small_training.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  using namespace nouq;
  const DataSet train = test::small_data(24, 1);
  const DataSet validation = test::small_data(8, 2);
  TrainerOptions options = test::small_options();
  options.network.dropout = 0.1;
  options.checkpoint = argv[1];
  options.epochs = std::atoll(argv[3]);
  options.threads = std::atoi(argv[4]);
  Trainer trainer(options, train, validation);
  trainer.train();
  const std::span<const std::byte> parts[] = {std::as_bytes(trainer.weights()),
                                              std::as_bytes(trainer.best_weights())};
  write_file_atomically(argv[2], parts);
  return 0;
}

// One network trained by several ranks has the weights of one process, to the bit: for every architecture
// that allows it, on one, two and three axes, with every loss and diversity, ranks without samples, threads;
// stopped and gone on with; and what the ranks send each other is what the formula says.
#include <cmath>
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/tensor_file.h"
#include "data/temporary_folder.h"
#include "nn/architecture.h"
#include "support/message.h"
#include "support/small_training.h"
#include "support/thread_ranks.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

DataSet fields_on(const Shape& grid, Index samples, std::uint64_t seed) {
  DataSet data;
  Shape shape = {samples};
  for (std::size_t j = 0; j < grid.size(); ++j) {
    data.grid.push_back({std::string(1, "xyz"[j]), "", test::cell_centres(grid[j])});
    shape.push_back(grid[j]);
  }
  shape.push_back(1);
  data.input_channels = {{"a", ""}};
  data.output_channels = {{"u", ""}};
  data.inputs = Array<float>(shape);
  data.outputs = Array<float>(shape);
  const Stream stream(seed, Purpose::tests);
  for (Index i = 0; i < data.inputs.size(); ++i) {
    const double a = stream.normal(static_cast<std::uint64_t>(i));
    data.inputs[i] = static_cast<float>(a);
    data.outputs[i] = static_cast<float>(1.5 + std::sin(a));
  }
  return data;
}

struct Case {
  std::string name;
  TrainerOptions options;
  Shape grid = {12, 7};
};

Case plain(const std::string& name) {
  Case c{name, test::small_options()};
  c.options.epochs = 2;
  return c;
}

Case on_grid(const std::string& name, const Shape& grid, std::vector<Index> modes) {
  Case c = plain(name);
  c.grid = grid;
  c.options.network.modes = std::move(modes);
  c.options.network.padding.assign(grid.size(), {1, std::nullopt});
  return c;
}

Case with_heads(const std::string& name, Index heads, LossKind loss) {
  Case c = plain(name);
  c.options.network.outputs = heads;
  c.options.network.head_bias = loss == LossKind::gaussian_nll;
  c.options.loss = {loss, 1, loss == LossKind::gaussian_nll ? 1 : heads};
  return c;
}

Case with_diversity(DiversityKind kind, DiversityReach reach) {
  Case c = with_heads(fmt::format("{}_{}", name(kind), name(reach)), 3, LossKind::relative_l2);
  c.options.diversity.kind = kind;
  c.options.diversity.through = reach;
  c.options.diversity.strength = 0.01;
  c.options.diversity.warmup = 0;
  return c;
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      plain("plain"), on_grid("one_axis", {20}, {5}), on_grid("three_axes", {6, 5, 4}, {2, 2, 2}),
      with_heads("variance", 2, LossKind::gaussian_nll), with_heads("heads", 3, LossKind::relative_l2)};
  Case one_block = plain("one_block");
  one_block.options.network.blocks = 1;
  all.push_back(one_block);
  Case dropout = plain("dropout");
  dropout.options.network.dropout = 0.25;
  all.push_back(dropout);
  Case few = plain("fewer_samples_than_ranks");
  few.options.batch = 2;
  all.push_back(few);
  for (const std::string& kind : diversity_names()) {
    for (const DiversityReach reach : {DiversityReach::heads, DiversityReach::trunk})
      all.push_back(with_diversity(diversity_from_name(kind), reach));
  }
  std::vector<Case> of_each;
  for (const std::string& architecture : architecture_names()) {
    if (!find_architecture(architecture).can_share_batches()) continue;
    for (Case c : all) {
      c.name = architecture + "_" + c.name;
      c.options.network = with_architecture(c.options.network, architecture);
      of_each.push_back(std::move(c));
    }
  }
  return of_each;
}

// Everything a checkpoint has but the times.
struct State {
  std::vector<float> weights, best;
  std::vector<double> history;
  friend bool operator==(const State& a, const State& b) {
    const auto same = [](const auto& x, const auto& y) {
      return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0;
    };
    return same(a.weights, b.weights) && same(a.best, b.best) && same(a.history, b.history);
  }
};

State state_in(const fs::path& checkpoint) {
  const TensorFile file(checkpoint);
  const auto copy = [](const auto& view) {
    return std::vector<std::remove_cv_t<std::remove_reference_t<decltype(view[0])>>>(view.begin(),
                                                                                     view.end());
  };
  return {copy(file.floats("weights")), copy(file.floats("best_weights")), copy(file.doubles("history"))};
}

std::vector<int> all_of(const Communicator& ranks) {
  std::vector<int> members;
  for (int rank = 0; rank < ranks.size(); ++rank) members.push_back(rank);
  return members;
}

class StopAfter final : public TrainObserver {
 public:
  explicit StopAfter(int steps) : left_(steps) {}
  bool should_stop() override { return --left_ < 0; }

 private:
  int left_;
};

class SharedTraining : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    options_ = GetParam().options;
    options_.unlabelled = &unlabelled_.inputs;
    options_.checkpoint = folder_ / "alone";
    Trainer alone(options_, train_, validation_);
    alone.train();
    expected_ = state_in(options_.checkpoint);
  }

  // Of every rank; those of the others have nothing to say about stopping.
  void train_over(int size, const fs::path& checkpoint, int threads = 1, int stop_after = 1 << 30) {
    const auto errors = test::run_ranks(size, [&](Communicator& ranks) {
      const auto group = ranks.group(all_of(ranks));
      TrainerOptions own = options_;
      own.checkpoint = checkpoint;
      own.group = group.get();
      own.threads = threads;
      Trainer trainer(own, train_, validation_);
      StopAfter observer(ranks.rank() == 0 ? stop_after : 1 << 30);
      trainer.train(&observer);
    });
    for (const std::string& error : errors) EXPECT_EQ(error, "");
  }

  test::TemporaryFolder folder_;
  DataSet train_ = fields_on(GetParam().grid, 11, 1), validation_ = fields_on(GetParam().grid, 9, 2),
          unlabelled_ = fields_on(GetParam().grid, 10, 3);
  TrainerOptions options_;
  State expected_;
};

TEST_P(SharedTraining, HasTheBitsOfOneProcess) {
  for (const auto& [ranks, threads] : {std::pair{2, 1}, std::pair{3, 2}, std::pair{4, 1}, std::pair{7, 2}}) {
    const fs::path checkpoint = folder_ / fmt::format("{}-{}", ranks, threads);
    train_over(ranks, checkpoint, threads);
    EXPECT_TRUE(state_in(checkpoint) == expected_) << ranks << " ranks, " << threads << " threads";
  }
}

TEST_P(SharedTraining, GoesOnWithOtherRanksToTheSameBits) {
  const fs::path checkpoint = folder_ / "stopped";
  const Index steps = (train_.size() + options_.batch - 1) / options_.batch;
  train_over(3, checkpoint, 1, static_cast<int>(steps) + 1);
  EXPECT_FALSE(state_in(checkpoint) == expected_);
  train_over(2, checkpoint);
  EXPECT_TRUE(state_in(checkpoint) == expected_);
}

INSTANTIATE_TEST_SUITE_P(Cases, SharedTraining, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

// The counts of docs/cluster.md.
class Formula {
 public:
  Formula(const TrainerOptions& options, int rank, int size)
      : o_(options.network), layout_(o_), rank_(rank), size_(size) {}

  [[nodiscard]] double step(Index batch) const {
    const auto dense = static_cast<double>(layout_.dense_size()), mine = part(layout_.dense_size());
    return forward(batch) + 4 * backward_modes(batch) + 4 * part(batch) * (dense - mine) +
           4 * mine * (size_ - 1);
  }
  // With the losses, and the word of rank 0 whether to go on.
  [[nodiscard]] double forward(Index batch) const {
    return 4 * forward_modes(batch) + 8 * part(batch) * (size_ - 1) + (rank_ == 0 ? size_ - 1 : 0);
  }

 private:
  [[nodiscard]] double part(Index count) const {
    return static_cast<double>(share_of(count, rank_, size_).size());
  }
  [[nodiscard]] double forward_modes(Index batch) const {
    if (o_.architecture != "fno") return 0;
    return to_owners(batch) * (lifted() + (blocks() - 1) * width()) + to_samples(batch) * blocks() * width();
  }
  [[nodiscard]] double backward_modes(Index batch) const {
    if (o_.architecture != "fno") return 0;
    const double lift = rank_ == 0 ? 0 : part(modes()) * lifted() * width();
    return to_owners(batch) * blocks() * width() + to_samples(batch) * (blocks() - 1) * width() + lift;
  }
  // Numbers per channel.
  [[nodiscard]] double to_owners(Index batch) const {
    return 2 * part(batch) * (static_cast<double>(modes()) - part(modes()));
  }
  [[nodiscard]] double to_samples(Index batch) const {
    return 2 * (static_cast<double>(batch) - part(batch)) * part(modes());
  }
  [[nodiscard]] Index modes() const { return layout_.tensor("blocks.0.spectral.weight").shape.front(); }
  [[nodiscard]] double width() const { return static_cast<double>(o_.width); }
  [[nodiscard]] double blocks() const { return static_cast<double>(o_.blocks); }
  [[nodiscard]] double lifted() const { return static_cast<double>(o_.lifted_channels()); }

  NetworkOptions o_;
  ParameterLayout layout_;
  int rank_, size_;
};

// Bytes that each rank has sent after so many epochs of one step and one validation.
std::vector<std::uint64_t> bytes_sent(TrainerOptions options, Index epochs, int size, const DataSet& train,
                                      const DataSet& validation) {
  options.epochs = epochs;
  std::vector<std::uint64_t> sent(size);
  test::run_ranks(size, [&](Communicator& ranks) {
    const auto group = ranks.group(all_of(ranks));
    TrainerOptions own = options;
    own.group = group.get();
    Trainer trainer(own, train, validation);
    trainer.train();
    sent[ranks.rank()] = group->bytes_sent();
  });
  return sent;
}

TEST(SharedTrainingBytes, AreThoseOfTheFormula) {
  const DataSet train = fields_on({12, 7}, 12, 1), validation = fields_on({12, 7}, 5, 2);
  for (const std::string architecture : {"fno", "ffno"}) {
    TrainerOptions options = test::small_options();
    options.network = with_architecture(options.network, architecture);
    options.batch = 12;
    for (const int size : {2, 3, 5}) {
      const auto before = bytes_sent(options, 2, size, train, validation);
      const auto after = bytes_sent(options, 3, size, train, validation);
      for (int rank = 0; rank < size; ++rank) {
        const Formula formula(options, rank, size);
        const double expected = formula.step(12) + formula.forward(5);
        EXPECT_NEAR(static_cast<double>(after[rank] - before[rank]), expected, 0.001 * expected)
            << architecture << ", rank " << rank << " of " << size;
      }
    }
  }
}

}  // namespace
}  // namespace nouq

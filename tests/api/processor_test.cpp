// A training that was interrupted goes on with the instruction set that it was begun with, or is refused.
#include <filesystem>

#include <gtest/gtest.h>
#include <nouq/nouq.hpp>
#include <unistd.h>

#include "api/shared_model.h"
#include "core/tensor_file.h"
#include "kernels/target.h"
#include "support/message.h"
#include "support/small_training.h"
#include "train/instruction_set.h"
#include "uq/train_settings.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

class ProcessorTest : public testing::Test {
 protected:
  void SetUp() override {
    if (supported_targets().size() < 2) GTEST_SKIP() << "this processor has one instruction set";
    folder_ = fs::temp_directory_path() / ("nouq_processor_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    force_target(best_);
    fs::remove_all(folder_);
  }

  [[nodiscard]] TrainSettings settings() const {
    TrainSettings s{.method = "ensemble", .epochs = 4, .batch = 7, .rate = 5e-3, .threads = 1};
    s.options = {{"count", 2}, {"width", 6}, {"modes", std::vector{4, 3}}, {"blocks", 2}};
    s.folder = folder_.string();
    return s;
  }
  // Of the first network, two epochs.
  void interrupt_with(Target target) const {
    force_target(target);
    Progress progress;
    progress.on_epoch = [](const EpochReport& e) { return e.epoch < 1; };
    EXPECT_THROW((void)train(data_, validation_, settings(), progress), Cancelled);
    force_target(best_);
  }
  [[nodiscard]] std::vector<float> uninterrupted(Target target) const {
    force_target(target);
    TrainSettings s = settings();
    s.folder.clear();
    const Model model = train(data_, validation_, s);
    force_target(best_);
    return weights(model);
  }
  static std::vector<float> weights(const Model& model) {
    std::vector<float> all;
    for (const auto& network : model.shared().surrogate().weights)
      all.insert(all.end(), network.begin(), network.end());
    return all;
  }
  // As another processor's would be.
  static void rename_instructions(const fs::path& checkpoint, const std::string& other) {
    TensorFileWriter anew;
    const TensorFile file(checkpoint);
    anew.metadata = file.metadata();
    anew.metadata.erase("checksum");
    anew.metadata["instruction_set"] = other;
    for (const std::string& name : file.names()) {
      if (name == "history" || name == "seconds")
        anew.add(name, file.doubles(name));
      else
        anew.add(name, file.floats(name));
    }
    anew.write(checkpoint);
  }
  [[nodiscard]] std::vector<fs::path> checkpoints() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() == ".training" || entry.path().extension() == ".previous")
        found.push_back(entry.path());
    }
    return found;
  }
  void rename_instructions(const std::string& other) const {
    for (const fs::path& one : checkpoints()) rename_instructions(one, other);
  }

  fs::path folder_;
  Target best_ = current_target();
  DataSet data_ = test::small_data(24, 1);
  DataSet validation_ = test::small_data(20, 2);
};

TEST_F(ProcessorTest, ATrainingGoesOnWithTheInstructionsItWasBegunWith) {
  interrupt_with(Target::portable);
  std::vector<std::string> notes;
  Progress progress;
  progress.on_note = [&](const SettingsNote& note) { notes.push_back(note.text); };
  const Model model = train(data_, validation_, settings(), progress);
  EXPECT_EQ(weights(model), uninterrupted(Target::portable));
  EXPECT_NE(weights(model), uninterrupted(best_)) << "the targets have the same bits: nothing is tested";
  EXPECT_EQ(current_target(), best_) << "it is back to the best afterwards";
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.front(), "goes on with portable instructions, which the interrupted run was begun with");
}

TEST_F(ProcessorTest, ItIsRefusedWhereTheProcessorHasNotTheseInstructions) {
  interrupt_with(best_);
  rename_instructions("SVE");
  const std::string message = test::message_of([&] { (void)train(data_, validation_, settings()); });
  EXPECT_NE(message.find("begun with SVE instructions"), std::string::npos) << message;
  EXPECT_NE(message.find("any_processor (--any-processor)"), std::string::npos) << message;
  TrainSettings any = settings();
  any.any_processor = true;
  EXPECT_EQ(weights(train(data_, validation_, any)), uninterrupted(best_));
}

TEST_F(ProcessorTest, OlderCheckpointsThatDoNotSayGoOn) {
  interrupt_with(best_);
  rename_instructions("");
  EXPECT_EQ(weights(train(data_, validation_, settings())), uninterrupted(best_));
}

TEST_F(ProcessorTest, CheckpointsThatDisagreeAreRefused) {
  interrupt_with(best_);
  const std::vector<fs::path> files = {checkpoints().front(), folder_ / "second.training"};
  fs::copy_file(files[0], files[1]);
  rename_instructions(files[1], "SVE");
  InstructionSetInUse instructions;
  const std::string message = test::message_of([&] { instructions.keep_to(files); });
  EXPECT_NE(message.find("no processor ends with these bits"), std::string::npos) << message;
}

TEST_F(ProcessorTest, ATrainerAloneRefusesAsWell) {
  interrupt_with(Target::portable);
  const FitOptions fit = resolve(settings(), data_);
  const FitPlan plan(fit, data_, validation_);
  const std::string message = test::message_of([&] {
    run_trainings(plan.trainings, plan.data.train(), plan.data.validation(), trainings_options(fit));
  });
  EXPECT_NE(message.find("begun with portable instructions"), std::string::npos) << message;
}

}  // namespace
}  // namespace nouq

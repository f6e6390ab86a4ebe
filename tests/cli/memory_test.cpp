// How much memory the tool takes for data that would fill most of it.
#include <filesystem>

#include "cli/tool_test.h"

namespace nouq {
namespace {

class Memory : public test::ToolTest {
 protected:
  // Beyond what the program and its network take, relative to the data.
  [[nodiscard]] double share(const std::string& file, const std::vector<std::string>& more) const {
    const long own = peak_of("few" + file, more), all = peak_of("many" + file, more);
    return static_cast<double>(all - own) /
           static_cast<double>(std::filesystem::file_size(tool / ("many" + file)));
  }

  void generate(const std::string& ending) const {
    for (const auto& [name, samples] : {std::pair{"few", "40"}, std::pair{"many", "4000"}})
      ASSERT_EQ(tool({"generate", "pme", "-n", samples, "-o", name + ending}).code, 0);
  }

 private:
  [[nodiscard]] long peak_of(const std::string& data, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"train",    data, "--method",  "variance", "--width", "2",
                                      "--blocks", "1",  "--modes",   "2",        "--batch", "2",
                                      "--epochs", "1",  "--threads", "1",        "-o",      "m.nouq"};
    words.insert(words.end(), more.begin(), more.end());
    const test::Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.peak;
  }
};

TEST_F(Memory, TrainingHoldsTheDataOnce) {
  generate(".npz");
  EXPECT_LT(share(".npz", {}), 1.3);
  EXPECT_LT(share(".npz", {"--normalise", "on"}), 1.3);
}

#if NOUQ_HAVE_HDF5
TEST_F(Memory, TrainingHoldsDataOfHdf5Once) {
  generate(".h5");
  EXPECT_LT(share(".h5", {}), 1.3);
}
#endif

}  // namespace
}  // namespace nouq

// Model files that no writer of ours can write: the header itself lies, with a checksum that is right.
#include <cstring>

#include <gtest/gtest.h>

#include "data/malformed.h"
#include "data/temporary_folder.h"
#include "model/refusal.h"
#include "model/tiny_surrogate.h"
#include "support/sealed.h"

namespace nouq {
namespace {

class LyingModel : public testing::Test {
 protected:
  void SetUp() override {
    save_model(test::tiny_surrogate("diverse"), path_);
    bytes_ = test::read_all(path_);
  }
  std::string after(const std::string& from, const std::string& to) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), 8);
    const std::string header = bytes_.substr(8, length);
    EXPECT_NE(header.find(from), std::string::npos) << header;
    test::write_all(path_, test::sealed_file(test::replaced(header, from, to), bytes_.substr(8 + length)));
    return test::refusal(path_);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "model.nouq";
  std::string bytes_;
};

TEST_F(LyingModel, OverlappingTensorsAreRefused) {
  const std::string start = R"("grid.1":{"data_offsets":[)";
  EXPECT_EQ(after(start + "32,56]", start + "24,48]"), "tensors overlap at byte 24");
  EXPECT_EQ(after(start + "32,56]", start + "0,24]"), "tensors overlap at byte 0");
}

TEST_F(LyingModel, TensorsBeyondTheFileAreRefused) {
  EXPECT_EQ(after("[32,56]", "[32000,32024]"), "tensor 'grid.1' ends at byte 32024 of 384");
  EXPECT_EQ(after("[32,56]", "[56,32]"), "tensor 'grid.1' has bad offsets");
}

TEST_F(LyingModel, BytesOfNoTensorAreRefused) {
  EXPECT_EQ(after(R"([32,56],"dtype":"F64","shape":[3])", R"([32,48],"dtype":"F64","shape":[2])"),
            "bytes 48 to 56 belong to no tensor");
}

TEST_F(LyingModel, ATensorTwiceIsRefused) {
  EXPECT_EQ(after("\"grid.1\":", "\"grid.0\":"), "header names 'grid.0' twice");
}

TEST_F(LyingModel, AbsurdHeadersAreRefused) {
  const auto with_length = [&](std::uint64_t length) {
    std::string file = bytes_;
    std::memcpy(file.data(), &length, 8);
    test::write_all(path_, test::sealed(file));
    return test::refusal(path_);
  };
  EXPECT_EQ(with_length(~std::uint64_t{0}),
            fmt::format("not a nouq model or checkpoint, or cut short (its header would have "
                        "18446744073709551615 bytes, the file has {})",
                        bytes_.size()));
  EXPECT_EQ(with_length(0), "no checksum: not a nouq file");
  EXPECT_EQ(after("\"grid.1\":{", "\"grid.1\":" + std::string(100000, '[') + "{"),
            "header is nested more than 8 levels deep");
}

TEST_F(LyingModel, FilesOfOthersAreRefused) {
  const auto about = [&](const std::string& bytes) {
    test::write_all(path_, bytes);
    return test::refusal(path_);
  };
  EXPECT_EQ(about(""), "0 bytes are too short for a tensor file");
  EXPECT_EQ(about("\x89HDF\r\n\x1a\n and more"),
            "not a nouq model or checkpoint, or cut short (its header would have 727905341903489161 bytes, "
            "the file has 17)");
  EXPECT_EQ(about(test::sealed_file(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abcd")),
            "no checksum: not a nouq file");
  std::filesystem::remove(path_);
  EXPECT_EQ(test::refusal(path_), "unnamed: cannot open " + path_.string() + ": No such file or directory");
}

}  // namespace
}  // namespace nouq

// A damaged model file is refused, wherever the damage is, with a message that names the file.
#include <fstream>

#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "model/refusal.h"
#include "model/tiny_surrogate.h"

namespace nouq {
namespace {

class ModelDamage : public testing::Test {
 protected:
  void SetUp() override {
    save_model(test::tiny_surrogate("bayesian"), path_);
    bytes_ = test::read_all(path_);
  }

  [[nodiscard]] std::string refusal() const { return test::refusal(path_); }
  static bool expected(const std::string& message) {
    return message == "damaged or cut short: its checksum does not match" ||
           message == "no checksum: not a nouq file" ||
           message.ends_with(" bytes are too short for a tensor file") ||
           message.starts_with("not a nouq model or checkpoint, or cut short (its header would have ");
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "model.nouq";
  std::string bytes_;
};

TEST_F(ModelDamage, EveryTruncationIsRefused) {
  ASSERT_EQ(refusal(), "accepted");
  for (std::size_t size = bytes_.size(); size-- > 0;) {
    std::filesystem::resize_file(path_, size);
    ASSERT_TRUE(expected(refusal())) << size << " of " << bytes_.size() << " bytes: " << refusal();
  }
}

TEST_F(ModelDamage, EveryByteTooManyIsRefused) {
  for (const char extra : {'\0', ' ', 'x'}) {
    test::write_all(path_, bytes_ + extra);
    EXPECT_EQ(refusal(), "damaged or cut short: its checksum does not match");
  }
}

TEST_F(ModelDamage, EveryFlippedByteIsRefused) {
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char value) {
    file.seekp(static_cast<std::streamoff>(at)).put(value).flush();
  };
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
      put(at, static_cast<char>(bytes_[at] ^ flip));
      ASSERT_TRUE(expected(refusal())) << "byte " << at << " flipped by " << flip << ": " << refusal();
    }
    put(at, bytes_[at]);
  }
  EXPECT_EQ(refusal(), "accepted");
}

}  // namespace
}  // namespace nouq

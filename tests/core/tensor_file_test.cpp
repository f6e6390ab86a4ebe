#include "core/tensor_file.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/checksum.h"
#include "support/sealed.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

TEST(Crc64, KnownValuesAndContinuation) {
  const std::string text = "123456789";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(crc64(bytes), 0x995dc9bbdf1939faULL);  // the check value of CRC-64/XZ
  EXPECT_EQ(crc64({}), 0U);
  EXPECT_EQ(crc64(bytes.subspan(4), crc64(bytes.first(4))), crc64(bytes));
  std::string longer(1000, 'a');
  const auto whole = std::as_bytes(std::span(longer));
  EXPECT_EQ(crc64(whole.subspan(13), crc64(whole.first(13))), crc64(whole));
}

class TensorFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("nouq_tensor_file_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    path_ = folder_ / "file";
    TensorFileWriter writer;
    writer.metadata = {{"kind", "test"}, {"note", "grün"}};
    writer.add("odd", std::as_const(floats_).view());
    writer.add("big", std::as_const(doubles_).view());
    writer.write(path_);
    const MappedFile file(path_);
    bytes_.assign(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string error_of(const std::string& bytes) const {
    write_file_atomically(folder_ / "bad", bytes);
    try {
      const TensorFile file(folder_ / "bad");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
  // A file with this header and as many data bytes, with the right checksum.
  static std::string with_header(const std::string& header, std::size_t data) {
    return test::sealed_file(header, std::string(data, '\0'));
  }

  fs::path folder_, path_;
  std::string bytes_;
  Array<float> floats_ = Array<float>({3}, std::vector<float>{1, 2, 3});
  Array<double> doubles_ = Array<double>({2, 2}, std::vector<double>{0.1, 0.2, 0.3, 0.4});
};

TEST_F(TensorFileTest, GivesBackWhatWasWritten) {
  const TensorFile file(path_);
  EXPECT_EQ(file.text("note"), "grün");
  EXPECT_EQ(file.names(), (std::vector<std::string>{"big", "odd"}));
  const auto odd = file.floats("odd");
  EXPECT_TRUE(std::equal(odd.begin(), odd.end(), floats_.begin()));
  EXPECT_EQ(file.doubles("big").shape(), (Shape{2, 2}));
  EXPECT_EQ(file.doubles("big")[3], 0.4);
  EXPECT_THROW((void)file.floats("big"), Error);
  EXPECT_THROW((void)file.floats("none"), Error);
  EXPECT_THROW((void)file.text("none"), Error);
}

TEST_F(TensorFileTest, TextThatIsNotUtf8IsReplacedRatherThanLostWithTheFile) {
  TensorFileWriter writer;
  writer.metadata = {{"note", "gr\xfcn"}};
  writer.write(path_);
  EXPECT_EQ(TensorFile(path_).text("note"), "gr\xef\xbf\xbdn");
}

TEST_F(TensorFileTest, MetadataIsShownBeforeTensorsAreLookedAt) {
  write_file_atomically(path_, with_header(R"({"__metadata__":{"crc64":"0000000000000000","version":"9"},)"
                                           R"("a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})",
                                           4));
  const auto check = [](const std::map<std::string, std::string>& metadata) {
    fail("version {}", metadata.at("version"));
  };
  try {
    const TensorFile file(path_, check);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "version 9");
  }
}

TEST_F(TensorFileTest, EveryTruncationIsRefused) {
  for (std::size_t n = 0; n < bytes_.size(); ++n) ASSERT_NE(error_of(bytes_.substr(0, n)), "accepted") << n;
  EXPECT_NE(error_of(bytes_ + '\0'), "accepted");
}

TEST_F(TensorFileTest, EveryFlippedBitIsRefused) {
  for (std::size_t n = 0; n < bytes_.size(); ++n) {
    for (const int bit : {0, 3, 7}) {
      std::string damaged = bytes_;
      damaged[n] = static_cast<char>(damaged[n] ^ (1 << bit));
      ASSERT_NE(error_of(damaged), "accepted") << "byte " << n << " bit " << bit;
    }
  }
}

TEST_F(TensorFileTest, HeadersThatLieAreRefused) {
  const std::string meta = R"({"__metadata__":{"crc64":"0000000000000000"})";
  const auto one = [&](const std::string& tensors, std::size_t data) {
    return error_of(with_header(meta + tensors + "}", data));
  };
  EXPECT_EQ(one(R"(,"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 8), "accepted");
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]})", 8).find("does not fill"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]})", 8).find("of type I64"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]})", 8).find("ends at byte"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", 8).find("negative"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]})", 8),
            "accepted");
  EXPECT_NE(
      one(R"(,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})",
          4)
          .find("overlap"),
      std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8).find("belong to no tensor"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 8).find("4 bytes of tensors"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":1,"a":2)", 0).find("twice"), std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]})", 8).find("bad offsets"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,8]})", 8)
                .find("tensor 'a': its shape is 1.5: expected a whole number"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]})", 8)
                .find("its shape is 2: expected a list of whole numbers"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"dtype":"F32","shape":[0],"data_offsets":[18446744073709551615,0]})", 8)
                .find("its place is 18446744073709551615: expected a whole number"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":{"shape":[2],"data_offsets":[0,8]})", 8).find("not what a tensor file holds"),
            std::string::npos);
  EXPECT_NE(one(R"(,"a":[[[[[[[[[[]]]]]]]]]])", 0).find("header is nested more than 8 levels deep"),
            std::string::npos);
  EXPECT_NE(error_of(with_header(R"(["crc64":"0000000000000000"])", 0)).find("header is not JSON"),
            std::string::npos);
  EXPECT_NE(error_of(with_header(R"([{"crc64":"0000000000000000"}])", 0)).find("without metadata"),
            std::string::npos);
  EXPECT_NE(error_of(with_header(R"({"__metadata__":{},"a":{"crc64":"0000000000000000"}})", 0))
                .find("no checksum: not a nouq file"),
            std::string::npos);
  EXPECT_NE(error_of(with_header(R"({"__metadata__":{}})", 0)).find("no checksum"), std::string::npos);
}

}  // namespace
}  // namespace nouq

#include "data/zip.h"

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/malformed.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

using test::bytes_of;
using test::Malformed;
using test::patched;

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members,
                   Compression compression = Compression::none, std::uint64_t zip64_from = 0xFFFFFFFFU) {
  ZipWriter writer(compression, zip64_from);
  for (const auto& [name, contents] : members) writer.add(name, {bytes_of(contents)});
  std::string file;
  for (const auto part : writer.finish())
    file.append(reinterpret_cast<const char*>(part.data()), part.size());
  return file;
}

std::string contents_of(const ZipReader& zip, const std::string& name) {
  const ZipContents contents = zip.read(*zip.find(name));
  return {reinterpret_cast<const char*>(contents.bytes().data()), contents.bytes().size()};
}

TEST(Zip, RoundTripsStoredDeflatedAndZip64) {
  const std::string large(100000, 'z');
  for (const auto compression : {Compression::none, Compression::deflate}) {
    for (const std::uint64_t zip64_from : {std::uint64_t{0xFFFFFFFFU}, std::uint64_t{0}}) {
      const std::string file = zip_of({{"a", "hello"}, {"empty", ""}, {"δ", large}}, compression, zip64_from);
      const ZipReader zip(bytes_of(file), "z");
      ASSERT_EQ(zip.members().size(), 3U);
      EXPECT_EQ(contents_of(zip, "a"), "hello");
      EXPECT_EQ(contents_of(zip, "empty"), "");
      EXPECT_EQ(contents_of(zip, "δ"), large);
      EXPECT_EQ(zip.find("b"), nullptr);
    }
  }
}

// Readers that go forward through a file use the local header alone.
TEST(Zip, WritesZip64SizesIntoTheLocalHeader) {
  const std::string contents(1000, 'x');
  const std::string file = zip_of({{"a", contents}}, Compression::deflate, 0);
  const std::size_t packed = ZipReader(bytes_of(file), "z").members()[0].packed_size;
  const std::string expected = {1, 0, 16, 0, '\xe8', 3, 0, 0, 0, 0, 0, 0, static_cast<char>(packed),
                                0, 0, 0,  0, 0,      0, 0};
  ASSERT_LT(packed, 128U);
  EXPECT_EQ(file.substr(18, 8), std::string(8, '\xff'));
  EXPECT_EQ(file.substr(30 + 1, 20), expected);
}

TEST(Zip, FindsTheDirectoryBeforeAComment) {
  std::string file = zip_of({{"a", "hello"}});
  file[file.size() - 2] = 5;
  file += "PK\x05\x06!";  // a comment that looks like an end record
  EXPECT_EQ(contents_of(ZipReader(bytes_of(file), "z"), "a"), "hello");
}

// Every prefix of a good file is refused: no length is believed before it is checked.
TEST(Zip, RefusesEveryTruncation) {
  for (const auto compression : {Compression::none, Compression::deflate}) {
    const std::string file = zip_of({{"a", "hello"}, {"b", std::string(300, 'x')}}, compression, 0);
    for (std::size_t length = 0; length < file.size(); ++length) {
      const std::string cut = file.substr(0, length);
      EXPECT_ERROR(ZipReader(bytes_of(cut), "z"), "z: ");
    }
  }
}

TEST(Zip, EverySingleBitFlipIsRefusedOrHarmless) {
  const std::string file = zip_of({{"a", "hello"}, {"b", "world"}}, Compression::deflate);
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1U << (bit % 8)));
    try {
      const ZipReader zip(bytes_of(flipped), "z");
      for (const ZipMember& member : zip.members()) {
        const std::string contents = contents_of(zip, member.name);
        EXPECT_TRUE(contents == "hello" || contents == "world");
      }
    } catch (const Error&) {
    }
  }
}

constexpr std::size_t name_length = 1;
constexpr std::size_t first_directory = 30 + name_length + 5;  // of zip_of({{"a", "hello"}})

std::vector<Malformed> malformed_zip() {
  const std::string good = zip_of({{"a", "hello"}});
  const std::string two = zip_of({{"a", "hello"}, {"b", "world"}});
  const std::string deflated = zip_of({{"a", std::string(1000, 'x')}}, Compression::deflate);
  const std::string zip64 = zip_of({{"a", "hello"}}, Compression::none, 0);
  const std::size_t entry = first_directory;
  const std::size_t end = good.size() - 22;
  const std::size_t deflated_entry = deflated.rfind("PK\x01\x02");
  const std::size_t second = two.rfind("PK\x01\x02");
  // The contents of 'a' look like a local header of 'b'; the directory is made to point there.
  const std::string nested = zip_of({{"a", two.substr(36, 36)}, {"b", "world"}});
  const std::string four_ones(4, '\xff');
  return {
      {"too_short", "PK", "not a ZIP (NPZ) file: 2 bytes are too few"},
      {"no_end_record", std::string(100, 'P'), "no end of a ZIP directory found"},
      {"directory_offset_beyond_file", patched(good, end + 16, std::string("\xff\xff\x00\x00", 4)),
       "ZIP directory needs bytes 65535 to"},
      {"directory_size_beyond_file", patched(good, end + 12, std::string("\xff\xff\x00\x00", 4)),
       "ZIP directory needs bytes"},
      {"directory_into_end_record", patched(good, end + 12, std::string("\x40\x00\x00\x00", 4)),
       "reaches into its end record"},
      {"too_many_entries",
       patched(patched(good, end + 8, std::string("\x10\x00", 2)), end + 10, std::string("\x10\x00", 2)),
       "cannot hold 16 entries"},
      {"several_disks", patched(good, end + 4, std::string("\x01\x00", 2)), "over several disks"},
      {"entry_signature", patched(good, entry, "XX"), "ZIP directory is malformed"},
      {"entry_name_beyond_directory", patched(good, entry + 28, std::string("\xff\x00", 2)),
       "reaches beyond the directory"},
      {"entry_extra_cut_short", patched(zip64, zip64.rfind("PK\x01\x02") + 49, std::string("\xff\xff", 2)),
       "extra field of ZIP member 'a' is cut short"},
      {"entry_zip64_field_missing",
       patched(zip64, zip64.rfind("PK\x01\x02") + 49, std::string("\x08\x00", 2)), "is cut short"},
      {"encrypted", patched(good, entry + 8, std::string("\x01\x08", 2)), "ZIP member 'a' is encrypted"},
      {"bzip2_method", patched(good, entry + 10, "\x0c"), "uses compression method 12"},
      {"wrong_crc", patched(good, entry + 16, "abcd"), "is damaged (its CRC-32 is"},
      {"contents_changed", patched(good, 31, "H"), "is damaged (its CRC-32 is"},
      {"stored_sizes_differ", patched(good, entry + 24, "\x06"),
       "stored ZIP member 'a' announces 6 bytes but holds 5"},
      {"bomb", patched(deflated, deflated_entry + 24, std::string("\x00\x00\x00\x7f", 4)),
       "more than deflate can yield"},
      {"inflates_to_more", patched(deflated, deflated_entry + 24, std::string("\xe7\x03", 2)),
       "does not inflate to the 999 bytes"},
      {"inflates_to_less", patched(deflated, deflated_entry + 24, std::string("\xe9\x03", 2)),
       "does not inflate to the 1001 bytes"},
      {"deflate_garbage", patched(deflated, 31, "\xff\xff"), "does not inflate to the 1000 bytes"},
      {"local_header_missing", patched(good, 0, "XX"), "ZIP member 'a' has no local header at byte 0"},
      {"local_header_beyond_file", patched(good, entry + 42, std::string("\xff\xff\x00\x00", 4)),
       "local header of ZIP member 'a' needs bytes 65535"},
      {"local_name_differs", patched(good, 30, "b"), "has another name in its local header"},
      {"member_into_directory", patched(patched(good, entry + 20, "\x20"), entry + 24, "\x20"),
       "reaches beyond the place of members"},
      {"member_name_twice", patched(patched(two, second + 46, "a"), 30 + 6 + 30, "a"),
       "ZIP member 'a' appears twice"},
      {"members_overlap", patched(nested, nested.rfind("PK\x01\x02") + 42, "\x1f"),
       "ZIP members 'a' and 'b' overlap"},
      {"zip64_locator_missing", patched(good, end + 16, four_ones), "ZIP64 locator is missing"},
      {"zip64_record_beyond_file", patched(zip64, zip64.size() - 22 - 12, std::string(8, '\x7f')),
       "ZIP64 end record needs bytes"},
      {"zip64_record_missing", patched(zip64, zip64.size() - 22 - 12, std::string(8, '\0')),
       "ZIP64 end record is missing at byte 0"},
  };
}

void read_everything(const std::string& file) {
  const ZipReader zip(bytes_of(file), "bad.npz");
  for (const ZipMember& member : zip.members()) static_cast<void>(zip.read(member));
}

class MalformedZip : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedZip, IsRefused) {
  EXPECT_ERROR(read_everything(GetParam().bytes), GetParam().message);
  EXPECT_ERROR(read_everything(GetParam().bytes), "bad.npz: ");
}
INSTANTIATE_TEST_SUITE_P(Files, MalformedZip, testing::ValuesIn(malformed_zip()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace nouq

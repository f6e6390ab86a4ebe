#include "data/npy.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/identical.h"
#include "data/malformed.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

using test::bytes_of;
using test::identical;
using test::Malformed;
using test::patched;

// An NPY file with the given dictionary; version 1.0.
std::string npy(const std::string& header, const std::string& values) {
  const auto length = static_cast<unsigned>(header.size());
  std::string file("\x93NUMPY\x01\x00", 8);
  file += {static_cast<char>(length & 0xFFU), static_cast<char>(length >> 8U)};
  return file.append(header).append(values);
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& order = "False") {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", type, order, shape);
}

std::string raw(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return text;
}

TEST(Npy, RoundTripIsBitIdentical) {
  const test::TemporaryFolder folder;
  const Array<float> floats = test::awkward_floats({3, 4, 5}, 1);
  save_npy(folder / "f.npy", floats);
  EXPECT_TRUE(identical(load_npy<float>(folder / "f.npy"), floats));
  const Array<double> doubles = test::doubles({7}, 1);
  save_npy(folder / "d.npy", doubles);
  EXPECT_TRUE(identical(load_npy<double>(folder / "d.npy"), doubles));
  const Array<std::string> text({2, 2}, std::vector<std::string>{"u", "", "ΔT", "𝛼 m/s²"});
  save_npy(folder / "t.npy", text);
  EXPECT_EQ(load_npy<std::string>(folder / "t.npy"), text);
  save_npy(folder / "s.npy", Array<double>({}, 2.5));
  EXPECT_EQ(load_npy<double>(folder / "s.npy"), Array<double>({}, 2.5));
}

TEST(Npy, AlignsTheValuesAsNumpyDoes) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{100, 20}, Shape{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) {
    const std::string header = npy_header(Array<float>(shape));
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.back(), '\n');
  }
}

TEST(Npy, ReadsFortranOrderAsTheSameArray) {
  // The array [[1, 2, 3], [4, 5, 6]], first index fastest.
  const std::string file = npy(dictionary("|i1", "(2, 3)", "True"), raw({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(read_npy<double>(bytes_of(file), "f"), Array<double>({2, 3}, {1, 2, 3, 4, 5, 6}));
  const std::string cube = npy(dictionary("|i1", "(2, 2, 2)", "True"), raw({0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(read_npy<double>(bytes_of(cube), "f"), Array<double>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Npy, ReadsBigEndianAndIntegers) {
  EXPECT_EQ(read_npy<float>(bytes_of(npy(dictionary(">f4", "(1,)"), raw({0x3f, 0x80, 0, 0}))), "f")[0], 1.0F);
  EXPECT_EQ(read_npy<double>(bytes_of(npy(dictionary(">i2", "(1,)"), raw({0xff, 0xfe}))), "f")[0], -2.0);
  EXPECT_EQ(read_npy<double>(bytes_of(npy(dictionary("<u2", "(1,)"), raw({0xfe, 0xff}))), "f")[0], 65534.0);
  EXPECT_EQ(read_npy<double>(bytes_of(npy(dictionary("<i8", "(1,)"), std::string(8, '\xff'))), "f")[0], -1.0);
  EXPECT_EQ(read_npy<double>(bytes_of(npy(dictionary("|b1", "(2,)"), raw({0, 1}))), "f")[1], 1.0);
  EXPECT_EQ(read_npy<std::string>(bytes_of(npy(dictionary(">U1", "(1,)"), raw({0, 0, 0x03, 0x94}))), "f")[0],
            "Δ");
}

TEST(Npy, ReportsThatFloat64WasRounded) {
  LoadReport report;
  const std::string file = npy(dictionary("<f8", "(2,)"),
                               raw({0, 0, 0, 0, 0, 0, 0xf0, 0x3f}) + raw({0, 0, 0, 0, 0, 0, 0xf0, 0x7e}));
  const Array<float> values = read_npy<float>(bytes_of(file), "a.npy", &report);
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], std::numeric_limits<float>::infinity())
      << "beyond float32: left for validate to refuse";
  ASSERT_EQ(report.notices.size(), 1U);
  EXPECT_EQ(report.notices[0], "a.npy: float64 values were rounded to float32");
  read_npy<double>(bytes_of(file), "a.npy", &report);
  EXPECT_EQ(report.notices.size(), 1U) << "nothing is rounded when double is wanted";
}

TEST(Npy, AcceptsVersions2And3AndOtherSpellings) {
  for (const char version : {'\x02', '\x03'}) {
    const std::string text = "{ \"shape\": (1,2) , 'fortran_order':False,\"descr\": \"<f4\" }  ";
    const std::string file = std::string("\x93NUMPY") + version + std::string(1, '\0') +
                             static_cast<char>(text.size()) + std::string(3, '\0') + text +
                             std::string(8, '\0');
    EXPECT_EQ(read_npy<float>(bytes_of(file), "f").shape(), (Shape{1, 2}));
  }
}

std::vector<Malformed> malformed_npy() {
  const std::string good = npy(dictionary("<f4", "(2, 3)"), std::string(24, '\0'));
  return {
      {"empty", "", "not an NPY file"},
      {"wrong_magic", patched(good, 0, "\x92"), "not an NPY file"},
      {"magic_only", good.substr(0, 8), "of 8 bytes ends inside its header"},
      {"version_2_cut_in_length", patched(good.substr(0, 10), 6, "\x02"),
       "of 10 bytes ends inside its header"},
      {"version_9", patched(good, 6, "\x09"), "NPY version 9.0 is not known"},
      {"version_1_1", patched(good, 7, "\x01"), "NPY version 1.1 is not known"},
      {"header_beyond_file", patched(good, 8, "\xff\xff"), "NPY header of 65535 bytes reaches beyond"},
      {"version_2_header_of_4_GiB", patched(patched(good, 6, "\x02"), 8, "\xff\xff\xff\xff"),
       "NPY header of 4294967295 bytes"},
      {"values_cut_short", good.substr(0, good.size() - 4),
       "shape [2, 3] needs 24 bytes of values, but 20 are there"},
      {"bytes_after_values", good + "x", "needs 24 bytes of values, but 25 are there"},
      {"shape_beyond_file", npy(dictionary("<f4", "(1099511627776,)"), "abcd"),
       "needs 4398046511104 bytes of values, but 4"},
      {"shape_overflows", npy(dictionary("<f4", "(4611686018427387904, 4)"), ""),
       "more bytes than can be counted"},
      {"shape_overflows_to_zero", npy(dictionary("<f8", "(4294967296, 536870912)"), ""),
       "more bytes than can be counted"},
      {"extent_too_large", npy(dictionary("<f4", "(99999999999999999999,)"), ""),
       "an extent too large to count"},
      {"extent_negative", npy(dictionary("<f4", "(-1,)"), ""), "the negative extent -1"},
      {"extent_not_a_number", npy(dictionary("<f4", "(x,)"), ""), "expected an integer"},
      {"shape_without_parenthesis", npy(dictionary("<f4", "2"), ""), "expected '('"},
      {"shape_unclosed", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, ", ""),
       "expected an integer"},
      {"axes_33",
       npy(dictionary("<f4", fmt::format("({})", fmt::join(std::vector<int>(33, 1), ","))), "abcd"),
       "shape has 33 axes, at most 32"},
      {"object_dtype", npy(dictionary("|O", "(1,)"), "\x80\x04K\x01."),
       "holds Python objects (pickle), which are never loaded"},
      {"structured_dtype", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd"),
       "structured dtypes are not supported"},
      {"complex_dtype", npy(dictionary("<c8", "(1,)"), "abcdefgh"), "dtype '<c8' is not supported"},
      {"half_dtype", npy(dictionary("<f2", "(1,)"), "ab"), "dtype '<f2' is not supported"},
      {"datetime_dtype", npy(dictionary("<M8[ns]", "(1,)"), "abcdefgh"), "dtype '<M8[ns]' is not understood"},
      {"byte_order_unknown", npy(dictionary("!f4", "(1,)"), "abcd"), "dtype '!f4' is not understood"},
      {"dtype_size_huge", npy(dictionary("<f99999999999", "(1,)"), "abcd"), "is not understood"},
      {"text_of_no_width", npy(dictionary("<U0", "(1000000000000,)"), ""), "dtype '<U0' is not supported"},
      {"text_for_numbers", npy(dictionary("<U1", "(1,)"), "abcd"), "array holds text, expected numbers"},
      {"shape_missing", npy("{'descr': '<f4', 'fortran_order': False, }", ""),
       "lacks one of 'descr', 'fortran_order', 'shape'"},
      {"key_twice", npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (), }", "abcd"),
       "has the key 'descr' twice"},
      {"key_unknown", npy("{'descr': '<f4', 'color': 'red', }", ""), "the unknown key 'color'"},
      {"key_unquoted", npy("{descr: '<f4'}", ""), "expected a key in quotes"},
      {"quote_open", npy("{'descr", ""), "a key has no closing quote"},
      {"order_unknown", npy(dictionary("<f4", "()", "Maybe"), "abcd"), "expected True or False"},
      {"not_a_dictionary", npy("__import__('os')", ""), "expected '{'"},
      {"dictionary_open", npy("{'descr': '<f4'", ""), "expected '}'"},
      {"text_after_dictionary", npy(dictionary("<f4", "()") + "import os", "abcd"),
       "goes on after its dictionary"},
  };
}

class MalformedNpy : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedNpy, IsRefused) {
  const Malformed& file = GetParam();
  EXPECT_ERROR(read_npy<float>(bytes_of(file.bytes), "bad.npy"), file.message);
  EXPECT_ERROR(read_npy<float>(bytes_of(file.bytes), "bad.npy"), "bad.npy: ");
}
INSTANTIATE_TEST_SUITE_P(Files, MalformedNpy, testing::ValuesIn(malformed_npy()),
                         testing::PrintToStringParamName());

TEST(Npy, RefusesTextThatIsNotUnicode) {
  const std::string file = npy(dictionary("<U1", "(1,)"), std::string("\x00\xd8\x00\x00", 4));
  EXPECT_ERROR(read_npy<std::string>(bytes_of(file), "f"), "0xd800, which is not a Unicode character");
  const std::string numbers = npy(dictionary("<f4", "(1,)"), "abcd");
  EXPECT_ERROR(read_npy<std::string>(bytes_of(numbers), "f"), "array holds numbers, expected text");
}

// A width that no byte vouches for must not be allocated (it would be 4 GB here).
TEST(Npy, ReadsAnEmptyTextArrayOfAnyWidth) {
  EXPECT_TRUE(read_npy<std::string>(bytes_of(npy(dictionary("<U999999999", "(0,)"), "")), "f").empty());
}

}  // namespace
}  // namespace nouq

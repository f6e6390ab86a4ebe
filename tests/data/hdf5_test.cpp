#if NOUQ_HAVE_HDF5
#include "data/hdf5.h"

#include <cmath>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/hdf5_file.h"
#include "data/hdf5_lzf.h"
#include "data/identical.h"
#include "data/load.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"
#include "support/failing_disk.h"

namespace nouq {
namespace {

using hdf5::Handle;
using test::Hdf5File;
using test::sample_data;

void add_minimal(Hdf5File& file) {
  file.add("inputs", Array<float>({2, 3, 1}, 1.0F)).add("outputs", Array<float>({2, 3, 1}, 2.0F));
}

TEST(Hdf5Layout, NeedsOnlyInputsAndOutputs) {
  const test::TemporaryFolder folder;
  {
    Hdf5File file(folder / "a.h5");
    add_minimal(file);
    file.texts("inputs", "names", {"k"}).texts("outputs", "names", {"u"}).texts("outputs", "units", {"K"});
  }
  LoadReport report;
  const DataSet data = load_data_set(folder / "a.h5", &report);
  EXPECT_EQ(data.input_channels[0], (Channel{"k", ""}));
  EXPECT_EQ(data.output_channels[0], (Channel{"u", "K"}));
  ASSERT_EQ(report.notices.size(), 1U);
  EXPECT_NE(report.notices[0].find("axis 'axis 0' has no coordinates"), std::string::npos);
}

TEST(Hdf5Layout, ConvertsFloat64AndBigEndianAndSaysSo) {
  const test::TemporaryFolder folder;
  {
    Hdf5File file(folder / "a.h5");
    file.add("inputs", Array<float>({2, 3, 1}, 0.5F), H5T_IEEE_F64BE)
        .add("outputs", Array<float>({2, 3, 1}, 2.0F), H5T_IEEE_F32BE);
  }
  LoadReport report;
  const DataSet data = load_data_set(folder / "a.h5", &report);
  EXPECT_EQ(data.inputs[5], 0.5F);
  EXPECT_EQ(data.outputs[5], 2.0F);
  EXPECT_NE(report.notices.at(0).find("array 'inputs': float64 values were rounded to float32"),
            std::string::npos);
}

TEST(Hdf5Layout, ReadsCompressedArrays) {
  const test::TemporaryFolder folder;
  const Array<float> values = test::awkward_floats({2, 30, 1}, 1);
  {
    const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::array<hsize_t, 3> chunk = {1, 16, 1};
    H5Pset_chunk(list.get(), 3, chunk.data());
    H5Pset_shuffle(list.get());
    H5Pset_deflate(list.get(), 6);
    H5Pset_fletcher32(list.get());
    Hdf5File file(folder / "a.h5");
    file.add("inputs", values, H5T_IEEE_F32LE, list.get()).add("outputs", values, H5T_IEEE_F32LE, list.get());
  }
  EXPECT_TRUE(test::identical(load_data_set(folder / "a.h5").inputs, values));
}

TEST(Hdf5Layout, ManyThreadsMayLoadAtOnce) {
  const test::TemporaryFolder folder;
  save_data_set(folder / "a.h5", sample_data());
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k)
        good += test::identical(load_data_set(folder / "a.h5"), sample_data()) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 20);
}

TEST(Hdf5Layout, LeavesPrintingAndPluginsAsTheyWere) {
  const test::TemporaryFolder folder;
  test::write_all(folder / "bad.h5", "\x89HDF\r\n\x1a\nrubbish");
  H5E_auto2_t before = nullptr;
  H5E_auto2_t after = nullptr;
  void* data = nullptr;
  unsigned plugins_before = 0;
  unsigned plugins_after = 1;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  H5PLget_loading_state(&plugins_before);
  testing::internal::CaptureStderr();
  EXPECT_ERROR(load_data_set(folder / "bad.h5"), "cannot be opened as HDF5 (HDF5: ");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "libhdf5 must not print";
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  H5PLget_loading_state(&plugins_after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(plugins_before, plugins_after);
}

TEST(Lzf, DecodesLiteralsAndBackReferences) {
  // Three literals, then 6 bytes from 3 back, then a long reference of 9 + 4 bytes from 1 back.
  const std::vector<unsigned char> packed = {2, 'a', 'b', 'c', 0x80, 2, 0xe0, 4, 0};
  ASSERT_EQ(hdf5::lzf_size(packed), 3U + 6U + 13U);
  std::string text(22, '?');
  hdf5::lzf_decode(packed, std::span(reinterpret_cast<unsigned char*>(text.data()), text.size()));
  EXPECT_EQ(text, "abcabcabc" + std::string(13, 'c'));
}

TEST(Lzf, RefusesWhatIsCutShortOrPointsBeforeTheBeginning) {
  using Bytes = std::vector<unsigned char>;
  EXPECT_FALSE(hdf5::lzf_size(Bytes{2, 'a', 'b'}));
  EXPECT_FALSE(hdf5::lzf_size(Bytes{0, 'a', 0x20}));
  EXPECT_FALSE(hdf5::lzf_size(Bytes{0, 'a', 0xe0}));
  EXPECT_FALSE(hdf5::lzf_size(Bytes{0, 'a', 0xe0, 1}));
  EXPECT_FALSE(hdf5::lzf_size(Bytes{0, 'a', 0x20, 1})) << "two back, but only one byte is there";
  EXPECT_TRUE(hdf5::lzf_size(Bytes{0, 'a', 0x20, 0}));
}

struct BadFile {
  std::string name;
  std::function<void(Hdf5File&)> fill;
  std::string message;
  friend std::ostream& operator<<(std::ostream& out, const BadFile& file) { return out << file.name; }
};

Handle chunked(std::vector<hsize_t> chunk) {
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
  return list;
}

void add_with_filter(Hdf5File& file, H5Z_filter_t filter) {
  const Handle list = chunked({2, 3, 1});
  H5Pset_filter(list.get(), filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
  file.add("inputs", Array<float>({2, 3, 1}), H5T_IEEE_F32LE, list.get());
}

std::vector<BadFile> bad_own_layouts() {
  const Array<float> field({2, 3, 1}, 1.0F);
  return {
      {"nothing_inside", [](Hdf5File&) {}, "has neither 'inputs' and 'outputs' nor a layout of PDEBench"},
      {"outputs_missing", [=](Hdf5File& f) { f.add("inputs", field); }, "array 'outputs' is missing"},
      {"inputs_is_a_group", [=](Hdf5File& f) { f.add("inputs/x", field); }, "'inputs' is not an array"},
      {"inputs_soft_link",
       [=](Hdf5File& f) {
         f.add("a", field);
         H5Lcreate_soft("/a", f.id(), "inputs", f.links(), H5P_DEFAULT);
       },
       "'inputs' is a soft or external link"},
      {"inputs_external_link",
       [](Hdf5File& f) { H5Lcreate_external("b.h5", "/a", f.id(), "inputs", f.links(), H5P_DEFAULT); },
       "'inputs' is a soft or external link"},
      {"constraint_external_link",
       [](Hdf5File& f) {
         add_minimal(f);
         H5Lcreate_external("b.h5", "/a", f.id(), "constraints/mass", f.links(), H5P_DEFAULT);
       },
       "'constraints/mass' is a soft or external link"},
      {"external_storage",
       [](Hdf5File& f) {
         const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
         H5Pset_external(list.get(), "/etc/passwd", 0, 24);
         f.declare("inputs", H5T_IEEE_F32LE, {2, 3, 1}, list.get());
       },
       "array 'inputs' keeps its values in another file"},
      {"virtual_storage",
       [](Hdf5File& f) {
         const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
         const std::array<hsize_t, 3> shape = {2, 3, 1};
         const Handle space(H5Screate_simple(3, shape.data(), nullptr), H5Sclose);
         H5Pset_virtual(list.get(), space.get(), "b.h5", "a", space.get());
         f.declare("inputs", H5T_IEEE_F32LE, {2, 3, 1}, list.get());
       },
       "array 'inputs' is virtual"},
      {"filter_not_ours", [](Hdf5File& f) { add_with_filter(f, H5Z_FILTER_NBIT); },
       "array 'inputs' uses HDF5 filter 5"},
      {"filter_of_a_plugin", [](Hdf5File& f) { add_with_filter(f, 32015); },
       "array 'inputs' uses HDF5 filter 32015"},
      {"compressed_twice",
       [=](Hdf5File& f) {
         const Handle list = chunked({2, 3, 1});
         H5Pset_deflate(list.get(), 6);
         H5Pset_deflate(list.get(), 6);
         f.add("inputs", field, H5T_IEEE_F32LE, list.get());
       },
       "array 'inputs' is compressed twice"},
      {"declared_but_not_written",
       [](Hdf5File& f) {
         f.declare("inputs", H5T_IEEE_F32LE, {1000000, 1000000, 1});
       },
       "array 'inputs' declares 4000000000000 bytes of values, but only 0 are stored"},
      {"more_than_can_be_counted",
       [](Hdf5File& f) {
         f.declare("inputs", H5T_IEEE_F32LE, {1ULL << 32U, 1ULL << 29U, 4}, chunked({1, 1, 1}).get());
       },
       "more bytes than can be counted"},
      {"bomb",
       [](Hdf5File& f) {
         const Handle list = chunked({1, 1024, 1});
         H5Pset_deflate(list.get(), 9);
         const auto d = f.declare("inputs", H5T_IEEE_F32LE, {1000000, 1024, 1}, list.get());
         const std::vector<float> row(1024);
         const std::array<hsize_t, 3> start = {0, 0, 0};
         const std::array<hsize_t, 3> count = {1, 1024, 1};
         const Handle space(H5Dget_space(d.get()), H5Sclose);
         H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
         const Handle memory(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
         H5Dwrite(d.get(), H5T_NATIVE_FLOAT, memory.get(), space.get(), H5P_DEFAULT, row.data());
       },
       "array 'inputs' declares 4096000000 bytes of values, but only"},
      {"text_for_numbers",
       [](Hdf5File& f) {
         f.declare("inputs", H5T_C_S1, {2, 3, 1});
       },
       "neither float32, float64 nor an integer"},
      {"long_double",
       [](Hdf5File& f) {
         f.declare("inputs", H5T_NATIVE_LDOUBLE, {2, 3, 1});
       },
       "neither float32, float64 nor an integer"},
      {"compound",
       [](Hdf5File& f) {
         const Handle type(H5Tcreate(H5T_COMPOUND, 4), H5Tclose);
         H5Tinsert(type.get(), "r", 0, H5T_IEEE_F32LE);
         f.declare("inputs", type.get(), {2, 3, 1});
       },
       "neither float32, float64 nor an integer"},
      {"no_dataspace",
       [](Hdf5File& f) {
         const Handle space(H5Screate(H5S_NULL), H5Sclose);
         Handle(
             H5Dcreate2(f.id(), "inputs", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             H5Dclose);
       },
       "array 'inputs' is empty"},
      {"no_samples",
       [](Hdf5File& f) {
         f.add("inputs", Array<float>({0, 3, 1}));
       },
       "array 'inputs' has shape [0, 3, 1]"},
      {"one_array_under_many_names",
       [](Hdf5File& f) {
         add_minimal(f);
         f.add("constraints/c0", Array<float>({2, 1000}, 1.0F));
         for (int i = 1; i < 20; ++i)
           H5Lcreate_hard(f.id(), "constraints/c0", f.id(), ("constraints/c" + std::to_string(i)).c_str(),
                          f.links(), H5P_DEFAULT);
       },
       "and the arrays before it claim"},
      {"format_of_others",
       [](Hdf5File& f) {
         add_minimal(f);
         f.texts("/", "format", {"theirs"});
       },
       "format is 'theirs', expected 'nouq-data'"},
      {"version_3",
       [](Hdf5File& f) {
         add_minimal(f);
         f.texts("/", "format", {"nouq-data"}).number("/", "version", 3);
       },
       "version 3 of the layout is not known"},
      {"names_too_many",
       [](Hdf5File& f) {
         add_minimal(f);
         f.texts("inputs", "names", {"a", "b"});
       },
       "array 'inputs': attribute 'names' has 2 entries, expected 1"},
      {"names_not_text",
       [](Hdf5File& f) {
         add_minimal(f);
         f.number("inputs", "names", 1);
       },
       "attribute 'names' of 'inputs' is not text"},
      {"names_not_utf8",
       [](Hdf5File& f) {
         add_minimal(f);
         f.texts("inputs", "names", {"\xff"});
       },
       "attribute 'names' of 'inputs': text is not UTF-8"},
      {"names_by_the_thousand",
       [](Hdf5File& f) {
         add_minimal(f);
         f.texts("inputs", "names", std::vector<const char*>(1025, "a"));
       },
       "has 1025 texts, at most 1024 are read"},
      {"periodic_not_a_number",
       [](Hdf5File& f) {
         add_minimal(f);
         f.add("axis0", Array<float>({3}, {0, 1, 2})).texts("axis0", "periodic", {"yes"});
       },
       "attribute 'periodic' of 'axis0' is not one number"},
      {"constraints_is_an_array",
       [=](Hdf5File& f) {
         add_minimal(f);
         f.add("constraints", field);
       },
       "'constraints' is not a group"},
      {"nan_in_inputs",
       [](Hdf5File& f) {
         f.add("inputs", Array<float>({2, 3, 1}, {1, 2, 3, 4, 5, std::nanf("")}))
             .add("outputs", Array<float>({2, 3, 1}));
       },
       "array 'inputs' is not finite in sample 1: value nan at element 2"},
  };
}

class MalformedHdf5 : public testing::TestWithParam<BadFile> {};
TEST_P(MalformedHdf5, IsRefused) {
  const test::TemporaryFolder folder;
  {
    const hdf5::Session session;
    Hdf5File file(folder / "bad.h5");
    GetParam().fill(file);
  }
  EXPECT_ERROR(load_data_set(folder / "bad.h5"), GetParam().message);
  EXPECT_ERROR(load_data_set(folder / "bad.h5"), "bad.h5: ");
}
INSTANTIATE_TEST_SUITE_P(Files, MalformedHdf5, testing::ValuesIn(bad_own_layouts()),
                         testing::PrintToStringParamName());

TEST(Hdf5Layout, ADiskThatFillsUpLeavesTheOldFile) {
  const test::TemporaryFolder folder;
  save_data_set(folder / "a.h5", sample_data(1));
  const std::string old = test::read_all(folder / "a.h5");
  for (const rlim_t room : {0UL, 500UL, 3000UL, old.size() - 1}) {
    const test::FullDisk full(room);
    EXPECT_ERROR(save_data_set(folder / "a.h5", sample_data(2)), "a.h5");
  }
  EXPECT_TRUE(test::read_all(folder / "a.h5") == old);
}

TEST(Hdf5Layout, RefusesEveryTruncation) {
  const test::TemporaryFolder folder;
  save_data_set(folder / "a.h5", sample_data(1));
  const std::string file = test::read_all(folder / "a.h5");
  for (std::size_t length = 8; length < file.size(); length += 61) {
    const std::string cut = file.substr(0, length);
    EXPECT_ERROR(read_hdf5(test::bytes_of(cut), "cut"), "cut: ") << length;
  }
}

}  // namespace
}  // namespace nouq
#endif

// Laws, bounds and kinds of axes: part of a data set, kept by both formats, refused by name when wrong.
#include "data/laws.h"

#include <limits>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/identical.h"
#include "data/layout.h"
#include "data/load.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// On cells along x, with an energy over x and t besides the mass, and bounded from below.
DataSet physical_data() {
  DataSet data = test::sample_data();
  data.grid[0].kind = AxisKind::cells;
  data.constraint_values["energy"] = test::doubles({6, 1}, 9);
  data.laws["energy"] = {{"x", "t"}, 0};
  data.bounds = {{-1.5, infinite}};
  return data;
}

std::vector<std::string> file_names() {
  return NOUQ_HAVE_HDF5 ? std::vector<std::string>{"set.npz", "set.h5"} : std::vector<std::string>{"set.npz"};
}

TEST(Laws, KindsLawsAndBoundsComeBackFromBothFormats) {
  const test::TemporaryFolder folder;
  const DataSet data = physical_data();
  for (const std::string& name : file_names()) {
    save_data_set(folder / name, data);
    LoadReport report;
    const DataSet loaded = load_data_set(folder / name, &report);
    EXPECT_TRUE(test::identical(loaded, data)) << name;
    EXPECT_TRUE(loaded == data) << name;
    EXPECT_EQ(loaded.grid[0].kind, AxisKind::cells);
    EXPECT_EQ(loaded.laws.at("energy").axes, (std::vector<std::string>{"x", "t"}));
    EXPECT_EQ(loaded.bounds[0].upper, infinite);
    EXPECT_TRUE(report.notices.empty()) << report.notices[0];
  }
}

// Readers of version 1 would pass over what is new, so they must not read it; nothing new, nothing changed.
TEST(Laws, OnlyFilesThatHaveThemAreOfTheNewVersion) {
  EXPECT_EQ(layout::version_of(test::sample_data()), 1);
  EXPECT_EQ(layout::version_of(physical_data()), 2);
  for (int part = 0; part < 3; ++part) {
    DataSet data = test::sample_data();
    if (part == 0) data.grid[1].kind = AxisKind::cells;
    if (part == 1) data.laws["mass"] = {{"x"}, 0};
    if (part == 2) data.bounds = {{0, 1}};
    EXPECT_EQ(layout::version_of(data), 2) << part;
  }
}

TEST(Laws, MassNeedsNoWordsWhereTimeIsLast) {
  const DataSet data = test::sample_data();
  EXPECT_TRUE(data.laws.empty());
  EXPECT_EQ(laws_of(data), (Laws{{"mass", {{"x"}, 0}}}));
  EXPECT_EQ(laws_of(physical_data()).size(), 2U) << "beside a law of another name";
  DataSet worded = data;
  worded.constraint_values["mass"] = test::doubles({6, 5}, 1);
  worded.laws["mass"] = {{"t"}, 0};
  validate(worded, "set");
  EXPECT_EQ(laws_of(worded), worded.laws) << "words of its own count";
  DataSet steady = data;
  steady.grid[1].name = "y";
  EXPECT_TRUE(laws_of(steady).empty()) << "several values for each sample belong to no law that is known";
  steady.constraint_values["mass"] = test::doubles({6, 1}, 1);
  EXPECT_EQ(laws_of(steady).at("mass").axes, (std::vector<std::string>{"x", "y"}))
      << "one each: over all axes";
  EXPECT_EQ(with_mass_law({}, {{"x", "", {0, 1}}, {"y", "", {0, 1}}, {"t", "", {0, 1}}}).at("mass").axes,
            (std::vector<std::string>{"x", "y"}));
}

TEST(Laws, WhatCannotBeIsRefusedByName) {
  const auto with_law = [](const Law& law) {
    DataSet data = test::sample_data();
    data.laws["mass"] = law;
    return data;
  };
  EXPECT_ERROR(validate(with_law({{"y"}, 0}), "f.npz"), "f.npz: law 'mass': unknown axis 'y'");
  EXPECT_ERROR(validate(with_law({{"x", "x"}, 0}), "f.npz"), "law 'mass': axis 'x' is named twice");
  EXPECT_ERROR(validate(with_law({{}, 0}), "f.npz"), "law 'mass': it is summed over no axis");
  EXPECT_ERROR(validate(with_law({{"x"}, 1}), "f.npz"),
               "law 'mass': channel 1 of outputs with 1, counted from 0");
  EXPECT_ERROR(validate(with_law({{"t"}, 0}), "f.npz"),
               "law 'mass': its values have shape [6, 4], expected 5 for each of 6 samples");
  DataSet data = test::sample_data();
  data.laws["heat"] = {{"x"}, 0};
  EXPECT_ERROR(validate(data, "f.npz"), "f.npz: law 'heat' has no constraint values of that name");
  data = test::sample_data();
  data.bounds = {{2, 1}};
  EXPECT_ERROR(validate(data, "f.npz"),
               "f.npz: output channel 0: the lower bound 2 is above the upper bound 1");
  data.bounds = {{std::nan(""), 1}};
  EXPECT_ERROR(validate(data, "f.npz"), "a bound of output channel 0 is not a number");
  data.bounds = {{0, 1}, {0, 1}};
  EXPECT_ERROR(validate(data, "f.npz"), "bounds of 2 channels, the outputs have 1");
}

TEST(Laws, FilesThatSayWhatIsNotKnownAreRefused) {
  EXPECT_ERROR((void)layout::read_law("flux", "x", 0), "unknown kind of law 'flux'");
  EXPECT_ERROR((void)layout::read_law("integral", "x", 0.5), "channel 0.5: expected a whole number");
  EXPECT_ERROR((void)layout::read_bounds(Array<double>({3}), "bounds"), "bounds has shape [3], expected");
  DataSet data = physical_data();
  data.grid[0].name = "x+y";
  data.laws["energy"].axes = {"x+y", "t"};
  const test::TemporaryFolder folder;
  for (const std::string& name : file_names())
    EXPECT_ERROR(save_data_set(folder / name, data), "axis 'x+y' has a + in its name");
}

TEST(Laws, AreKeptByAPart) {
  const DataSet part = select(physical_data(), {1, 3});
  EXPECT_EQ(part.laws, physical_data().laws);
  EXPECT_EQ(part.bounds, physical_data().bounds);
  validate(part, "part");
}

}  // namespace
}  // namespace nouq

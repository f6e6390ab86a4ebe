// What a result keeps of a prediction, so that it can be drawn without the networks behind it.
//
// Why: trained networks are large and stay where they were trained; results go into git, and the page of a
// study is made of them alone. Contract: all methods of a case keep the same sample of a range, the one whose
// parameter is in the middle of the others'. Of a field over space and time that is the profile at the middle
// time, or at an earlier one where the true solution is nearly constant there (a wave may have left the
// domain); of a field over two axes of space a thinned map; of other grids nothing. Five digits are kept.
// What is read is not trusted: nullopt where a picture is missing or does not fit the grid.
#pragma once

#include <optional>
#include <vector>

#include <nouq/data.h>

#include "core/error.h"
#include "paper/result_store.h"
#include "uq/surrogate.h"

namespace nouq::paper {

struct FieldPicture {
  Grid grid = {};                        // of the values: x alone, or both axes
  std::optional<double> parameter = {};  // of the sample; not every problem has one
  std::optional<double> time = {};       // of a profile
  std::vector<double> truth = {}, mean = {}, variance = {};
  // After the paper's projection and the one within bounds; empty where there is no law.
  std::vector<double> diagonal = {}, bounded = {}, bounded_variance = {};
};

// Which sample of a test set is pictured, as a data set of its own.
DataSet pictured_sample(const DataSet& test);

// Where along the second axis a profile of such a sample is taken: at the time said above, or in the middle
// of an axis of space.
Index pictured_place(const DataSet& sample);

// Of a data set of one sample; null where there is no picture of such a grid.
ResultJson field_picture(const Surrogate& surrogate, const DataSet& sample, int threads);

// `grid` is that of the fields, `json` what field_picture() gave.
std::optional<FieldPicture> read_field_picture(const ResultJson& json, const Grid& grid);

// Numbers as results keep them: five digits.
ResultJson rounded(const std::vector<double>& values);
// The same back: throws unless there are so many, all finite and of a size that can be drawn.
std::vector<double> drawable(const ResultJson& values, std::size_t count);

// What `read` gives, nothing when it meets JSON or numbers that do not fit.
template <class Read>
auto unless_malformed(Read&& read) -> decltype(read()) {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// ---- What a result keeps of an ensemble's members ----
//
// Why: to see in what they differ, without the networks. Contract: networks over one or two axes; weights are
// averaged over input channels and over the frequencies of the second axis; curves run along the first axis,
// at one place of the second (pictured_place). Five digits are kept, and what is read is not trusted.

// One block's Fourier weights by output channel and frequency of the first axis, [channel][frequency].
struct WeightPicture {
  Index block = 0;
  std::vector<double> frequencies = {};              // ascending
  std::vector<std::vector<double>> magnitudes = {};  // of the first members
  std::vector<double> variation = {};  // deviation over mean of a weight's magnitude, over all members
};

// A curve per member: the mean over its features before the last layer, and its output. Results of older
// versions have no truth, and are of the middle of the second axis.
struct MemberCurves {
  std::vector<std::vector<double>> features = {}, outputs = {};
  std::vector<double> truth = {};
  std::optional<double> place = {};  // coordinate along the second axis
};

struct MemberPicture {
  std::vector<WeightPicture> weights;  // of the first block and, if there are several, the last
  MemberCurves in_domain, large;       // of one sample each
};

// Data sets of one sample each. Throws unless there are at least two networks, over one or two axes.
MemberPicture member_picture(const Surrogate& surrogate, const DataSet& in_domain, const DataSet& large);

ResultJson to_result(const MemberPicture& picture);
// Of a study's own network: `points` is the number of points of the curves.
std::optional<MemberPicture> read_member_picture(const ResultJson& json, std::size_t points);

}  // namespace nouq::paper

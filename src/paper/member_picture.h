// What a result keeps of an ensemble's members, so that it can be seen in what they differ: their Fourier
// weights, their features and their outputs.
//
// Why: as for pictures of fields (field_picture.h). Contract: networks over one or two axes; weights are
// averaged over input channels and over the frequencies of the second axis; curves run along the first axis,
// at one place of the second (pictured_place). Five digits are kept, and what is read is not trusted.
#pragma once

#include <optional>
#include <vector>

#include "data/data_set.h"
#include "paper/result_store.h"
#include "uq/surrogate.h"

namespace nouq::paper {

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

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/parse.h"
#include "paper/pictures.h"
#include "physics/projection_choice.h"

namespace nouq::paper {
namespace {

constexpr Index enough = 40;  // points along an axis of a map: more are not seen in a small picture

double with_five_digits(double value) { return with_digits(value, 5); }

bool over_time(const Grid& grid) { return grid[1].name == "t"; }

// How much a field varies along x at one time, whatever its mean.
double spread_at(const DataSet& sample, Index time) {
  const Index count = sample.grid[0].size(), inner = sample.grid[1].size();
  const Index channels = sample.outputs.size() / (count * inner);
  double sum = 0, squares = 0;
  for (Index i = 0; i < count; ++i) {
    const auto u = static_cast<double>(sample.outputs[(i * inner + time) * channels]);
    sum += u;
    squares += u * u;
  }
  const auto n = static_cast<double>(count);
  return std::sqrt(std::max(0.0, squares / n - sum * sum / (n * n)));
}

// The middle time, or the last before it at which there is something to see: a quarter of the largest spread.
Index pictured_time(const DataSet& sample) {
  const Index middle = sample.grid[1].size() / 2;
  double largest = 0;
  for (Index j = 0; j <= middle; ++j) largest = std::max(largest, spread_at(sample, j));
  for (Index j = middle; j > 0; --j) {
    if (spread_at(sample, j) >= 0.25 * largest) return j;
  }
  return middle;
}

// Which points of a field are pictured: everything about x, and one time or some of y.
struct Cut {
  Cut(const Grid& whole, Index time) : inner(whole[1].size()) {
    const Index longest = std::max(whole[0].size(), inner);
    const Index step = over_time(whole) ? 1 : (longest + enough - 1) / enough;
    for (Index i = 0; i < whole[0].size(); i += step) first.push_back(i);
    if (over_time(whole)) {
      second = {time};
    } else {
      for (Index j = 0; j < inner; j += step) second.push_back(j);
    }
    grid.push_back(thinned(whole[0], first));
    if (!over_time(whole)) grid.push_back(thinned(whole[1], second));
  }

  static nouq::Axis thinned(const nouq::Axis& axis, const std::vector<Index>& places) {
    nouq::Axis thin{axis.name, axis.unit, {}};
    for (const Index i : places) thin.coordinates.push_back(axis.coordinates[i]);
    return thin;
  }

  // Of the first of some channels.
  [[nodiscard]] std::vector<double> values(const auto* field, Index channels) const {
    std::vector<double> out;
    for (const Index i : first) {
      for (const Index j : second) out.push_back(static_cast<double>(field[(i * inner + j) * channels]));
    }
    return out;
  }

  Index inner;
  std::vector<Index> first, second;
  Grid grid;
};

std::vector<double> variances(const ResultJson& list, std::size_t count) {
  std::vector<double> values = drawable(list, count);
  for (const double value : values) require(value >= 0, "a picture with the variance {}", value);
  return values;
}

void add_projections(const Surrogate& surrogate, const DataSet& sample, const Prediction& before,
                     const Cut& cut, int threads, ResultJson& json) {
  const auto after = [&](ProjectionKind kind) {
    return project({kind, std::nullopt, threads}, surrogate, sample, before);
  };
  const Prediction diagonal = after(ProjectionKind::diagonal), bounded = after(ProjectionKind::bounded);
  json["diagonal"] = rounded(cut.values(diagonal.mean.data(), surrogate.channels()));
  json["bounded"] = rounded(cut.values(bounded.mean.data(), surrogate.channels()));
  json["bounded_variance"] = rounded(cut.values(bounded.variance.data(), surrogate.channels()));
}

}  // namespace

ResultJson rounded(const std::vector<double>& values) {
  ResultJson list = ResultJson::array();
  for (const double value : values) list.push_back(with_five_digits(value));
  return list;
}

std::vector<double> drawable(const ResultJson& list, std::size_t count) {
  constexpr double largest = 1e30;
  auto values = list.get<std::vector<double>>();
  require(values.size() == count, "a picture of {} values: expected {}", values.size(), count);
  for (const double value : values)
    require(std::abs(value) <= largest, "a picture with the value {}: expected at most {}", value, largest);
  return values;
}

DataSet pictured_sample(const DataSet& test) {
  std::vector<Index> order(test.size());
  std::iota(order.begin(), order.end(), 0);
  if (!test.parameters.empty()) {
    const Index columns = test.parameters.extent(1);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return test.parameters[a * columns] < test.parameters[b * columns];
    });
  }
  return select(test, {order[order.size() / 2]});
}

Index pictured_place(const DataSet& sample) {
  if (sample.grid.size() < 2) return 0;
  return over_time(sample.grid) ? pictured_time(sample) : sample.grid[1].size() / 2;
}

ResultJson field_picture(const Surrogate& surrogate, const DataSet& sample, int threads) {
  if (sample.grid.size() != 2) return nullptr;
  const Index time = pictured_place(sample);
  const Cut cut(sample.grid, time);
  const Prediction before = predict(surrogate, sample.inputs.view(), {true, threads});
  ResultJson json;
  if (over_time(sample.grid)) json["time"] = with_five_digits(sample.grid[1].coordinates[time]);
  if (!sample.parameters.empty()) json["parameter"] = with_five_digits(sample.parameters[0]);
  json["truth"] = rounded(cut.values(sample.outputs.data(), surrogate.channels()));
  json["mean"] = rounded(cut.values(before.mean.data(), surrogate.channels()));
  json["variance"] = rounded(cut.values(before.variance.data(), surrogate.channels()));
  if (physics_of(sample).has_law()) add_projections(surrogate, sample, before, cut, threads, json);
  return json;
}

std::optional<FieldPicture> read_field_picture(const ResultJson& json, const Grid& grid) {
  return unless_malformed([&]() -> std::optional<FieldPicture> {
    if (grid.size() != 2 || !json.is_object()) return std::nullopt;
    const Cut cut(grid, 0);
    const std::size_t count = cut.first.size() * cut.second.size();
    FieldPicture picture{.grid = cut.grid};
    if (over_time(grid)) picture.time = json.at("time").get<double>();
    if (json.contains("parameter")) picture.parameter = json.at("parameter").get<double>();
    picture.truth = drawable(json.at("truth"), count);
    picture.mean = drawable(json.at("mean"), count);
    picture.variance = variances(json.at("variance"), count);
    if (json.contains("bounded")) {
      picture.diagonal = drawable(json.at("diagonal"), count);
      picture.bounded = drawable(json.at("bounded"), count);
      picture.bounded_variance = variances(json.at("bounded_variance"), count);
    }
    return picture;
  });
}

}  // namespace nouq::paper

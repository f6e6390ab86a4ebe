#include "api/improve_pool.h"

#include <algorithm>
#include <numeric>

#include <nouq/random.h>

#include "core/error.h"

namespace nouq {
namespace {

constexpr Index most_checks = 256;

std::vector<Index> places(Index first, Index count) {
  std::vector<Index> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return list;
}

DataSet without_solutions(DataSet data) {
  data.outputs = {};
  data.constraint_values.clear();
  return data;
}

// Files may be sorted by something.
ImprovePool of_candidates(const DataSet& given, std::uint64_t seed) {
  const DataSet data = without_solutions(given);
  require(data.size() >= 2, "{} candidate: expected at least 2", data.size());
  const std::vector<Index> order = permutation(data.size(), Stream(seed, Purpose::parameters, 1));
  const Index checks = std::clamp<Index>(data.size() / 5, 1, most_checks);
  return {select(data, {order.begin() + checks, order.end()}),
          select(data, {order.begin(), order.begin() + checks})};
}

// One sequence for both, because inputs that are random functions belong to their place in it.
ImprovePool of_ranges(const Model& model, const ImproveSettings& settings) {
  const InputParameters parameters(model);
  const bool random = settings.design == "random";
  const Index among = std::max(settings.among, settings.budget);
  const Array<double> evenly =
      points_in(parameters, settings.ranges, among + most_checks, "sobol", settings.seed);
  Array<double> values = evenly;
  if (random) {
    const Array<double> drawn = points_in(parameters, settings.ranges, among, "random", settings.seed);
    std::copy(drawn.begin(), drawn.end(), values.begin());
  }
  const DataSet all = without_solutions(parameters.question(values));
  return {select(all, places(0, among)), select(all, places(among, most_checks))};
}

}  // namespace

ImprovePool improve_pool(const Model& model, const ImproveSettings& settings) {
  require(settings.ranges.empty() != !settings.candidates.has_value(),
          "what is asked: give either ranges of the parameters or candidates");
  return settings.candidates ? of_candidates(*settings.candidates, settings.seed)
                             : of_ranges(model, settings);
}

std::vector<Index> next_candidates(const Model& model, const ImprovePool& pool,
                                   const std::vector<bool>& taken, const DataSet& runs, Index count,
                                   const ImproveSettings& settings) {
  std::vector<Index> free;
  for (Index i = 0; i < pool.candidates.size(); ++i)
    if (!taken[static_cast<std::size_t>(i)]) free.push_back(i);
  count = std::min(count, std::ssize(free));
  if (settings.design != "suggest" || count == 0) return {free.begin(), free.begin() + count};
  SuggestSettings how;
  how.count = count;
  how.threads = settings.train.threads;
  how.runs = &runs;
  std::vector<Index> chosen;
  for (const Suggestion& one : suggest(model, select(pool.candidates, free), how))
    chosen.push_back(free[static_cast<std::size_t>(one.candidate)]);
  return chosen;
}

}  // namespace nouq

#include "nn/architecture.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"

namespace nouq {

#define NOUQ_ARCHITECTURE(name) std::unique_ptr<Architecture> make_##name();
#include "nn/architectures.def"
#undef NOUQ_ARCHITECTURE

namespace {

std::vector<std::unique_ptr<Architecture>>& architectures() {
  static auto all = [] {
    std::vector<std::unique_ptr<Architecture>> list;
#define NOUQ_ARCHITECTURE(name) list.push_back(make_##name());
#include "nn/architectures.def"
#undef NOUQ_ARCHITECTURE
    return list;
  }();
  return all;
}

}  // namespace

void Architecture::accept(const NetworkOptions& options, std::span<const AxisView> grid) const {
  Shape shape;
  for (const AxisView& axis : grid) shape.push_back(std::ssize(axis.coordinates));
  padded_lengths(options, shape);
}

void require_accepted(const NetworkOptions& options, const Grid& grid) {
  std::vector<AxisView> views;
  for (const Axis& axis : grid)
    views.push_back({axis.coordinates, axis.periodic(), axis.kind == AxisKind::cells});
  find_architecture(options.architecture).accept(options, views);
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const auto& architecture : architectures()) names.emplace_back(architecture->name());
  return names;
}

std::vector<ArchitectureInfo> architecture_list() {
  std::vector<ArchitectureInfo> list;
  for (const std::string& name : architecture_names()) {
    const Architecture& one = find_architecture(name);
    list.push_back({name, std::string(one.summary()), one.settings()});
  }
  return list;
}

const Architecture& find_architecture(std::string_view name) {
  for (const auto& architecture : architectures()) {
    if (architecture->name() == name) return *architecture;
  }
  fail_unknown_name("architecture", name, architecture_names());
}

void register_architecture(std::unique_ptr<Architecture> architecture) {
  require(architecture != nullptr, "an architecture to register: got none");
  const auto names = architecture_names();
  require(std::find(names.begin(), names.end(), architecture->name()) == names.end(),
          "architecture '{}': there is one of this name already", architecture->name());
  architectures().push_back(std::move(architecture));
}

TensorPlan linear_plan(std::string name, Shape shape, Index fan_in) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(fan_in));
  return {std::move(name), std::move(shape), -bound, bound, true};
}

std::vector<Index> axis_0_fastest(const Shape& grid) {
  std::vector<Index> user_stride(grid.size(), 1);
  for (std::size_t j = grid.size() - 1; j > 0; --j) user_stride[j - 1] = user_stride[j] * grid[j];
  std::vector<Index> order(element_count(grid));
  for (std::size_t p = 0; p < order.size(); ++p) {
    Index rest = static_cast<Index>(p);
    for (std::size_t j = 0; j < grid.size(); ++j) {
      order[p] += (rest % grid[j]) * user_stride[j];
      rest /= grid[j];
    }
  }
  return order;
}

}  // namespace nouq

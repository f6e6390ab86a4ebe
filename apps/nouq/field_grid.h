// The grid that arrays of any framework are on, as one says it on a command line, and arrays by name.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/option_table.h"
#include "core/grid.h"
#include "data/data_set.h"

namespace nouq::cli {

// Arrays by name: right-hand sides, coordinates, bounds. The first place that has a name gives it.
class NamedValues {
 public:
  // All arrays of a file; it is opened when a name is asked for.
  void add_file(std::string path) { files_.push_back(std::move(path)); }
  void add(const std::map<std::string, Array<double>>& values) {
    values_.insert(values.begin(), values.end());
  }

  [[nodiscard]] std::optional<Array<double>> find(const std::string& name) const;
  // A number (an array of one value), the array called so, or FILE[:ARRAY]. Throws when it is none of them;
  // `label` begins the message.
  [[nodiscard]] Array<double> get(const std::string& word, const std::string& label) const;

 private:
  [[nodiscard]] std::vector<std::string> names() const;

  std::vector<std::string> files_;
  std::map<std::string, Array<double>> values_;
};

struct GridOptions {
  std::vector<std::string> axes;  // NAME=A:B, NAME=FILE[:ARRAY] or NAME
  std::filesystem::path data;     // a data set on the same grid
};

void add_grid_options(OptionTable& table, GridOptions& options);

// The axes without their coordinates where these depend on the shape of the fields.
struct AxisWords {
  std::string name;
  std::string coordinates;  // A:B, FILE[:ARRAY], a name; empty: the array called like the axis
};
std::vector<AxisWords> parse_axes(const std::vector<std::string>& words);

// Coordinates for fields of this shape, [n, axes..., channels].
Grid make_grid(const std::vector<AxisWords>& axes, const NamedValues& values, const Shape& fields);

// Throws unless fields of this shape are on the grid; `source` is where the grid comes from.
void require_on_grid(const Grid& grid, const Shape& fields, const std::string& source);

}  // namespace nouq::cli

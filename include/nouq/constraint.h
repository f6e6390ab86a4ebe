// Kinds of constraints of one's own: what a law means, turned into weighted sums over the points of a grid.
//
// Why: constraint files (docs/projection.md), Constraints::from_toml and the tool name constraints by their
// kind; a kind that is registered here is known to all of them. When: the law is linear in the field and none
// of the built-in kinds (integral, boundary, points, balance, sparse) says it:
//
//   nouq::register_constraint({"first_moment", {"axis", "value"}, "the first moment along an axis is known",
//                              [](const nouq::ConstraintRequest& asked) {
//                                nouq::ConstraintRows rows;      // sum over i of weight[i] u[point[i]] =
//                                value
//                                ...
//                                return rows;
//                              }});
//
// Contract: points count the values of a field, row-major, channel last. Rows are checked as those of any
// other constraint: points that do not exist or rows without weights are refused by name. The setting
// "noise_variance" (variance with which the rows hold) is there for every kind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/error.h>
#include <nouq/export.h>
#include <nouq/grid.h>

namespace nouq {

// What a user asked for: the settings of one constraint, and the fields it is about. Messages name the kind.
class NOUQ_API ConstraintRequest {
 public:
  virtual ~ConstraintRequest();
  [[nodiscard]] virtual const Grid& grid() const = 0;
  [[nodiscard]] virtual Index channels() const = 0;
  // Which axis has this name; throws for an unknown one and says the nearest.
  [[nodiscard]] virtual std::size_t axis(const std::string& name) const = 0;
  [[nodiscard]] virtual bool has(const std::string& setting) const = 0;
  [[nodiscard]] virtual double number(const std::string& setting, double otherwise) const = 0;
  [[nodiscard]] virtual std::string text(const std::string& setting) const = 0;  // throws when it is missing
  // A number as [1, 1], a list of numbers as [1, count], or the array of the data that has this name.
  [[nodiscard]] virtual Array<double> array(const std::string& setting) const = 0;
};

// Entry i says that row[i] has weight[i] at point[i].
struct ConstraintRows {
  std::vector<Index> row;
  std::vector<Index> point;
  std::vector<double> weight;
  Array<double> values;  // the right values of the sums: [samples, rows], or [1, rows] for all samples
};

struct ConstraintInfo {
  std::string name;
  std::vector<std::string> settings;  // that the kind takes, besides "noise_variance"
  std::string summary;
  std::function<ConstraintRows(const ConstraintRequest&)> rows;
};

// Throws when the name is taken. Register before first use, from one thread.
NOUQ_API void register_constraint(ConstraintInfo kind);
NOUQ_API std::vector<std::string> constraint_names();
// All kinds, the built-in ones first, as `nouq constraints` shows them: with "noise_variance" among the
// settings where it is one, and without their functions.
NOUQ_API std::vector<ConstraintInfo> constraint_list();

}  // namespace nouq

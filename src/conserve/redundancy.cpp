#include "conserve/redundancy.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>

#include "conserve/coupling.h"
#include "core/error.h"

namespace nouq {
namespace {

constexpr double dependence_tolerance = 1e-10;
constexpr double agreement_tolerance = 1e-6;
constexpr double rounding_tolerance = 1e-12;
constexpr double noise_deviations = 6;

double noise_of(const LinearConstraints& constraints, Index r) { return constraints.noise_variance[r]; }

// Gram-Schmidt over the rows of one group, remembering how each orthonormal vector is made of rows.
class Orthonormaliser {
 public:
  Orthonormaliser(const LinearConstraints& constraints, const std::vector<Index>& rows)
      : constraints_(constraints), rows_(rows) {
    for (const Index r : rows_) {
      for (const RowEntry& entry : constraints.row(r)) column_.try_emplace(entry.point, column_.size());
    }
  }

  // Takes the i-th row of the group in; returns its combination of earlier rows when it is dependent.
  bool add(std::size_t i, DependentRow& dependent) {
    const auto count = static_cast<Eigen::Index>(rows_.size());
    Eigen::VectorXd vector = dense_row(rows_[i]);
    Eigen::VectorXd recipe = Eigen::VectorXd::Unit(count, static_cast<Eigen::Index>(i));
    const double length = vector.norm();
    for (int pass = 0; pass < 2; ++pass) {  // twice: the second pass removes the rounding of the first
      for (std::size_t j = 0; j < basis_.size(); ++j) {
        const double share = basis_[j].dot(vector);
        vector -= share * basis_[j];
        recipe -= share * recipes_[j];
      }
    }
    const double rest = vector.norm();
    if (rest > dependence_tolerance * length) {
      basis_.emplace_back(vector / rest);
      recipes_.emplace_back(recipe / rest);
      return false;
    }
    dependent = make_dependent(i, recipe);
    return true;
  }

 private:
  [[nodiscard]] Eigen::VectorXd dense_row(Index r) const {
    Eigen::VectorXd vector = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(column_.size()));
    for (const RowEntry& entry : constraints_.row(r)) {
      vector[static_cast<Eigen::Index>(column_.at(entry.point))] += entry.weight;
    }
    return vector;
  }

  // recipe: row i minus its combination.
  [[nodiscard]] DependentRow make_dependent(std::size_t i, const Eigen::VectorXd& recipe) const {
    DependentRow dependent{rows_[i], {}};
    const double largest = recipe.cwiseAbs().maxCoeff();
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      const double weight = -recipe[static_cast<Eigen::Index>(j)];
      if (j != i && std::abs(weight) > 1e-12 * largest) dependent.combination.push_back({rows_[j], weight});
    }
    return dependent;
  }

  const LinearConstraints& constraints_;
  const std::vector<Index>& rows_;
  std::map<Index, std::size_t> column_;  // of each point of the group
  std::vector<Eigen::VectorXd> basis_, recipes_;
};

bool is_zero_row(const LinearConstraints& constraints, Index r) {
  const auto row = constraints.row(r);
  return std::all_of(row.begin(), row.end(), [](const RowEntry& entry) { return entry.weight == 0; });
}

std::string names_of(const LinearConstraints& constraints, const DependentRow& dependent) {
  std::string names;
  for (const RowEntry& part : dependent.combination) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", constraints.names[part.point]);
  }
  return names.empty() ? "an empty sum" : names;
}

// What the other rows imply for a dependent one in a sample, and the size of the numbers involved.
struct Implied {
  double value = 0, size = 0;
};

Implied implied_by(const LinearConstraints& constraints, const DependentRow& dependent, Index sample) {
  const auto b = constraints.right_hand_side(sample);
  Implied implied{0, std::abs(b[dependent.row])};
  for (const RowEntry& part : dependent.combination) {
    const double term = part.weight * b[part.point];
    implied.value += term;
    implied.size += std::abs(term);
  }
  return implied;
}

}  // namespace

std::vector<DependentRow> find_dependent_rows(const LinearConstraints& constraints) {
  std::vector<DependentRow> dependent;
  for (std::vector<Index> rows : coupled_groups(constraints, own_labels(constraints.points))) {
    if (rows.size() == 1 && !is_zero_row(constraints, rows[0])) continue;
    std::stable_partition(rows.begin(), rows.end(), [&](Index r) { return noise_of(constraints, r) == 0; });
    Orthonormaliser orthonormaliser(constraints, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      DependentRow found;
      if (orthonormaliser.add(i, found)) dependent.push_back(std::move(found));
    }
  }
  return dependent;
}

void check_consistent(const LinearConstraints& constraints, const std::vector<DependentRow>& dependent) {
  for (const DependentRow& one : dependent) {
    double noise_variance = noise_of(constraints, one.row);
    for (const RowEntry& part : one.combination) {
      noise_variance += part.weight * part.weight * noise_of(constraints, part.point);
    }
    const Index samples = constraints.right_hand_sides.extent(0);
    double largest = 0;
    for (Index i = 0; i < samples; ++i) largest = std::max(largest, implied_by(constraints, one, i).size);
    for (Index i = 0; i < samples; ++i) {
      const double given = constraints.right_hand_side(i)[one.row];
      const auto [implied, size] = implied_by(constraints, one, i);
      require(std::abs(given - implied) <= agreement_tolerance * size + rounding_tolerance * largest +
                                               noise_deviations * std::sqrt(noise_variance),
              "constraint '{}' contradicts {} in sample {}: they imply {}, but its right-hand side is {}",
              constraints.names[one.row], names_of(constraints, one), i, implied, given);
    }
  }
}

LinearConstraints without_redundant_rows(const LinearConstraints& constraints) {
  const auto dependent = find_dependent_rows(constraints);
  check_consistent(constraints, dependent);
  std::vector<bool> keep(constraints.rows(), true);
  for (const DependentRow& one : dependent) {
    keep[one.row] = noise_of(constraints, one.row) > 0 && !is_zero_row(constraints, one.row);
  }
  std::vector<Index> kept;
  for (Index r = 0; r < constraints.rows(); ++r) {
    if (keep[r]) kept.push_back(r);
  }
  return select_rows(constraints, kept);
}

}  // namespace nouq

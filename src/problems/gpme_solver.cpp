#include "problems/gpme_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/names.h"

namespace nouq {

std::vector<std::string> coefficient_names() { return {"constant", "power", "threshold", "exponential"}; }

Coefficient make_coefficient(const std::string& name, double parameter) {
  require(std::isfinite(parameter) && parameter > 0,
          "coefficient {}: parameter is {}, expected a number above zero", name, parameter);
  if (name == "constant") return [k = parameter](double u) { return CoefficientValue{k, k * u}; };
  if (name == "power") {
    return [m = parameter](double u) {
      const double k = std::pow(std::max(u, 0.0), m);
      return CoefficientValue{k, k * u / (m + 1)};
    };
  }
  if (name == "threshold") {
    return [u_star = parameter](double u) {
      return CoefficientValue{u >= u_star ? 1.0 : 0.0, std::max(u - u_star, 0.0)};
    };
  }
  if (name == "exponential") {
    return [a = parameter](double u) {
      const double growth = std::expm1(a * u);
      return CoefficientValue{1 + growth, growth / a};
    };
  }
  fail_unknown_name("coefficient", name, coefficient_names());
}

namespace {

constexpr int most_newton_steps = 200;
constexpr double newton_tolerance = 1e-13;

// A stiffly accurate, diagonally implicit Runge-Kutta method: stage s sees the stages before it with the
// weights of its row; the last row is also the weights of the step.
struct Method {
  std::vector<std::vector<double>> rows;
  [[nodiscard]] double node(std::size_t s) const {
    return std::accumulate(rows[s].begin(), rows[s].end(), 0.0);
  }
};

const Method& method_of_order(int order) {
  static const double gamma = 1 - 1 / std::numbers::sqrt2;
  static const Method backward_euler{{{1.0}}};
  static const Method second_order{{{gamma}, {1 - gamma, gamma}}};
  return order == 1 ? backward_euler : second_order;
}

// values += weight * divergence of the fluxes, i.e. what the fluxes bring in.
void add_inflow(std::span<const double> fluxes, double weight, std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += weight * (fluxes[i] - fluxes[i + 1]);
}

// Thomas' algorithm in place; the matrix dominates its columns, so no pivots are needed.
void solve_tridiagonal(const std::vector<double>& lower, std::vector<double>& diagonal,
                       const std::vector<double>& upper, std::vector<double>& right_side) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right_side[i] -= factor * right_side[i - 1];
  }
  right_side[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) {
    right_side[i] = (right_side[i] - upper[i] * right_side[i + 1]) / diagonal[i];
  }
}

}  // namespace

GpmeSolver::GpmeSolver(GpmeSetup setup, GpmeDiscretisation discretisation)
    : setup_(std::move(setup)), discretisation_(discretisation) {
  const auto& [cells, longest_step, order] = discretisation_;
  require(setup_.length > 0 && setup_.coefficient && setup_.initial &&
              (setup_.closed || (setup_.left && setup_.right)),
          "gpme: needs a length above zero, a coefficient, initial values and values at both ends");
  require(cells >= 2, "gpme: {} cells, expected at least 2", cells);
  require(longest_step > 0, "gpme: longest time step is {}, expected above zero", longest_step);
  require(order == 1 || order == 2, "gpme: order in time is {}, expected 1 or 2", order);
  const std::size_t n = cells;
  width_ = setup_.length / static_cast<double>(cells);
  for (std::size_t i = 0; i < n; ++i) values_.push_back(setup_.initial(cell_centre(i)));
  stages_.assign(order, Stage{std::vector<double>(n), std::vector<double>(n + 1)});
  for (auto* work : {&k_, &potential_, &known_, &lower_, &diagonal_, &upper_, &residual_}) work->resize(n);
}

void GpmeSolver::advance_to(double t) {
  require(std::isfinite(t) && t >= time_, "gpme: asked for time {} after {}: time moves forward only", t,
          time_);
  const double from = time_;
  const auto steps = static_cast<Index>(std::ceil((t - from) / discretisation_.longest_step));
  for (Index i = 0; i < steps; ++i) {
    const double next = from + (t - from) * static_cast<double>(i + 1) / static_cast<double>(steps);
    step(next - time_);
    time_ = next;
  }
}

void GpmeSolver::step(double length) {
  const Method& method = method_of_order(discretisation_.order);
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    known_ = values_;
    for (std::size_t r = 0; r < s; ++r) {
      add_inflow(stages_[r].fluxes, length * method.rows[s][r] / width_, known_);
    }
    stages_[s].values = s == 0 ? values_ : stages_[s - 1].values;
    solve_stage(time_ + length * method.node(s), length * method.rows[s][s], known_, stages_[s]);
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const double weight = length * method.rows.back()[s];
    const auto& fluxes = stages_[s].fluxes;
    add_inflow(fluxes, weight / width_, values_);
    net_inflow_ += weight * (fluxes.front() - fluxes.back());
    total_flow_ += weight * (std::abs(fluxes.front()) + std::abs(fluxes.back()));
  }
}

void GpmeSolver::evaluate(double t, Stage& stage) {
  const std::size_t n = stage.values.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto [k, potential] = setup_.coefficient(stage.values[i]);
    k_[i] = k;
    potential_[i] = potential;
  }
  if (setup_.closed) {
    stage.fluxes.front() = stage.fluxes.back() = 0;
  } else {  // The end values sit half a cell away from their neighbours.
    const double left = setup_.coefficient(setup_.left(t)).potential;
    const double right = setup_.coefficient(setup_.right(t)).potential;
    stage.fluxes.front() = 2 * (left - potential_.front()) / width_;
    stage.fluxes.back() = 2 * (potential_.back() - right) / width_;
  }
  for (std::size_t i = 1; i < n; ++i) stage.fluxes[i] = (potential_[i - 1] - potential_[i]) / width_;
}

// The residual known + step * inflow(values) - values, and the matrix whose product with the change meets it.
void GpmeSolver::assemble(double implicit_step, std::span<const double> known, const Stage& stage) {
  const std::size_t n = known.size();
  const double weight = implicit_step / width_;
  const double ratio = weight / width_;
  for (std::size_t i = 0; i < n; ++i) {
    residual_[i] = known[i] + weight * (stage.fluxes[i] - stage.fluxes[i + 1]) - stage.values[i];
    const double end = setup_.closed ? 0 : 2;
    const double links = (i == 0 ? end : 1) + (i + 1 == n ? end : 1);
    diagonal_[i] = 1 + ratio * links * k_[i];
    lower_[i] = i > 0 ? -ratio * k_[i - 1] : 0;
    upper_[i] = i + 1 < n ? -ratio * k_[i + 1] : 0;
  }
}

double GpmeSolver::correct(const Range& trusted, Stage& stage) {
  solve_tridiagonal(lower_, diagonal_, upper_, residual_);
  double change = 0;
  double size = 1e-300;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    if (!std::isfinite(residual_[i])) return std::numeric_limits<double>::infinity();
    const double before = stage.values[i];
    stage.values[i] = std::clamp(before + residual_[i], trusted.low, trusted.high);
    change = std::max(change, std::abs(stage.values[i] - before));
    size = std::max(size, std::abs(stage.values[i]));
  }
  return change / size;
}

// A step of the maximum principle's range to either side: where k rises steeply, Newton's first steps from a
// cold medium overshoot to values whose k is beyond all numbers.
GpmeSolver::Range GpmeSolver::trusted_range(double t, std::span<const double> known) const {
  auto [low, high] =
      std::pair(*std::min_element(known.begin(), known.end()), *std::max_element(known.begin(), known.end()));
  if (!setup_.closed) {
    low = std::min({low, setup_.left(t), setup_.right(t)});
    high = std::max({high, setup_.left(t), setup_.right(t)});
  }
  return {low - (high - low), high + (high - low)};
}

void GpmeSolver::solve_stage(double t, double implicit_step, std::span<const double> known, Stage& stage) {
  const Range trusted = trusted_range(t, known);
  double change = 1;
  double previous = 2;
  // Stops when the change is at rounding: below the tolerance, or small and no longer falling.
  for (int i = 0; i < most_newton_steps && change > newton_tolerance && (change > 1e-10 || change < previous);
       ++i) {
    evaluate(t, stage);
    assemble(implicit_step, known, stage);
    previous = change;
    change = correct(trusted, stage);
  }
  if (!(change <= 1e-10)) {
    throw_failure(
        "gpme: Newton did not converge at time {} with a step of {} (relative change {}): take shorter steps",
        t, implicit_step, change);
  }
  evaluate(t, stage);
}

double GpmeSolver::value(double x) const {
  const std::size_t n = values_.size();
  const double position = x / width_ - 0.5;
  if (position <= 0) {
    const double end = setup_.closed ? values_.front() : setup_.left(time_);
    return end + std::max(x, 0.0) / (0.5 * width_) * (values_.front() - end);
  }
  if (position >= static_cast<double>(n - 1)) {
    const double end = setup_.closed ? values_.back() : setup_.right(time_);
    return end + std::max(setup_.length - x, 0.0) / (0.5 * width_) * (values_.back() - end);
  }
  const auto i = static_cast<std::size_t>(position);
  return values_[i] + (position - static_cast<double>(i)) * (values_[i + 1] - values_[i]);
}

double GpmeSolver::mass() const { return width_ * std::accumulate(values_.begin(), values_.end(), 0.0); }

}  // namespace nouq

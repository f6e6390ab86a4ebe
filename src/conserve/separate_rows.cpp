// Bounded rows that share no point: all rows of a field side by side, one per lane of a vector.
//
// Where consecutive rows lie on consecutive points (integrals over x at every time, the time axis last) the
// field is worked on in place; otherwise its values are gathered row beside row first.
#include <algorithm>
#include <utility>

#include "conserve/bounded_rows.h"
#include "core/buffer.h"
#include "kernels/bounded_rows.h"

namespace nouq {
namespace {

class SeparateRows final : public BoundedSolver {
 public:
  explicit SeparateRows(const LinearConstraints& constraints)
      : constraints_(constraints), rows_(constraints.rows()) {
    for (Index r = 0; r < rows_; ++r)
      entries_ = std::max(entries_, static_cast<Index>(constraints.row(r).size()));
    const Index blocks = (rows_ + rows_per_block - 1) / rows_per_block;
    point_.assign(blocks * entries_ * rows_per_block, -1);
    weight_.resize(point_.size());
    std::fill(weight_.begin(), weight_.end(), 0.0);
    for (Index r = 0; r < rows_; ++r) {
      Index e = 0;
      for (const auto& [point, weight] : constraints.row(r)) {
        point_[place(e, r)] = point;
        weight_[place(e, r)] = weight;
        ++e;
      }
    }
    find_stride();
  }

  void prepare(int threads) override {
    scratch_.resize(threads);
    for (Scratch& scratch : scratch_) {
      scratch.gathered_lower = scratch.gathered_upper = nullptr;
      for (auto* list : {&scratch.step, &scratch.lower, &scratch.upper}) list->resize(point_.size());
      scratch.block.resize(entries_ * rows_per_block);
      scratch.solved.resize(rows_);
      scratch.projected.resize(constraints_.points);
      for (auto* list : {&scratch.value, &scratch.moved})
        list->resize(in_place() ? 0 : static_cast<std::size_t>(entries_ * rows_));
      for (auto& list : scratch.row) list.resize(entries_);
    }
  }

  void begin(const BoundedField& field, int thread) override {
    Scratch& scratch = scratch_[thread];
    scratch.field = field;
    for (std::size_t i = 0; i < point_.size(); ++i)
      scratch.step[i] = point_[i] < 0 ? 0 : field.diagonal[point_[i]] * weight_[i];
    // Samples often share their bounds.
    if (std::exchange(scratch.gathered_lower, field.lower) != field.lower) gather(field.lower, scratch.lower);
    if (std::exchange(scratch.gathered_upper, field.upper) != field.upper) gather(field.upper, scratch.upper);
  }

  void solve(const double* mean, double* projected, double* multipliers, int thread) override {
    Scratch& scratch = scratch_[thread];
    scratch.field.mean = mean;
    // Rows that are solved again by themselves need the mean as it was.
    double* out = projected == mean ? scratch.projected.data() : projected;
    if (std::ssize(constraints_.entries) < constraints_.points) clip(scratch.field, constraints_.points, out);
    in_place() ? solve_in_place(scratch, out, multipliers) : solve_gathered(scratch, out, multipliers);
    for (Index r = 0; r < rows_; ++r)
      if (scratch.solved[r] == 0) multipliers[r] = solve_alone(r, scratch, out);
    if (out != projected) std::copy_n(out, constraints_.points, projected);
  }

 private:
  struct Scratch {
    BoundedField field;
    Buffer<double> step, lower, upper;  // in blocks
    const double *gathered_lower = nullptr, *gathered_upper = nullptr;
    Buffer<double> block;
    std::vector<double> projected;
    std::vector<double> value, moved;  // gathered: [entries][rows]
    std::vector<double> row[5];        // of a row solved by itself
    std::vector<unsigned char> solved;
  };

  [[nodiscard]] bool in_place() const { return stride_ > 0; }

  void gather(const double* field, Buffer<double>& values) const {
    for (std::size_t i = 0; i < point_.size(); ++i) values[i] = point_[i] < 0 ? 0 : field[point_[i]];
  }

  [[nodiscard]] std::size_t place(Index e, Index r) const {
    const Index block = r / rows_per_block, lane = r % rows_per_block;
    return static_cast<std::size_t>((block * entries_ + e) * rows_per_block + lane);
  }

  // The distance of a row's entries, when it is the same for all and row r begins r points after row 0.
  void find_stride() {
    if (point_.empty()) return;
    const Index stride = entries_ > 1 ? point_[place(1, 0)] - point_[0] : rows_;
    for (Index e = 0; e < entries_; ++e) {
      for (Index r = 0; r < rows_; ++r)
        if (point_[place(e, r)] != point_[0] + e * stride + r) return;
    }
    stride_ = std::max<Index>(0, stride);
  }

  [[nodiscard]] BoundedRowsProblem problem(Scratch& scratch) const {
    BoundedRowsProblem problem;
    problem.rows = rows_;
    problem.entries = entries_;
    problem.step = scratch.step.data();
    problem.weight = weight_.data();
    problem.lower = scratch.lower.data();
    problem.upper = scratch.upper.data();
    problem.target = constraints_.right_hand_side(scratch.field.sample).data();
    problem.noise_variance = constraints_.noise_variance.data();
    problem.scratch = scratch.block.data();
    return problem;
  }

  void solve_in_place(Scratch& scratch, double* out, double* multipliers) const {
    BoundedRowsProblem rows = problem(scratch);
    const Index first = point_[0];
    rows.field_stride = stride_;
    rows.value = scratch.field.mean + first;
    solve_bounded_rows(rows, out + first, multipliers, scratch.solved.data());
  }

  void solve_gathered(Scratch& scratch, double* out, double* multipliers) const {
    for_each_entry([&](Index point, std::size_t at) { scratch.value[at] = scratch.field.mean[point]; });
    BoundedRowsProblem rows = problem(scratch);
    rows.field_stride = rows_;
    rows.value = scratch.value.data();
    solve_bounded_rows(rows, scratch.moved.data(), multipliers, scratch.solved.data());
    for_each_entry([&](Index point, std::size_t at) { out[point] = scratch.moved[at]; });
  }

  // body(point, where it is gathered)
  template <class Body>
  void for_each_entry(Body&& body) const {
    for (Index r = 0; r < rows_; ++r) {
      auto at = static_cast<std::size_t>(r);
      for (const RowEntry& entry : constraints_.row(r)) {
        body(entry.point, at);
        at += static_cast<std::size_t>(rows_);
      }
    }
  }

  // Also finds out whether the row can be met at all.
  double solve_alone(Index r, Scratch& scratch, double* out) const {
    const auto row = constraints_.row(r);
    auto& [value, step, weight, lower, upper] = scratch.row;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Index point = row[i].point;
      value[i] = scratch.field.mean[point];
      step[i] = scratch.field.diagonal[point] * row[i].weight;
      weight[i] = row[i].weight;
      lower[i] = scratch.field.lower[point];
      upper[i] = scratch.field.upper[point];
    }
    const auto part = [&](const std::vector<double>& list) { return std::span(list).first(row.size()); };
    const std::size_t at = r;
    const RowMultiplier found =
        solve_row({part(value), part(step), part(weight), part(lower), part(upper),
                   constraints_.right_hand_side(scratch.field.sample)[at], constraints_.noise_variance[at]});
    if (found.shortfall != 0) fail_within_bounds(constraints_, r, scratch.field.sample, found.shortfall);
    for (std::size_t i = 0; i < row.size(); ++i)
      out[row[i].point] = std::clamp(value[i] - found.lambda * step[i], lower[i], upper[i]);
    return found.lambda;
  }

  const LinearConstraints& constraints_;
  Index rows_ = 0, entries_ = 0;
  Index stride_ = 0;          // of a row's entries; 0: not in place
  std::vector<Index> point_;  // in blocks; -1: no entry
  Buffer<double> weight_;     // in blocks
  std::vector<Scratch> scratch_;
};

}  // namespace

std::unique_ptr<BoundedSolver> make_separate_rows(const LinearConstraints& constraints) {
  return std::make_unique<SeparateRows>(constraints);
}

}  // namespace nouq

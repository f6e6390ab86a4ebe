// A problem: a family of PDEs indexed by one number, with its solution on any grid.
//
// Why: data, evaluation under shift, projection onto conservation laws and reports all need to know the same
// few things of a PDE: what it is, from which parameters one trains and tests, its solution, its mass
// law, its bounds. They ask this interface and never which PDE it is. When: `make_problem(name, options)`;
// a problem of your own derives from Problem and is made known with register_problem before it is first
// asked for (examples/extend has one). Inside the library `problems.def` lists the names; adding a problem is
// one .cpp file, one line there, one test.
//
// Contract: everything is const and may be called from many threads. Parameters outside the admissible
// interval, grids outside the domain and unknown options are refused with an Error. Fields are laid out as
// [axis 0][axis 1] (one channel), in double; a scalar parameter becomes a constant input field.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/bounds.h>
#include <nouq/error.h>
#include <nouq/export.h>
#include <nouq/grid.h>
#include <nouq/random.h>

namespace nouq {

// How far the parameters are from those trained on; the ranges are a property of the problem.
enum class Shift { in_domain, small, medium, large };
inline constexpr std::array<Shift, 4> all_shifts = {Shift::in_domain, Shift::small, Shift::medium,
                                                    Shift::large};
NOUQ_API std::string to_string(Shift shift);
NOUQ_API Shift shift_from_name(std::string_view name);
NOUQ_API std::vector<std::string> shift_names();

struct ParameterRange {
  double low = 0;
  double high = 0;
  friend bool operator==(const ParameterRange&, const ParameterRange&) = default;
};

struct Quantity {
  std::string name;
  std::string unit;
};

enum class InputKind {
  parameter,  // the input field is the parameter, constant everywhere
  function,   // the input field is a function that the parameter (and the random stream) shape
};

struct Parameter {
  std::string name;
  std::string symbol;
  ParameterRange admissible;  // an open interval
};

struct ProblemOption {
  std::string name;
  std::string default_value;
  std::string meaning;
};
using ProblemOptions = std::map<std::string, std::string>;

struct AxisDomain {
  Quantity axis;
  double low = 0;
  double high = 0;
};

struct ProblemDescription {
  std::string name;
  std::string words;       // the problem in a sentence
  std::string equation;    // in symbols
  std::string conditions;  // initial and boundary conditions
  std::string citation;
  std::vector<AxisDomain> domain;  // a time axis, if there is one, is last and called "t"
  InputKind input_kind = InputKind::parameter;
  Parameter parameter;
  Quantity input;
  Quantity output;
  std::array<ParameterRange, 4> ranges;  // indexed by Shift
  std::vector<ProblemOption> options;
};

enum class Side { low, high };

// One member of the family: its parameter, and the random numbers of problems whose input is a random field.
struct Draw {
  double parameter;
  Stream stream;
};

// One sample: its input field, and where a solver writes the solution. `mass` has one value per time when the
// problem has a mass law, else none.
struct SampleView {
  std::span<const double> input;
  std::span<double> output;
  std::span<double> mass;
};

// Both are for the grid they were made for, may be called from many threads at once and must not outlive
// their problem. Why apart: a surrogate needs the input of a member and replaces its solution.
using InputMaker = std::function<void(const Draw&, std::span<double> input)>;
using Solver = std::function<void(const Draw&, const SampleView&)>;

class NOUQ_API Problem {
 public:
  Problem(ProblemDescription description, Grid default_grid)
      : description_(std::move(description)), default_grid_(std::move(default_grid)) {}
  virtual ~Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] const ProblemDescription& description() const { return description_; }
  [[nodiscard]] const std::string& name() const { return description_.name; }
  [[nodiscard]] const Grid& default_grid() const { return default_grid_; }
  [[nodiscard]] ParameterRange range(Shift shift) const {
    return description_.ranges.at(static_cast<std::size_t>(shift));
  }
  // The axis called "t", when there is one.
  [[nodiscard]] std::optional<std::size_t> time_axis() const;

  void check_parameter(double parameter) const;
  void check_grid(const Grid& grid) const;

  // Writes the input field of a member, without solving it.
  [[nodiscard]] InputMaker inputs(const Grid& grid) const;
  // Solves a member whose input field is given. Does once what all samples on this grid share.
  [[nodiscard]] Solver solver(const Grid& grid) const;

  // The right-hand side b(t) of the mass law: integral of u over the domain at time t, one value per time.
  // Empty when no law is known.
  [[nodiscard]] virtual std::vector<double> mass(double parameter, std::span<const double> times) const;
  [[nodiscard]] virtual bool has_mass_law() const { return false; }
  // Whether mass() runs the solver, for want of a formula: then it is computed only for who asks for it.
  [[nodiscard]] virtual bool mass_needs_solver() const { return false; }
  // The range of values the solution may take at time t (problems without time ignore t).
  [[nodiscard]] virtual Bounds bounds(double parameter, double t) const;
  // The value the solution keeps at an end of every space axis, where it is known.
  [[nodiscard]] virtual std::optional<double> boundary_value(double parameter, Side side, double t) const;

 private:
  // The parameter at every point; a problem whose input is a function says here which.
  [[nodiscard]] virtual InputMaker make_inputs(const Grid& grid) const;
  [[nodiscard]] virtual Solver make_solver(const Grid& grid) const = 0;

  ProblemDescription description_;
  Grid default_grid_;
};

NOUQ_API std::vector<std::string> problem_names();
// Throws for an unknown name (and says the nearest valid one), unknown options and unusable option values.
NOUQ_API std::unique_ptr<Problem> make_problem(std::string_view name, const ProblemOptions& options = {});

using ProblemMaker = std::function<std::unique_ptr<Problem>(const ProblemOptions&)>;
// Makes a problem known by name, to everything that takes one. Throws when the name is taken. Options that
// its description does not declare are refused before the maker's problem is handed out. Register before
// first use, from one thread; the library reads the list from many.
NOUQ_API void register_problem(const std::string& name, ProblemMaker make);

}  // namespace nouq

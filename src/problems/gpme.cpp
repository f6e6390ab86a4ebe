// The generalised porous medium equation u_t = (k(u) u_x)_x, solved numerically (gpme_solver.h) for the
// coefficients of gpme_solver.h. The option form picks k(u) and with it the problem around it: constant is
// the heat problem, power the porous medium problem, threshold the Stefan problem (with u(1, t) = 0 for all
// times), each with the domain and ranges of its exact twin; exponential has no closed form: k = exp(a u), a
// front of heat that enters a cold medium at x = 0. With ends=closed nothing crosses the ends, and what is
// there at t = 0, a level and three waves of cosine drawn for every sample, spreads evenly: the mass stays
// what it is. The initial state is not among the inputs: such data are for roll-outs, which begin with it.
//
// Mass law: what is there at t = 0 and what came in through the ends since, from the solver's own fluxes.
// Bounds: the maximum principle, i.e. the range of the initial and end values up to time t.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/error.h"
#include "problems/description.h"
#include "problems/gpme_solver.h"
#include "problems/space_time.h"

namespace nouq::problems {
namespace {

struct Form {
  std::string name;
  std::string equation;
  std::string conditions;
  double length;
  std::string final_time;
  int order;  // in time: 1 where there is a shock
  Parameter parameter;
  std::array<ParameterRange, 4> ranges;
  Bounds (*bounds)(double parameter, double t);
  GpmeSetup (*setup)(double parameter);
};

double nothing(double) { return 0; }
double one(double) { return 1; }
Bounds zero_to_one(double /*parameter*/, double /*t*/) { return {0, 1}; }

GpmeSetup constant_setup(double k) {
  return {2 * std::numbers::pi, make_coefficient("constant", k), [](double x) { return std::sin(x); },
          nothing, nothing};
}
GpmeSetup power_setup(double m) {
  const auto front = [m](double since) { return since > 0 ? std::pow(m * since, 1 / m) : 0.0; };
  return {1, make_coefficient("power", m), nothing, front, [front](double t) { return front(t - 1); }};
}
GpmeSetup threshold_setup(double u_star) {
  return {1, make_coefficient("threshold", u_star), nothing, one, nothing};
}
GpmeSetup exponential_setup(double a) {
  return {1, make_coefficient("exponential", a), nothing, one, nothing};
}

Bounds power_bounds(double m, double t) { return {0, std::pow(m * std::max(t, 0.0), 1 / m)}; }

// The same coefficient between closed ends, from a state of its own within 0.02 and 0.98.
GpmeSetup closed(GpmeSetup setup, const Stream& stream) {
  setup.initial = [length = setup.length, stream](double x) {
    double u = 0.35 + 0.3 * stream.uniform(0);
    for (const int k : {1, 2, 3}) {
      const double size = 0.18 / k * (2 * stream.uniform(static_cast<std::uint64_t>(k)) - 1);
      u += size * std::cos(k * std::numbers::pi * x / length);
    }
    return u;
  };
  setup.closed = true;
  return setup;
}

const std::vector<Form>& forms() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static const std::vector<Form> all = {
      {"constant",
       "u_t = (k u_x)_x on [0, 2 pi]",
       "u(x, 0) = sin x; u(0, t) = u(2 pi, t) = 0",
       2 * std::numbers::pi,
       "1",
       2,
       {"diffusivity", "k", {0, infinity}},
       {{{1, 5}, {5, 6}, {6, 7}, {7, 8}}},
       [](double, double) {
         return Bounds{-1, 1};
       },
       constant_setup},
      {"power",
       "u_t = (u^m u_x)_x on [0, 1]",
       "u(x, 0) = 0; u(0, t) = (m t)^(1/m); u(1, t) = (m max(t - 1, 0))^(1/m)",
       1,
       "1",
       2,
       {"degree", "m", {0, infinity}},
       {{{2, 3}, {1, 2}, {4, 5}, {5, 6}}},
       power_bounds,
       power_setup},
      {"threshold",
       "u_t = (1[u >= u*] u_x)_x on [0, 1]",
       "u(x, 0) = 0; u(0, t) = 1; u(1, t) = 0",
       1,
       "0.1",
       1,
       {"shock value", "u*", {0, 1}},
       {{{0.6, 0.65}, {0.55, 0.6}, {0.7, 0.75}, {0.5, 0.55}}},
       zero_to_one,
       threshold_setup},
      {"exponential",
       "u_t = (exp(a u) u_x)_x on [0, 1]",
       "u(x, 0) = 0; u(0, t) = 1; u(1, t) = 0",
       1,
       "0.1",
       2,
       {"exponent", "a", {0, 20}},
       {{{1, 2}, {2, 2.5}, {2.5, 3}, {3, 4}}},
       zero_to_one,
       exponential_setup}};
  return all;
}

class Gpme final : public Problem {
 public:
  Gpme(ProblemDescription description, Grid grid, Form form, bool closed, GpmeDiscretisation discretisation)
      : Problem(std::move(description), std::move(grid)),
        form_(std::move(form)),
        closed_(closed),
        discretisation_(discretisation) {}

  [[nodiscard]] bool has_mass_law() const override { return true; }
  [[nodiscard]] bool mass_needs_solver() const override { return true; }
  [[nodiscard]] Bounds bounds(double parameter, double t) const override {
    return closed_ ? zero_to_one(parameter, t) : form_.bounds(parameter, t);
  }
  [[nodiscard]] std::optional<double> boundary_value(double parameter, Side side, double t) const override {
    check_parameter(parameter);
    if (closed_) return std::nullopt;
    const GpmeSetup setup = form_.setup(parameter);
    return side == Side::low ? setup.left(t) : setup.right(t);
  }

  [[nodiscard]] std::vector<double> mass(double parameter, std::span<const double> times) const override {
    require(
        !closed_,
        "gpme: between closed ends the mass is that of the initial state, which is drawn for every sample: take it "
        "from the data");
    std::vector<double> masses(times.size());
    run({parameter, Stream(0, Purpose::fields)}, {}, times, {{}, {}, masses});
    return masses;
  }

 private:
  [[nodiscard]] Solver make_solver(const Grid& grid) const override {
    return [this, xs = grid[0].coordinates, ts = grid[1].coordinates](
               const Draw& draw, const SampleView& sample) { run(draw, xs, ts, sample); };
  }

  void run(const Draw& draw, std::span<const double> xs, std::span<const double> ts,
           const SampleView& sample) const {
    check_parameter(draw.parameter);
    const GpmeSetup setup = form_.setup(draw.parameter);
    GpmeSolver solver(closed_ ? closed(setup, draw.stream) : setup, discretisation_);
    const double initial_mass = solver.mass();
    for (std::size_t j = 0; j < ts.size(); ++j) {
      solver.advance_to(ts[j]);
      for (std::size_t i = 0; i < xs.size(); ++i) sample.output[i * ts.size() + j] = solver.value(xs[i]);
      sample.mass[j] = initial_mass + solver.net_inflow();
    }
  }

  Form form_;
  bool closed_;
  GpmeDiscretisation discretisation_;
};

// The form decides other options' defaults, so it is read before them.
const Form& form_of(const ProblemOptions& given) {
  const ProblemOption declared = {"form", "exponential",
                                  "coefficient k(u): constant, power, threshold or exponential"};
  const auto found = given.find("form");
  const OptionReader reader("gpme", {declared},
                            found == given.end() ? ProblemOptions{} : ProblemOptions{*found});
  const std::string name = reader.choice("form", coefficient_names());
  return *std::find_if(forms().begin(), forms().end(), [&](const Form& form) { return form.name == name; });
}

}  // namespace

std::unique_ptr<Problem> make_gpme(const ProblemOptions& given) {
  const Form& form = form_of(given);
  const OptionReader options(
      "gpme",
      space_time_options(
          form.final_time,
          {{"form", "exponential", "coefficient k(u): constant, power, threshold or exponential"},
           {"ends", "held",
            "held at given values, or closed: nothing crosses them, from an initial state drawn for every sample"},
           {"cells", "300", "finite volumes along x"},
           {"steps", "400", "least number of time steps over the time interval"}}),
      given);
  const bool closed_ends = options.choice("ends", {"held", "closed"}) == "closed";
  const double final_time = options.positive("final_time");
  const GpmeDiscretisation discretisation{
      options.count("cells", 2), final_time / static_cast<double>(options.count("steps", 1)), form.order};
  ProblemDescription description{
      .name = "gpme",
      .words =
          "Diffusion with a coefficient that depends on the solution, solved by conservative finite volumes",
      .equation = form.equation,
      .conditions =
          closed_ends
              ? "u(x, 0) = c + sum of b_k cos(k pi x / L), k = 1, 2, 3, drawn for every sample; u_x = 0 at both ends"
              : form.conditions,
      .citation = cite_maddix,
      .domain = space_time_domain(form.length, final_time),
      .input_kind = InputKind::parameter,
      .parameter = form.parameter,
      .input = {form.parameter.name, "1"},
      .output = {"u", "1"},
      .ranges = form.ranges,
      .options = options.declared()};
  return std::make_unique<Gpme>(std::move(description), space_time_grid(form.length, options), form,
                                closed_ends, discretisation);
}

}  // namespace nouq::problems

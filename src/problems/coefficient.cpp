#include "problems/coefficient.h"

#include <algorithm>
#include <cmath>

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

}  // namespace nouq

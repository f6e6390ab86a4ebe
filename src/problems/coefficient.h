// Diffusion coefficients k(u) of the generalised porous medium equation u_t = (k(u) u_x)_x.
//
// Why: the solver needs k and its integral Phi(u) = integral of k from 0 to u together, at every cell of
// every Newton step. The flux between two cells is the difference of Phi, which is right for degenerate and
// discontinuous k too. Contract: k >= 0, so Phi never decreases.
//
//   name         parameter  k(u)            Phi(u)
//   constant     k > 0      k               k u
//   power        m > 0      max(u, 0)^m     max(u, 0)^(m+1) / (m+1)
//   threshold    u* > 0     1[u >= u*]      max(u - u*, 0)
//   exponential  a > 0      exp(a u)        (exp(a u) - 1) / a
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nouq {

struct CoefficientValue {
  double k;
  double potential;
};
using Coefficient = std::function<CoefficientValue(double u)>;

std::vector<std::string> coefficient_names();
// Throws for an unknown name or a parameter that is not above zero.
Coefficient make_coefficient(const std::string& name, double parameter);

}  // namespace nouq

// What the descriptions of the built-in problems share: the reader of their options, and works that several
// cite.
//
// The reader takes the options a problem declares, with defaults, from the names and values a user gave.
//
// Why: options come as text (command line, files), so unknown names, unreadable numbers and values out of
// range must be refused with a message, in one place. Contract: the constructor refuses names that were not
// declared; each reader refuses a value it cannot use.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <nouq/problem.h>

namespace nouq::problems {

class OptionReader {
 public:
  OptionReader(std::string problem, std::vector<ProblemOption> declared, ProblemOptions given);

  [[nodiscard]] const std::vector<ProblemOption>& declared() const { return declared_; }
  // A finite number above zero.
  [[nodiscard]] double positive(const std::string& name) const;
  // A whole number, at least `least`.
  [[nodiscard]] Index count(const std::string& name, Index least) const;
  [[nodiscard]] std::string choice(const std::string& name, const std::vector<std::string>& valid) const;

 private:
  [[nodiscard]] const std::string& text(const std::string& name) const;

  std::string problem_;
  std::vector<ProblemOption> declared_;
  ProblemOptions given_;
};

// The works the problems come from, cited by more than one of them.
inline constexpr auto cite_mouli =
    "S. C. Mouli, D. C. Maddix, S. Alizadeh, G. Gupta, A. Stuart, M. W. Mahoney, Y. Wang: Using uncertainty "
    "quantification to characterize and improve out-of-domain learning for PDEs. ICML 2024";
inline constexpr auto cite_hansen =
    "D. Hansen, D. C. Maddix, S. Alizadeh, G. Gupta, M. W. Mahoney: Learning physical models that can "
    "respect conservation laws. ICML 2023";
inline constexpr auto cite_vazquez =
    "J. L. Vazquez: The porous medium equation: mathematical theory. Oxford University Press, 2007";
inline constexpr auto cite_maddix =
    "D. C. Maddix, L. Sampaio, M. Gerritsen: Numerical artifacts in the discontinuous generalized porous "
    "medium equation. Journal of Computational Physics 368, 277-298, 2018";
inline constexpr auto cite_li =
    "Z. Li, N. Kovachki, K. Azizzadenesheli, B. Liu, K. Bhattacharya, A. Stuart, A. Anandkumar: Fourier "
    "neural operator for parametric partial differential equations. ICLR 2021";

}  // namespace nouq::problems

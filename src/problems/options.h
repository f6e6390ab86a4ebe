// Reads a problem's options: the ones it declares, with defaults, from the names and values a user gave.
//
// Why: options come as text (command line, files), so unknown names, unreadable numbers and values out of
// range must be refused with a message, in one place. Contract: the constructor refuses names that were not
// declared; each reader refuses a value it cannot use.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "problems/problem.h"

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

}  // namespace nouq::problems

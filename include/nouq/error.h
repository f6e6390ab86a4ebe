// The one exception family of the library.
//
// Contract: nothing else is thrown across the library's interfaces, save std::bad_alloc. The message names
// the thing, the value it had and what was expected.
#pragma once

#include <stdexcept>
#include <string>

#include <nouq/export.h>

namespace nouq {

class NOUQ_API Error : public std::runtime_error {
 public:
  enum class Kind {
    user,     // the request cannot be met as asked: exit code 2
    failure,  // the request was fine, doing it failed: exit code 1
  };
  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace nouq

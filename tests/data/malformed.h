// A malformed file: its name, its bytes, and what the message about it must say.
#pragma once

#include <ostream>
#include <string>

namespace nouq::test {

struct Malformed {
  std::string name;
  std::string bytes;
  std::string message;
  // The name of the parameterised test.
  friend std::ostream& operator<<(std::ostream& out, const Malformed& file) { return out << file.name; }
};

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// Overwrites bytes at a position.
inline std::string patched(std::string text, std::size_t at, const std::string& with) {
  return text.replace(at, with.size(), with);
}

}  // namespace nouq::test

// Values of options by name: what a method or a network architecture has besides the settings of every
// training.
//
// When: `{.method = "diverse", .options = {{"count", 5}, {"strength", 0.1}, {"modes", std::vector{16, 8}}}}`.
// Names are those of the command line (`nouq train --help`); dashes and underscores are the same. Contract: a
// value is one truth value, whole number, number or text, or a list of them. Which names there are, and what
// each may be, is checked where the options are used, with a message that names the option.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace nouq {

using OptionScalar = std::variant<bool, std::int64_t, double, std::string>;

class OptionValue {
 public:
  OptionValue() = default;
  // Ready values: one for a plain option, any number for a list.
  OptionValue(std::vector<OptionScalar> values) : values_(std::move(values)) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string>) OptionValue(const T& value)
      : values_{scalar(value)} {}
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string>)
      OptionValue(const std::vector<T>& list) {
    for (const T& item : list) values_.push_back(scalar(item));
  }

  [[nodiscard]] const std::vector<OptionScalar>& values() const { return values_; }
  friend bool operator==(const OptionValue&, const OptionValue&) = default;

 private:
  template <class T>
  static OptionScalar scalar(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else {
      return std::string(value);
    }
  }

  std::vector<OptionScalar> values_;
};

using Options = std::map<std::string, OptionValue>;

}  // namespace nouq

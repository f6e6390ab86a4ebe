// The JSON of requests and answers, and the errors of the protocols.
//
// Contract: what comes from the network is not trusted. Text that is no JSON, is nested deeper than any
// request needs, lacks a key or has one of another kind, is an Error of kind user that names it. Numbers are
// finite.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>

#include "output.h"

namespace nouq::cli {

// A refusal with the name that UM-Bridge gives it.
class ProtocolError : public std::exception {
 public:
  ProtocolError(std::string type, std::string message)
      : type_(std::move(type)), message_(std::move(message)) {}
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
  [[nodiscard]] const std::string& type() const { return type_; }

 private:
  std::string type_, message_;
};

// An object; empty text is refused like any other.
Json parse_request(std::string_view text);

const Json& member(const Json& object, const std::string& key);
double number_of(const Json& value, const std::string& what);
Index integer_of(const Json& value, const std::string& what);
std::string text_of(const Json& value, const std::string& what);
std::map<std::string, double> numbers_by_name(const Json& value, const std::string& what);
std::vector<double> list_of_numbers(const Json& value, const std::string& what);
// The keys of an object must be among these.
void require_keys(const Json& object, std::span<const std::string_view> known);

// Appends [a,b,...] with so many significant digits; what is not finite becomes null.
void append_numbers(std::span<const double> values, std::string& text, int digits = 7);
// The same, exactly: reading them gives the same doubles.
void append_exact(std::span<const double> values, std::string& text);

// {"error":{"type","message"}}
std::string error_text(const std::string& type, const std::string& message);

}  // namespace nouq::cli

// The options of one command, or the settings of a training, of a study, of anything that is configured: a
// table.
//
// Why: from this one table come the parser, the reader of configuration files, --print-config, --help, the
// manual page, the completion of shells, JSON, Python's keywords, comparison and the docs' tables, so that
// none of them can differ from the others. A struct of settings has one function that fills a table,
// `void describe(OptionTable&, Settings&)`. When: build it around a struct whose members hold the defaults:
//
//   OptionTable table("generate", "make a data set from a built-in problem");
//   table.group("What to draw");
//   table.add("samples", options.samples, "number of samples").with_letter('n').at_least(1);
//
// Contract: the variables outlive the table. The kind of an option follows from the type of its variable:
// bool, integers, double, std::string, std::filesystem::path, std::vector of them (a list), std::optional of
// them (may be left unset). What the variable holds when it is added is the default.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <type_traits>

#include "config/option.h"

namespace nouq {

struct Example {
  std::string command;
  std::string meaning;
};

// Which options a user has given, on the command line or in a file, by name; and which of them are not the
// default. (A printed configuration gives every option, and changes few.)
struct GivenOptions {
  std::set<std::string> names;
  std::set<std::string> changed;
};

class OptionTable {
 public:
  // The summary is one line; the description, some sentences for the manual, may be empty.
  OptionTable(std::string name, std::string summary, std::string description = "");

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& summary() const { return summary_; }
  [[nodiscard]] const std::string& description() const { return description_; }

  // The heading under which the options added from now on are shown.
  OptionTable& group(std::string heading);
  template <class T>
  Option& add(std::string name, T& variable, std::string help);
  // A choice kept as an enum: `from_name` and `to_name` turn names into values and back.
  template <class T, class FromName, class ToName>
  Option& add_named(std::string name, T& variable, FromName from_name, ToName to_name,
                    std::vector<std::string> names, std::string help);
  // One that is described already, e.g. in another table; joins the present group.
  Option& add(Option option);
  // For a command that sets one of the options itself. Throws when there is none of that name.
  void remove(const std::string& name);
  OptionTable& example(std::string command, std::string meaning);
  // Keeps account of the options added so far; `given` outlives the table.
  void collect_given(GivenOptions& given);

  [[nodiscard]] const std::deque<Option>& options() const { return options_; }
  [[nodiscard]] const std::vector<Example>& examples() const { return examples_; }
  // The headings, in the order of their first use.
  [[nodiscard]] std::vector<std::string> groups() const;
  // nullptr when there is none.
  [[nodiscard]] const Option* find(const std::string& name) const;

  // Throws unless every required option has a value.
  void require_complete() const;

 private:
  std::string name_;
  std::string summary_;
  std::string description_;
  std::string group_ = "Options";
  std::deque<Option> options_;  // `add` hands out references
  std::vector<Example> examples_;
};

namespace detail {

// What an option must know of the type of its variable.
template <class T>
struct Variable {
  static constexpr OptionKind kind = std::is_same_v<T, bool>                    ? OptionKind::flag
                                     : std::is_integral_v<T>                    ? OptionKind::integer
                                     : std::is_floating_point_v<T>              ? OptionKind::real
                                     : std::is_same_v<T, std::filesystem::path> ? OptionKind::path
                                                                                : OptionKind::text;
  using Stored = std::conditional_t<
      kind == OptionKind::flag, bool,
      std::conditional_t<kind == OptionKind::integer, std::int64_t,
                         std::conditional_t<kind == OptionKind::real, double, std::string>>>;
  static constexpr bool list = false;
  static constexpr bool optional = false;
  using Element = T;

  static T from(const Scalar& value) { return static_cast<T>(std::get<Stored>(value)); }
  static Scalar to(const T& value) {
    if constexpr (kind == OptionKind::path) {
      return value.string();
    } else {
      return static_cast<Stored>(value);
    }
  }
  static T from(const Values& values) { return from(values.front()); }
  static Values to_values(const T& value) { return {to(value)}; }
};

template <class T>
struct Variable<std::vector<T>> : Variable<T> {
  static constexpr bool list = true;
  static std::vector<T> from(const Values& values) {
    std::vector<T> result;
    for (const Scalar& value : values) result.push_back(Variable<T>::from(value));
    return result;
  }
  static Values to_values(const std::vector<T>& items) {
    Values values;
    for (const auto& item : items) values.push_back(Variable<T>::to(item));
    return values;
  }
};

template <class T>
struct Variable<std::optional<T>> : Variable<T> {
  static constexpr bool optional = true;
  static std::optional<T> from(const Values& values) {
    return values.empty() ? std::nullopt : std::optional<T>(Variable<T>::from(values));
  }
  static Values to_values(const std::optional<T>& value) {
    return value ? Variable<T>::to_values(*value) : Values{};
  }
};

}  // namespace detail

template <class T, class FromName, class ToName>
Option& OptionTable::add_named(std::string name, T& variable, FromName from_name, ToName to_name,
                               std::vector<std::string> names, std::string help) {
  Option option;
  option.name = std::move(name);
  option.help = std::move(help);
  option.kind = OptionKind::text;
  option.choices = std::move(names);
  option.store = [&variable, from_name](const Values& values) {
    variable = from_name(std::get<std::string>(values.front()));
  };
  option.load = [&variable, to_name] { return Values{std::string(to_name(variable))}; };
  option.default_values = option.load();
  return add(std::move(option));
}

template <class T>
Option& OptionTable::add(std::string name, T& variable, std::string help) {
  using Variable = detail::Variable<T>;
  using Element = typename Variable::Element;
  Option option;
  option.name = std::move(name);
  option.help = std::move(help);
  option.kind = Variable::kind;
  option.list = Variable::list;
  option.optional = Variable::optional;
  // Wide integers have no limits but these: files hold no more than 64 bits with a sign.
  if constexpr (Variable::kind == OptionKind::integer && sizeof(Element) < sizeof(std::int64_t)) {
    option.low = static_cast<double>(std::numeric_limits<Element>::min());
    option.high = static_cast<double>(std::numeric_limits<Element>::max());
  } else if constexpr (Variable::kind == OptionKind::integer && std::is_unsigned_v<Element>) {
    option.low = 0;
  }
  option.store = [&variable](const Values& values) { variable = Variable::from(values); };
  option.load = [&variable] { return Variable::to_values(variable); };
  option.default_values = option.load();
  return add(std::move(option));
}

// The texts about an option that help, manual page, reference and completion share.

// "-n, --samples N"; a positional one is "PROBLEM".
std::string signature(const Option& option);
// "number of samples (an integer of at least 1; 400)": the help line, what is allowed, the default.
std::string explanation(const Option& option);
// "nouq generate PROBLEM [options]".
std::string usage(const std::string& program, const OptionTable& table);
// The text in lines of at most `width` characters, each after `indent` blanks; the first line has none.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 100);
std::string in_capitals(std::string text);

}  // namespace nouq

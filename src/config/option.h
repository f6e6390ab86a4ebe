// One option: its name, where its value lives, what it may be, and the line that explains it.
//
// Why: the command line, the configuration file, help, manual page and shell completion all need to know the
// same things of an option. They are said once, here, and everything else is made from them. When: through
// OptionTable::add, which fills in what follows from the type of the variable; the functions that return
// Option& say the rest. Contract: a value reaches the variable only through `assign`, after it has been found
// to be of the right kind, in range and among the choices; errors name the place, the value and what was
// expected.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace nouq {

enum class OptionKind { flag, integer, real, text, path };

using Scalar = std::variant<bool, std::int64_t, double, std::string>;
// One for a plain option, any number for a list, none for an option that is not set.
using Values = std::vector<Scalar>;

struct Option {
  std::string name;  // --name on the command line, name = ... in a file
  std::string help;  // one line, without a full stop
  std::string group;
  OptionKind kind = OptionKind::text;
  bool list = false;
  bool optional = false;  // may have no value at all
  char letter = 0;        // -l
  std::string value_name;
  bool positional = false;
  bool required = false;
  bool command_line_only = false;
  std::vector<std::string> choices;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
  bool high_excluded = false;
  std::function<void(const Values&)> store;
  std::function<Values()> load;
  Values default_values;

  Option& with_letter(char short_name);
  Option& shown_as(std::string word);  // what stands for the value in help: FILE, A:B
  Option& as_positional();             // may be given without its name
  Option& as_required();
  Option& only_on_command_line();  // makes no sense in a file
  Option& one_of(std::vector<std::string> names);
  Option& between(double lowest, double highest);
  Option& at_least(double lowest);
  Option& above(double bound);
  Option& below(double bound);
};

// "an integer from 1 to 9", "one of a, b", "a list of numbers above 0".
std::string expectation(const Option& option);

// Checks the values and stores them. `label` begins the message: "--samples", "study.toml:3: samples".
void assign(const Option& option, const Values& values, const std::string& label);

// The same from words of a command line: each of a list's may hold several values, separated by commas.
void assign_words(const Option& option, std::span<const std::string> words, const std::string& label);

// True unless there is no value, or only an empty text.
bool is_set(const Values& values);

// A value as one writes it on a command line, lists with commas.
std::string to_words(const Values& values);

}  // namespace nouq

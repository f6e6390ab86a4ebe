// One option: its name, the variable that holds its value, what it may be, and the text that explains it.
//
// Why: the command line, the configuration file, JSON, Python's keywords, fingerprints, help, manual page,
// shell completion and the docs' tables all need to know the same things of an option. They are said once,
// here, and everything else is made from them. When: through
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
#include <vector>

#include <nouq/options.h>

namespace nouq {

enum class OptionKind { flag, integer, real, text, path };

using Scalar = OptionScalar;
// One for a plain option, any number for a list, none for an option that is not set.
using Values = std::vector<Scalar>;

struct Option {
  std::string name;       // --name on the command line, name = ... in a file
  std::string help;       // one line, without a full stop
  std::string paragraph;  // what it does, when to change it, where it comes from; may be empty
  std::string unit;       // of a number; may be empty
  std::string since;      // the version that brought it; empty for the first
  std::string group;
  OptionKind kind = OptionKind::text;
  bool list = false;
  bool optional = false;  // may have no value at all
  char letter = 0;        // -l
  std::string value_name;
  bool positional = false;
  bool required = false;
  bool command_line_only = false;
  bool affects_result = true;       // false: threads and places, which no fingerprint or model file records
  std::vector<std::string> owners;  // the methods or architectures that have it; empty: all of them
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
  Option& only_for(std::vector<std::string> names);  // the owners
  Option& about(std::string text);                   // the paragraph
  Option& in_unit(std::string word);
  Option& since_version(std::string version);
  Option& without_effect_on_result();
};

// Names have dashes on the command line and in files (weight-decay), underscores in Python and JSON.
std::string identifier(std::string name);
std::string option_name(std::string identifier);

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

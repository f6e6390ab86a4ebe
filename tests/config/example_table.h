// A table with every kind of option, for the tests of src/config.
#pragma once

#include "config/option_table.h"

namespace nouq::test {

struct ExampleOptions {
  std::string problem;
  std::int64_t samples = 400;
  std::uint64_t seed = 0;
  int threads = 0;
  double rate = 1e-3;
  std::optional<double> weight;
  bool fast = false;
  std::string method = "diverse";
  std::filesystem::path output;
  std::vector<std::int64_t> modes = {12, 12};
  std::vector<double> times;
  std::vector<std::string> names;
  std::filesystem::path config;
  friend bool operator==(const ExampleOptions&, const ExampleOptions&) = default;
};

inline OptionTable example_table(ExampleOptions& o) {
  OptionTable table("train", "learn something", "First sentence. Second sentence.");
  table.group("What");
  table.add("problem", o.problem, "the problem")
      .one_of({"heat", "pme", "stefan"})
      .as_positional()
      .as_required();
  table.add("samples", o.samples, "how many").with_letter('n').between(1, 1000);
  table.add("seed", o.seed, "of the random numbers");
  table.add("threads", o.threads, "0 for all").at_least(0);
  table.group("How");
  table.add("rate", o.rate, "of learning").above(0);
  table.add("weight", o.weight, "of a term");
  table.add("fast", o.fast, "be quick");
  table.add("method", o.method, "which one").one_of({"diverse", "ensemble"});
  table.add("output", o.output, "where to").with_letter('o');
  table.add("modes", o.modes, "kept modes").at_least(1);
  table.add("times", o.times, "when");
  table.add("names", o.names, "who");
  table.add("config", o.config, "a file").only_on_command_line();
  table.example("tool train pme -n 3", "Three of them");
  return table;
}

}  // namespace nouq::test

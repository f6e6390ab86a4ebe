// Options that several owners (methods, architectures) declare each for itself, as one list.
//
// Why: on the command line, in files and in Python all of them stand side by side, and `count` means heads
// for one method and networks for another. Contract: a name stands once; owners that share a name must agree
// on its kind and range, which is checked here; where their help differs, it says what is meant for each.
#pragma once

#include <string>
#include <vector>

#include "config/option_table.h"

namespace nouq {

class DeclaredOptions {
 public:
  // The table of one owner; what its options store is of no interest afterwards.
  void add(const std::string& owner, const OptionTable& table);
  // The options in the order of their first declaration, each with its owners; `store` and `load` go to and
  // from `values`, which must outlive them. Say in help whose they are, unless all `owners` have it.
  [[nodiscard]] std::vector<Option> options(Options& values) const;
  [[nodiscard]] bool has(const std::string& name) const;
  // Who has it; empty when there is none.
  [[nodiscard]] std::vector<std::string> owners(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Entry {
    Option option;
    std::vector<std::string> help;  // of each owner
  };
  [[nodiscard]] std::string help(const Entry& entry) const;

  std::vector<std::string> all_owners_;
  std::vector<Entry> entries_;
};

}  // namespace nouq

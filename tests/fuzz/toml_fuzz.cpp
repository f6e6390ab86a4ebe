// Configuration files of arbitrary bytes: what is accepted can be written, and comes back the same.
#include <cstdlib>

#include "config/example_table.h"
#include "config/toml.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nouq;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::refuse_or_accept([&] {
    test::ExampleOptions options;
    const OptionTable table = test::example_table(options);
    const OptionTable* tables[] = {&table};
    apply_toml(text, "input", tables);
    test::ExampleOptions again;
    const OptionTable fresh = test::example_table(again);
    const OptionTable* fresh_tables[] = {&fresh};
    try {
      apply_toml(to_toml(table), "written", fresh_tables);
    } catch (const Error&) {
      std::abort();
    }
    if (!(again == options)) std::abort();
  });
  return 0;
}

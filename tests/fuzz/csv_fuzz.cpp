// CSV tables of arbitrary bytes: what is read has equally long rows, and numbers are read or refused.
#include <cstdlib>

#include "data/csv.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nouq;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::refuse_or_accept([&] {
    const CsvTable table = read_csv(text, "input");
    std::size_t columns = table.header.size();
    for (const CsvRow& row : table.rows) {
      if (columns == 0) columns = row.cells.size();
      if (row.cells.size() != columns) std::abort();
      fuzz::refuse_or_accept([&] { csv_number(row, 0, "input"); });
    }
  });
  return 0;
}

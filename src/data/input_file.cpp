#include "data/input_file.h"

#include "data/load.h"
#include "data/run_file.h"

namespace nouq {

InputFile load_inputs(const std::filesystem::path& path) {
  try {
    DataSet data = load_data_set(path);
    return {data.inputs, std::move(data)};
  } catch (const Error& not_a_data_set) {
    const auto file = open_run_file(path);
    const auto names = file->names();
    const bool named = file->has("inputs");
    // A broken data set is not a file of inputs: its own message says more.
    if (file->has("outputs") || (!named && names.size() != 1)) throw;
    const Array<double> wide = file->read(named ? "inputs" : names.front());
    return {Array<float>(wide.shape(), wide.begin(), wide.end()), std::nullopt};
  }
}

}  // namespace nouq

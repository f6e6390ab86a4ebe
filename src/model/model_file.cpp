#include "model/model_file.h"

#include <set>

#include "core/error.h"
#include "core/tensor_file.h"
#include "model/metadata.h"
#include "nn/parameters.h"
#include "uq/method.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

std::string tensor_name(Index network, const Tensor& tensor) {
  return fmt::format("network.{}.{}", network, tensor.name);
}

ArrayView<const double> view(const std::vector<double>& values) {
  return {values.data(), {std::ssize(values)}};
}

// An array that was never set has no shape either: it stays away.
void add(TensorFileWriter& file, const std::string& name, const Array<double>& array) {
  if (array.rank() > 0 || !array.empty()) file.add(name, array.view());
}

void add(TensorFileWriter& file, const std::string& name, const Normalisation& normalisation) {
  if (normalisation.is_none()) return;
  file.add(name + ".mean", view(normalisation.mean()));
  file.add(name + ".deviation", view(normalisation.deviation()));
}

void add(TensorFileWriter& file, const std::string& prefix,
         const std::map<std::string, Array<double>>& arrays) {
  for (const auto& [name, array] : arrays) add(file, prefix + name, array);
}

// Takes tensors out of a file and keeps count of those that were not asked for.
class Taker {
 public:
  explicit Taker(const TensorFile& file) : file_(file) {
    for (std::string& name : file.names()) left_.insert(std::move(name));
  }

  Array<double> array(const std::string& name) {
    left_.erase(name);
    const ArrayView<const double> values = file_.doubles(name);
    return {values.shape(), {values.begin(), values.end()}};
  }
  Array<double> array_if_there(const std::string& name) {
    return file_.has(name) ? array(name) : Array<double>();
  }
  std::vector<double> list(const std::string& name) {
    const Array<double> values = array(name);
    require(values.rank() == 1, "tensor '{}' has shape {}: expected one axis", name,
            to_string(values.shape()));
    return {values.begin(), values.end()};
  }
  Normalisation normalisation(const std::string& name) {
    if (!file_.has(name + ".mean")) return {};
    return {list(name + ".mean"), list(name + ".deviation")};
  }
  std::map<std::string, Array<double>> all_with(const std::string& prefix) {
    std::map<std::string, Array<double>> arrays;
    for (const std::string& name : file_.names()) {
      if (name.starts_with(prefix)) arrays[name.substr(prefix.size())] = array(name);
    }
    return arrays;
  }
  void append(const std::string& name, const Shape& shape, std::vector<float>& values) {
    left_.erase(name);
    const ArrayView<const float> found = file_.floats(name);
    require(found.shape() == shape, "tensor '{}' has shape {}: expected {}", name, to_string(found.shape()),
            to_string(shape));
    values.insert(values.end(), found.begin(), found.end());
  }
  void require_nothing_left() const {
    require(left_.empty(), "tensor '{}' does not belong to this model", left_.empty() ? "" : *left_.begin());
  }

 private:
  const TensorFile& file_;
  std::set<std::string> left_;
};

// The one copy: from the mapped file to the weights. Memory is only asked for when the first tensor is there
// and the file is as long as the network's weights.
std::vector<float> read_network(Taker& tensors, const ParameterLayout& layout, Index network,
                                Index floats_in_file) {
  require(layout.size() <= floats_in_file, "network {} needs {} numbers, the file has {}", network,
          layout.size(), floats_in_file);
  std::vector<float> weights;
  weights.reserve(layout.size());
  for (const Tensor& tensor : layout.tensors())
    tensors.append(tensor_name(network, tensor), tensor.shape, weights);
  return weights;
}

// The noise variances of the law keep the name they have had in files from the first.
constexpr const char *noise_in_files = "law.slack", *noise_in_memory = "law.noise";

void rename(std::map<std::string, Array<double>>& state, const char* from, const char* to) {
  if (auto node = state.extract(from)) {
    node.key() = to;
    state.insert(std::move(node));
  }
}

Surrogate read_surrogate(const TensorFile& file) {
  Description description = read_metadata(file.metadata());
  Surrogate& s = description.surrogate;
  Taker tensors(file);
  for (std::size_t axis = 0; axis < s.grid.size(); ++axis)
    s.grid[axis].coordinates = tensors.list(fmt::format("grid.{}", axis));
  s.input_range = tensors.array_if_there("input_range");
  s.parameter_range = tensors.array_if_there("parameter_range");
  s.input_normalisation = tensors.normalisation("input_normalisation");
  s.output_normalisation = tensors.normalisation("output_normalisation");
  s.state = tensors.all_with("state.");
  rename(s.state, noise_in_files, noise_in_memory);
  s.history = tensors.all_with("history.");
  const ParameterLayout layout(s.network);
  const auto floats = static_cast<Index>(file.data_bytes() / sizeof(float));
  for (Index k = 0; k < description.networks; ++k)
    s.weights.push_back(read_network(tensors, layout, k, floats));
  tensors.require_nothing_left();
  return std::move(s);
}

TensorFile open_model(const fs::path& path) {
  return TensorFile(
      path, [&](const Metadata& metadata) { with_source(path.string(), [&] { require_model(metadata); }); });
}

}  // namespace

void save_model(const Surrogate& s, const fs::path& path) {
  with_source(fmt::format("cannot save {}", path.string()), [&] { check(s); });
  TensorFileWriter file;
  file.metadata = write_metadata(s);
  for (std::size_t axis = 0; axis < s.grid.size(); ++axis)
    file.add(fmt::format("grid.{}", axis), view(s.grid[axis].coordinates));
  add(file, "input_range", s.input_range);
  add(file, "parameter_range", s.parameter_range);
  add(file, "input_normalisation", s.input_normalisation);
  add(file, "output_normalisation", s.output_normalisation);
  auto state = s.state;
  rename(state, noise_in_memory, noise_in_files);
  add(file, "state.", state);
  add(file, "history.", s.history);
  const ParameterLayout layout(s.network);
  for (std::size_t k = 0; k < s.weights.size(); ++k) {
    for (const Tensor& tensor : layout.tensors())
      file.add(tensor_name(static_cast<Index>(k), tensor),
               ArrayView<const float>(s.weights[k].data() + tensor.offset, tensor.shape));
  }
  file.write(path);
}

Surrogate load_model(const fs::path& path) {
  const TensorFile file = open_model(path);
  return with_source(path.string(), [&] {
    Surrogate surrogate = read_surrogate(file);
    check(surrogate);
    return surrogate;
  });
}

std::string model_fingerprint(const fs::path& path) { return open_model(path).checksum(); }

}  // namespace nouq

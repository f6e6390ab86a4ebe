// The tests that an architecture has to pass: gradients against central differences in double, the same bits
// for any number of threads, and an interrupted training that goes on to the same bits.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>

#include <nouq/nouq.hpp>

#include "axial_trunk.h"
#include "extensions.h"

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  std::printf("%-70s %s\n", what, holds ? "holds" : "FAILS");
  failures += holds ? 0 : 1;
}

// All tensors of the trunk one after another, nothing else.
class Places final : public nouq::TensorPlaces {
 public:
  explicit Places(const std::vector<nouq::TensorPlan>& plans) {
    for (const nouq::TensorPlan& plan : plans) {
      offsets_[plan.name] = size_;
      nouq::Index count = 1;
      for (const nouq::Index extent : plan.shape) count *= extent;
      size_ += count;
    }
  }
  nouq::Index offset(std::string_view name) const override { return offsets_.at(std::string(name)); }
  nouq::Index dense_size() const override { return size_; }
  nouq::Index trunk_dense_size() const override { return size_; }

 private:
  std::map<std::string, nouq::Index> offsets_;
  nouq::Index size_ = 0;
};

// Numbers without a pattern that matters.
double noise(std::size_t i) { return std::sin(12.9898 * static_cast<double>(i + 1)) * 0.7; }

std::vector<nouq::TensorPlan> plans(const nouq::NetworkOptions& o) {
  std::vector<nouq::TensorPlan> list = {{"lift.weight", {o.input_channels, o.width}},
                                        {"lift.bias", {o.width}}};
  for (nouq::Index b = 0; b < o.blocks; ++b) {
    const std::string block = "blocks." + std::to_string(b) + ".";
    list.push_back({block + "weight", {o.width, o.width}});
    list.push_back({block + "bias", {o.width}});
    for (std::size_t j = 0; j < o.modes.size(); ++j)
      list.push_back({block + "spectral" + std::to_string(j), {o.modes[j], 2, o.width, o.width}});
  }
  return list;
}

// The largest difference between the adjoint and central differences of a linear function of the output.
double worst_gradient(const nouq::Shape& grid, const std::vector<nouq::Index>& modes) {
  nouq::NetworkOptions o;
  o.input_channels = 2;
  o.width = 3;
  o.blocks = 2;
  o.modes = modes;
  const Places places(plans(o));
  AxialTrunk<double> trunk({o, places, grid, 1});
  nouq::Index points = 1;
  for (const nouq::Index n : grid) points *= n;
  const auto size = static_cast<std::size_t>(places.dense_size());
  std::vector<double> parameters(size), partial(size), inputs(static_cast<std::size_t>(points * 2)),
      by_input(inputs.size());
  for (std::size_t i = 0; i < size; ++i) parameters[i] = 0.5 * noise(i);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = noise(i + 1000);
  const auto outputs = static_cast<std::size_t>(points * o.width);
  const auto value = [&] {
    trunk.forward(parameters.data(), inputs.data(), 1, true);
    double sum = 0;
    for (std::size_t i = 0; i < outputs; ++i) sum += noise(i + 5000) * trunk.output(0)[i];
    return sum;
  };
  value();
  for (std::size_t i = 0; i < outputs; ++i) trunk.output_gradient(0)[i] = noise(i + 5000);
  trunk.backward(parameters.data(), 1, partial.data(), nullptr, by_input.data());
  double worst = 0;
  const auto compare = [&](std::vector<double>& x, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double old = x[i], h = 1e-6;
      x[i] = old + h;
      const double up = value();
      x[i] = old - h;
      const double down = value();
      x[i] = old;
      worst = std::max(worst, std::abs(gradient[i] - (up - down) / (2 * h)));
    }
  };
  compare(parameters, partial);
  compare(inputs, by_input);
  return worst;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string trained(nouq::TrainSettings settings, const nouq::DataSet& data, int threads,
                    const nouq::Progress& progress = {}) {
  settings.threads = threads;
  const auto path = std::filesystem::temp_directory_path() / "axial_test.nouq";
  nouq::train(data, settings, progress).save(path.string());
  return bytes_of(path);
}

void training_tests() {
  const nouq::DataSet data = nouq::generate("burgers", {.samples = 25, .seed = 1});
  nouq::TrainSettings settings{.method = "ensemble", .architecture = "axial", .epochs = 4};
  settings.options = {{"count", 2}, {"width", 6}, {"modes", 4}, {"padding", 0}, {"blocks", 2}};
  const std::string one = trained(settings, data, 1);
  expect(!one.empty() && one == trained(settings, data, 2), "two threads train the same model as one");
  const auto folder = std::filesystem::temp_directory_path() / "axial_test_checkpoints";
  std::filesystem::remove_all(folder);
  settings.folder = folder.string();
  nouq::Progress stop;
  stop.on_epoch = [](const nouq::EpochReport& report) { return report.epoch < 1; };
  bool cancelled = false;
  try {
    trained(settings, data, 1, stop);
  } catch (const nouq::Cancelled&) {
    cancelled = true;
  }
  expect(cancelled, "a training can be stopped");
  expect(one == trained(settings, data, 2), "a training that was stopped goes on to the same model");
  std::filesystem::remove_all(folder);
  settings.options["padding"] = 9;
  std::string refusal;
  try {
    trained(settings, data, 1);
  } catch (const nouq::Error& error) {
    refusal = error.what();
  }
  expect(refusal.find("pads nothing") != std::string::npos, "padding, which it would ignore, is refused");
}

}  // namespace

int main() try {
  add_burgers();
  add_axial();
  expect(worst_gradient({7}, {3}) < 1e-8, "gradients over one axis agree with central differences");
  expect(worst_gradient({6, 5}, {4, 2}) < 1e-8, "gradients over two axes agree with central differences");
  expect(worst_gradient({4, 3, 5}, {2, 1, 3}) < 1e-8,
         "gradients over three axes agree with central differences");
  training_tests();
  return failures == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

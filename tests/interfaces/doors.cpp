// One projection through C++: see doors.c.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include <nouq/project.h>

namespace {

std::string folder;

struct Numbers {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
  [[nodiscard]] nouq::Layout layout() const { return {shape, nouq::Order::row_major}; }
};

Numbers read(const std::string& name) {
  Numbers array;
  std::ifstream shape(folder + "/" + name + ".shape");
  std::size_t rank = 0, size = 1;
  shape >> rank;
  for (std::size_t i = 0; i < rank; ++i) {
    shape >> array.shape.emplace_back();
    size *= static_cast<std::size_t>(array.shape.back());
  }
  array.values.resize(size);
  std::ifstream file(folder + "/" + name + ".bin", std::ios::binary);
  file.read(reinterpret_cast<char*>(array.values.data()),
            static_cast<std::streamsize>(size * sizeof(double)));
  return array;
}

void write(const std::string& name, const Numbers& array) {
  std::ofstream file(folder + "/" + name + ".out", std::ios::binary);
  file.write(reinterpret_cast<const char*>(array.values.data()),
             static_cast<std::streamsize>(array.values.size() * sizeof(double)));
}

}  // namespace

int main(int count, char** words) try {
  if (count != 2 && count != 3) return 2;
  folder = words[1];
  std::ifstream file(folder + "/case.toml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::map<std::string, Numbers> kept;
  nouq::NamedInputs arrays;
  std::ifstream list(folder + "/arrays");
  for (std::string name; list >> name;) {
    const Numbers& array = kept[name] = read(name);
    arrays.emplace(name, nouq::Input(array.values.data(), array.layout()));
  }
  Numbers mean = read("mean"), deviation = read("std"), samples = read("samples");
  nouq::ProjectOptions options;
  std::optional<nouq::Constraints> law;
  if (count == 3) {
    const nouq::Model model = nouq::Model::load(words[2]);
    const Numbers inputs = read("inputs");
    const nouq::Answer answer = model.predict({inputs.values.data(), inputs.layout()}, true);
    mean.values = answer.mean;
    deviation.values = answer.deviation;
    samples.values = answer.samples;
    Numbers score = read("score");
    for (std::size_t i = 0; i < answer.trust.size(); ++i) score.values[i] = answer.trust[i].score;
    write("band", {mean.shape, answer.band});
    write("score", score);
    law = nouq::Constraints::of(model, arrays);
    options.preset = "bounded";
  } else {
    law = nouq::Constraints::from_toml(text, arrays);
  }
  nouq::project(*law,
                {{mean.values.data(), mean.layout()},
                 {deviation.values.data(), deviation.layout()},
                 {samples.values.data(), samples.layout()}},
                {{mean.values.data(), mean.layout()},
                 {deviation.values.data(), deviation.layout()},
                 {samples.values.data(), samples.layout()}},
                options);
  write("mean", mean);
  write("std", deviation);
  write("samples", samples);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}

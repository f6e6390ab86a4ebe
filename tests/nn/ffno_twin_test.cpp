// The factorised network against a naive one: direct Fourier sums along each line, one point at a time.
#include <gtest/gtest.h>
#include <nouq/random.h>

#include "core/error.h"
#include "kernels/reference.h"
#include "nn/network.h"
#include "support/message.h"

namespace nouq {
namespace {

using reference::Reals;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class NaiveFfno {
 public:
  NaiveFfno(const NetworkOptions& options, const Shape& grid, const Reals& parameters)
      : o_(options), layout_(options), grid_(grid), lengths_(padded_lengths(options, grid)), w_(parameters) {}

  Reals predict(const Reals& input) const {
    Reals h = lifted(input);
    for (Index b = 0; b < o_.blocks; ++b) h = block(b, h);
    Reals inner;
    for (Index p = 0; p < element_count(grid_); ++p) {
      const Index from = padded_place(p) * o_.width;
      inner.insert(inner.end(), h.begin() + from, h.begin() + from + o_.width);
    }
    const Reals features = activated(inner, element_count(grid_), o_.features, "feature");
    Reals out;
    for (Index p = 0; p < element_count(grid_); ++p) {
      for (Index k = 0; k < o_.outputs; ++k) {
        double sum = o_.head_bias ? part("head.bias")[at(k)] : 0.0;
        for (Index f = 0; f < o_.features; ++f)
          sum += features[at(p * o_.features + f)] * part("head.weight")[at(k * o_.features + f)];
        out.push_back(sum);
      }
    }
    return out;
  }

 private:
  Reals part(const std::string& name) const {
    const Tensor& t = layout_.tensor(name);
    return {w_.begin() + t.offset, w_.begin() + t.offset + t.size()};
  }
  // Fields of this class are [axis 0]...[last axis][channel], padding included.
  Index padded_place(Index p) const {
    Index place = 0, stride = 1;
    for (std::size_t j = grid_.size(); j-- > 0;) {
      place += (p % grid_[j]) * stride;
      p /= grid_[j];
      stride *= lengths_[j];
    }
    return place;
  }
  Reals activated(const Reals& x, Index rows, Index columns, const std::string& layer) const {
    Reals z = reference::linear(rows, std::ssize(x) / rows, columns, x, part(layer + ".weight"),
                                part(layer + ".bias"));
    for (double& value : z) value = reference::gelu(value);
    return z;
  }

  Reals lifted(const Reals& input) const {
    Reals field(at(element_count(lengths_) * o_.width), 0.0);
    for (Index p = 0; p < element_count(grid_); ++p) {
      Reals row(input.begin() + p * o_.input_channels, input.begin() + (p + 1) * o_.input_channels);
      std::vector<double> coordinates(grid_.size());
      Index rest = p;
      for (std::size_t j = grid_.size(); j-- > 0; rest /= grid_[j])
        coordinates[j] = o_.padding[j].coordinate(rest % grid_[j], grid_[j]);
      row.insert(row.end(), coordinates.begin(), coordinates.end());
      const Reals out =
          reference::linear(1, std::ssize(row), o_.width, row, part("lift.weight"), part("lift.bias"));
      std::copy(out.begin(), out.end(), field.begin() + padded_place(p) * o_.width);
    }
    return field;
  }

  // One line of `field`, convolved.
  Reals convolved_line(Index b, std::size_t axis, const Reals& line) const {
    const Index width = o_.width;
    const reference::Spectrum spectrum{{lengths_[axis]}, {o_.modes[axis]}, width};
    const auto modes = reference::fourier_analysis(spectrum, line);
    const Reals r = part(fmt::format("blocks.{}.spectral{}.weight", b, axis));
    reference::Complexes mixed;
    for (Index f = 0; f < o_.modes[axis]; ++f) {
      reference::Complexes weight;
      for (Index i = 0; i < width * width; ++i)
        weight.emplace_back(r[at(2 * f * width * width + i)], r[at((2 * f + 1) * width * width + i)]);
      const auto row =
          reference::mix({1, width, width}, std::span(modes).subspan(at(f * width), at(width)), weight);
      mixed.insert(mixed.end(), row.begin(), row.end());
    }
    return reference::fourier_synthesis(spectrum, mixed);
  }

  Reals convolved(Index b, const Reals& h) const {
    Reals sum(h.size(), 0.0);
    Index inner = 1;
    for (std::size_t axis = grid_.size(); axis-- > 0; inner *= lengths_[axis]) {
      const Index length = lengths_[axis], lines = element_count(lengths_) / length;
      for (Index l = 0; l < lines; ++l) {
        const auto place = [&](Index x) { return ((l / inner * length + x) * inner + l % inner) * o_.width; };
        Reals line;
        for (Index x = 0; x < length; ++x)
          line.insert(line.end(), h.begin() + place(x), h.begin() + place(x) + o_.width);
        const Reals out = convolved_line(b, axis, line);
        for (Index x = 0; x < length; ++x)
          for (Index c = 0; c < o_.width; ++c) sum[at(place(x) + c)] += out[at(x * o_.width + c)];
      }
    }
    return sum;
  }

  Reals block(Index b, const Reals& h) const {
    const std::string name = fmt::format("blocks.{}.", b);
    const Index points = element_count(lengths_);
    const Index expanded = o_.width * static_cast<Index>(o_.extra.at("expansion"));
    const Reals hidden = activated(convolved(b, h), points, expanded, name + "feed1");
    Reals out = reference::linear(points, expanded, o_.width, hidden, part(name + "feed2.weight"),
                                  part(name + "feed2.bias"));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += h[i];
    return out;
  }

  NetworkOptions o_;
  ParameterLayout layout_;
  Shape grid_, lengths_;
  const Reals& w_;
};

// Grids of one to three axes, axes of one to nine points, with and without padding, all modes an axis holds.
TEST(FfnoTwin, RandomNetworksAgreeWithTheNaiveOne) {
  for (std::uint64_t i = 0; i < 45; ++i) {
    const Stream stream(78, Purpose::tests, i);
    std::uint64_t counter = 0;
    const auto between = [&](Index low, Index high) {
      return low + static_cast<Index>(stream.below(static_cast<std::uint64_t>(high - low + 1), counter++));
    };
    NetworkOptions o = with_architecture({}, "ffno");
    o.modes.clear();
    o.padding.clear();
    Shape grid;
    const Index axes = 1 + static_cast<Index>(i % 3);
    for (Index j = 0; j < axes; ++j) {
      grid.push_back(between(1, axes == 3 ? 5 : 9));
      o.padding.push_back({between(0, 3), std::nullopt});
      o.modes.push_back(between(1, o.padding.back().padded_length(grid.back()) / 2 + 1));
    }
    o.extra["expansion"] = static_cast<double>(between(1, 3));
    o.width = between(1, 7);
    o.blocks = between(1, 3);
    o.features = between(1, 6);
    o.input_channels = between(1, 3);
    o.outputs = between(1, 3);
    Network<double> network(o, grid, 1);
    Buffer<double> weights(at(network.layout().size()));
    initialise(network.layout(), i, weights.data());
    const Index batch = 2, size = network.points() * o.input_channels;
    Buffer<double> x(at(batch * size)), y(at(batch * network.points() * o.outputs));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = stream.normal(1000 + k);
    network.predict(weights.data(), x.data(), batch, y.data());
    const Reals parameters(weights.begin(), weights.end());
    for (Index sample = 0; sample < batch; ++sample) {
      const Reals input(x.begin() + sample * size, x.begin() + (sample + 1) * size);
      const Reals expected = NaiveFfno(o, grid, parameters).predict(input);
      for (std::size_t k = 0; k < expected.size(); ++k)
        ASSERT_NEAR(y[at(sample * network.points() * o.outputs) + k], expected[k], 1e-11)
            << "network " << i << ", sample " << sample;
    }
  }
}

TEST(Ffno, HasFarFewerWeightsInThreeDimensions) {
  NetworkOptions fno;
  fno.modes = {8, 8, 8};
  fno.padding = {{0, {}}, {0, {}}, {0, {}}};
  const auto weights = [](const NetworkOptions& o) {
    Index spectral = 0;
    const ParameterLayout layout(o);
    for (const Tensor& tensor : layout.tensors())
      spectral += tensor.name.find("spectral") == std::string::npos ? 0 : tensor.size();
    return spectral;
  };
  EXPECT_EQ(weights(fno), 4 * (16 * 16 * 8) * 2 * 32 * 32);
  EXPECT_EQ(weights(with_architecture(fno, "ffno")), 4 * 3 * 8 * 2 * 32 * 32);
}

TEST(Ffno, RefusesWhatItCannotBuild) {
  NetworkOptions o = with_architecture({}, "ffno");
  EXPECT_EQ(test::message_of([&] { validate(o); }), "");
  o.extra["expansion"] = 1.5;
  EXPECT_EQ(test::message_of([&] { validate(o); }), "expansion = 1.5: expected a whole number from 1 to 16");
  o.extra.clear();
  EXPECT_EQ(test::message_of([&] { validate(o); }), "expansion of a network of architecture ffno is missing");
  NetworkOptions plain;
  plain.extra["expansion"] = 2;
  EXPECT_EQ(test::message_of([&] { validate(plain); }),
            "expansion = 2: architecture fno has no such setting");
  plain.extra.clear();
  plain.architecture = "fnoo";
  EXPECT_NE(test::message_of([&] { validate(plain); }).find("unknown architecture 'fnoo'"),
            std::string::npos);
}

}  // namespace
}  // namespace nouq

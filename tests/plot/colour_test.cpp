// The palette is held against what people with colour deficiencies see.
#include "plot/colour.h"

#include <cmath>

#include <gtest/gtest.h>

namespace nouq::plot {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector times(const Matrix& m, const Vector& v) {
  Vector result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return result;
}

Vector linear(Rgb colour) {
  const auto one = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return {one(colour.red / 255.0), one(colour.green / 255.0), one(colour.blue / 255.0)};
}

// CIE L*a*b* of linear sRGB.
Vector lab(const Vector& rgb) {
  const Vector xyz =
      times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, rgb);
  const auto f = [](double t) {
    t = std::max(t, 0.0);
    return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  };
  const double x = f(xyz[0] / 0.9505), y = f(xyz[1]), z = f(xyz[2] / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Vector& a, const Vector& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double contrast(Rgb a, Rgb b) {
  const auto luminance = [](Rgb c) {
    const Vector v = linear(c);
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
  };
  const double high = std::max(luminance(a), luminance(b)), low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

// Full deficiency after Machado, Oliveira and Fernandes (2009), on linear RGB.
const std::array<Matrix, 4> sights = {
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

TEST(Palette, FiveSeriesStayApartInEverySight) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    for (const Matrix& sight : sights) {
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const Vector a = lab(times(sight, linear(rgb(series_colours[i], theme))));
          const Vector b = lab(times(sight, linear(rgb(series_colours[j], theme))));
          EXPECT_GT(distance(a, b), 12)
              << colour_name(series_colours[i]) << " and " << colour_name(series_colours[j])
              << (theme == Theme::dark ? ", dark" : "");
        }
      }
    }
  }
}

TEST(Palette, TextIsReadable) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    EXPECT_GT(contrast(rgb(Colour::ink, theme), rgb(Colour::paper, theme)), 7);
    EXPECT_GT(contrast(rgb(Colour::muted, theme), rgb(Colour::paper, theme)), 4.5);
    for (const Colour colour : series_colours)
      EXPECT_GT(contrast(rgb(colour, theme), rgb(Colour::paper, theme)), 2) << colour_name(colour);
  }
}

TEST(ColourScale, SequentialOnesGrowLighterAllTheWay) {
  for (const ColourScale scale : {ColourScale::sequential, ColourScale::heat}) {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
      const double lightness = lab(linear(colour_at(scale, i / 100.0)))[0];
      EXPECT_GT(lightness, before) << i;
      before = lightness;
    }
  }
}

TEST(ColourScale, EndsAndBeyond) {
  EXPECT_EQ(hex(colour_at(ColourScale::sequential, 0)), "#440154");
  EXPECT_EQ(hex(colour_at(ColourScale::sequential, 1)), "#fde725");
  EXPECT_EQ(hex(colour_at(ColourScale::sequential, 7)), "#fde725");
  EXPECT_EQ(hex(colour_at(ColourScale::diverging, 0.5)), "#f7f7f7");
}

}  // namespace
}  // namespace nouq::plot

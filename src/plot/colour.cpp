#include "plot/colour.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq::plot {
namespace {

struct Entry {
  Colour colour;
  const char* name;
  Rgb light, dark;
};

constexpr std::array<Entry, all_colours.size()> palette = {{
    {Colour::ink, "ink", {0x1f, 0x29, 0x33}, {0xe6, 0xe9, 0xed}},
    {Colour::muted, "muted", {0x57, 0x62, 0x6d}, {0xa3, 0xae, 0xba}},
    {Colour::grid, "grid", {0xe1, 0xe5, 0xea}, {0x33, 0x3b, 0x45}},
    {Colour::paper, "paper", {0xff, 0xff, 0xff}, {0x15, 0x19, 0x1f}},
    {Colour::blue, "blue", {0x00, 0x72, 0xb2}, {0x4f, 0xa8, 0xe0}},
    {Colour::vermilion, "vermilion", {0xd5, 0x5e, 0x00}, {0xff, 0x8b, 0x52}},
    {Colour::green, "green", {0x00, 0x9e, 0x73}, {0x2f, 0xc4, 0x95}},
    {Colour::purple, "purple", {0xcc, 0x79, 0xa7}, {0xec, 0x9f, 0xc9}},
    {Colour::orange, "orange", {0xe6, 0x9f, 0x00}, {0xf5, 0xc2, 0x42}},
    {Colour::sky, "sky", {0x56, 0xb4, 0xe9}, {0x9a, 0xd9, 0xff}},
    {Colour::slate, "slate", {0x6b, 0x72, 0x80}, {0xb4, 0xbc, 0xc8}},
}};

const Entry& entry(Colour colour) {
  const auto found =
      std::find_if(palette.begin(), palette.end(), [&](const Entry& e) { return e.colour == colour; });
  require(found != palette.end(), "colour 'automatic' must be resolved before it is drawn");
  return *found;
}

constexpr std::array<Rgb, 11> sequential_stops = {{{0x44, 0x01, 0x54},
                                                   {0x48, 0x24, 0x75},
                                                   {0x41, 0x44, 0x87},
                                                   {0x35, 0x5f, 0x8d},
                                                   {0x2a, 0x78, 0x8e},
                                                   {0x21, 0x91, 0x8c},
                                                   {0x22, 0xa8, 0x84},
                                                   {0x44, 0xbf, 0x70},
                                                   {0x7a, 0xd1, 0x51},
                                                   {0xbd, 0xdf, 0x26},
                                                   {0xfd, 0xe7, 0x25}}};
constexpr std::array<Rgb, 11> heat_stops = {{{0x00, 0x00, 0x04},
                                             {0x16, 0x0b, 0x39},
                                             {0x42, 0x0a, 0x68},
                                             {0x6a, 0x17, 0x6e},
                                             {0x93, 0x26, 0x67},
                                             {0xbc, 0x37, 0x54},
                                             {0xdd, 0x51, 0x3a},
                                             {0xf3, 0x78, 0x19},
                                             {0xfc, 0xa5, 0x0a},
                                             {0xf6, 0xd7, 0x46},
                                             {0xfc, 0xff, 0xa4}}};
constexpr std::array<Rgb, 9> diverging_stops = {{{0x21, 0x66, 0xac},
                                                 {0x43, 0x93, 0xc3},
                                                 {0x92, 0xc5, 0xde},
                                                 {0xd1, 0xe5, 0xf0},
                                                 {0xf7, 0xf7, 0xf7},
                                                 {0xfd, 0xdb, 0xc7},
                                                 {0xf4, 0xa5, 0x82},
                                                 {0xd6, 0x60, 0x4d},
                                                 {0xb2, 0x18, 0x2b}}};

std::uint8_t blend(std::uint8_t a, std::uint8_t b, double weight) {
  return static_cast<std::uint8_t>(std::lround((1 - weight) * a + weight * b));
}

}  // namespace

Rgb rgb(Colour colour, Theme theme) {
  return theme == Theme::light ? entry(colour).light : entry(colour).dark;
}

std::string colour_name(Colour colour) { return entry(colour).name; }

std::string hex(Rgb colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::span<const Rgb> colour_stops(ColourScale scale) {
  switch (scale) {
    case ColourScale::sequential:
      return sequential_stops;
    case ColourScale::heat:
      return heat_stops;
    case ColourScale::diverging:
      return diverging_stops;
  }
  fail("colour scale {} is unknown", static_cast<int>(scale));
}

Rgb colour_at(ColourScale scale, double position) {
  const auto stops = colour_stops(scale);
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double weight = place - static_cast<double>(below);
  const Rgb a = stops[below], b = stops[below + 1];
  return {blend(a.red, b.red, weight), blend(a.green, b.green, weight), blend(a.blue, b.blue, weight)};
}

}  // namespace nouq::plot

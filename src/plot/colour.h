// The colours of every picture: a palette for light and dark paper, and scales for heat maps.
//
// Why: a figure names roles ("the ink", "the blue series"), never numbers, so that one description serves
// light and dark pages and all renderers agree. The series colours are those of Okabe and Ito, which people
// with any of the common colour deficiencies tell apart; on dark paper they are lighter, in the same hues.
// Contract: `automatic` is no colour: renderers resolve it (plot/figure.h) before they ask here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace nouq::plot {

enum class Colour {
  automatic,  // the next of the series colours; series of one name share it
  ink,
  muted,
  grid,
  paper,
  blue,
  vermilion,
  green,
  purple,
  orange,
  sky,
  slate,
};

enum class Theme { light, dark };

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

inline constexpr std::array series_colours = {Colour::blue,   Colour::vermilion, Colour::green,
                                              Colour::purple, Colour::orange,    Colour::sky,
                                              Colour::slate};
inline constexpr std::array all_colours = {Colour::ink,    Colour::muted,     Colour::grid,  Colour::paper,
                                           Colour::blue,   Colour::vermilion, Colour::green, Colour::purple,
                                           Colour::orange, Colour::sky,       Colour::slate};

Rgb rgb(Colour colour, Theme theme);
std::string colour_name(Colour colour);  // "blue": class names and tokens in the renderers' output
std::string hex(Rgb colour);             // "#0072b2"

enum class ColourScale {
  sequential,  // viridis: solutions
  heat,        // inferno: errors and uncertainties, so that they are not mistaken for a solution
  diverging,   // blue, white, red: signed differences; its range is made symmetric about zero
};

// The colour at a position in [0, 1]; positions outside take the nearest end.
Rgb colour_at(ColourScale scale, double position);
// Equidistant colours between which a renderer may interpolate.
std::span<const Rgb> colour_stops(ColourScale scale);

}  // namespace nouq::plot

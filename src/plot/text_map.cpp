#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "plot/text_grid.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

constexpr std::array<const char*, 5> shades = {" ", "░", "▒", "▓", "█"};

Index cells_across(const std::string& text) { return static_cast<Index>(characters(text).size()); }

std::string blanks(Index count) {
  return std::string(static_cast<std::size_t>(std::max<Index>(0, count)), ' ');
}

// The value at a place of the drawing, row 0 being the top: the nearest of the map's.
double value_at(const HeatMap& map, Index column, Index columns, Index row, Index rows) {
  const Index nx = map.values.extent(1), ny = map.values.extent(0);
  return map.values[(ny - 1 - row * ny / rows) * nx + column * nx / columns];
}

double place_of(const HeatMap& map, double value, Range range) {
  if (!drawable(value, map.value.scale)) return -1;
  return std::clamp(position(value, range, map.value.scale), 0.0, 1.0);
}

std::string ansi(const HeatMap& map, double place, int layer) {
  if (place < 0) return fmt::format("\x1b[{}m", layer + 1);  // the terminal's own colour
  const Rgb colour = colour_at(map.colours, place);
  return fmt::format("\x1b[{};2;{};{};{}m", layer, colour.red, colour.green, colour.blue);
}

std::string shade_of(double place) {
  if (place < 0) return "·";
  return shades[std::min<std::size_t>(static_cast<std::size_t>(place * shades.size()), shades.size() - 1)];
}

}  // namespace

std::string pad_left(const std::string& text, Index width) {
  return blanks(width - cells_across(text)) + text;
}
std::string pad_right(const std::string& text, Index width) {
  return text + blanks(width - cells_across(text));
}

std::string shortened_to(const std::string& text, Index width) {
  const auto letters = characters(printable(text));
  if (std::ssize(letters) <= width) return printable(text);
  std::string cut;
  for (Index i = 0; i + 1 < width; ++i) cut += letters[i];
  return cut + "…";
}

// In colour each character is two values, one above the other: an upper half block on a background.
std::vector<std::string> text_map(const HeatMap& map, Range range, Index columns, Index rows, bool colour) {
  std::vector<std::string> lines;
  for (Index r = 0; r < rows; ++r) {
    std::string line;
    for (Index c = 0; c < columns; ++c) {
      if (!colour) {
        line += shade_of(place_of(map, value_at(map, c, columns, r, rows), range));
        continue;
      }
      const double above = place_of(map, value_at(map, c, columns, 2 * r, 2 * rows), range);
      const double below = place_of(map, value_at(map, c, columns, 2 * r + 1, 2 * rows), range);
      line += ansi(map, above, 38) + ansi(map, below, 48) + "▀";
    }
    lines.push_back(colour ? line + "\x1b[0m" : line);
  }
  return lines;
}

std::string text_map_key(const HeatMap& map, Range range, Index width, bool colour) {
  const std::string low = readable(range.low), high = readable(range.high);
  const Index free = width - cells_across(low) - cells_across(high) - 4;  // for the bar and the label
  const Index steps = std::clamp<Index>(free - 10, 5, 20);
  std::string bar;
  for (Index i = 0; i < steps; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(steps - 1);
    bar += colour ? ansi(map, place, 38) + "█" : shade_of(place);
  }
  if (colour) bar += "\x1b[0m";
  const std::string label = shortened_to(map.value.label, free - steps - 2);
  return fmt::format("{} [{}] {}{}{}", low, bar, high, label.empty() ? "" : "  ", label);
}

std::vector<std::string> text_bars(const Panel& panel, const std::vector<Key>& legend, Range range,
                                   const TextPlotOptions& options) {
  const Index name_width = std::min<Index>(24, options.width / 3), number_width = 10;
  const Index room = options.width - name_width - number_width - 3;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < panel.x.categories.size(); ++i) {
    lines.push_back(shortened_to(panel.x.categories[i], options.width));
    for (const Series& series : panel.series) {
      const auto* bars = std::get_if<Bars>(&series);
      if (bars == nullptr) continue;
      const double value = bars->values[i];
      const double place = drawable(value, panel.y.scale) ? position(value, range, panel.y.scale) : 0;
      std::string bar;
      for (Index k = 0; k < std::lround(std::clamp(place, 0.0, 1.0) * static_cast<double>(room)); ++k)
        bar += "█";
      const std::string padded = pad_right(bar, room);
      lines.push_back(pad_left(shortened_to(bars->name, name_width - 2), name_width) + " " +
                      (options.colour ? in_colour(padded, look_of(legend, series).colour) : padded) + " " +
                      readable(value));
    }
  }
  return lines;
}

}  // namespace nouq::plot

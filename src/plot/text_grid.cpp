#include "plot/text_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace nouq::plot {
namespace {

// Braille characters start at U+2800; their low byte is the set of dots.
std::string braille(std::uint8_t dots) {
  return {static_cast<char>(0xe2), static_cast<char>(0xa0 + (dots >> 6)),
          static_cast<char>(0x80 + (dots & 0x3f))};
}

std::uint8_t dot_bit(Index x, Index y) {
  static constexpr std::uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  return bits[y][x];
}

// The eight colours every terminal has; they fit its background.
int terminal_colour(Colour colour) {
  switch (colour) {
    case Colour::blue:
      return 34;
    case Colour::vermilion:
      return 31;
    case Colour::green:
      return 32;
    case Colour::purple:
      return 35;
    case Colour::orange:
      return 33;
    case Colour::sky:
      return 36;
    case Colour::slate:
    case Colour::muted:
      return 90;
    default:
      return 39;
  }
}

}  // namespace

std::string in_colour(const std::string& text, Colour colour) {
  return fmt::format("\x1b[{}m{}\x1b[0m", terminal_colour(colour), text);
}

void TextGrid::dot(Index x, Index y, Colour colour) {
  if (x < 0 || y < 0 || !inside(x / 2, y / 4)) return;
  Cell& at = cell(x / 2, y / 4);
  at.dots |= dot_bit(x % 2, y % 4);
  at.colour = colour;
}

void TextGrid::line(double x0, double y0, double x1, double y1, Colour colour, Index drawn, Index period,
                    Index& phase) {
  // A curve may leave the grid by far; more steps than this would only be spent outside.
  const double length = std::min(std::max(std::abs(x1 - x0), std::abs(y1 - y0)), 1e4);
  const auto steps = std::max<Index>(1, static_cast<Index>(std::ceil(length)));
  for (Index i = 0; i < steps; ++i, ++phase) {
    const double t = static_cast<double>(i) / static_cast<double>(steps);
    const double x = x0 + t * (x1 - x0), y = y0 + t * (y1 - y0);
    if (phase % period >= drawn || std::abs(x) > 1e6 || std::abs(y) > 1e6) continue;
    dot(std::lround(x), std::lround(y), colour);
  }
}

void TextGrid::put(Index column, Index row, const std::string& character, Colour colour) {
  if (!inside(column, row)) return;
  cell(column, row).character = character;
  cell(column, row).colour = colour;
}

void TextGrid::shade(Index column, Index row, Colour colour) {
  if (!inside(column, row)) return;
  Cell& at = cell(column, row);
  at.shaded = true;
  if (at.dots == 0) at.colour = colour;
}

std::string TextGrid::text_of(const Cell& cell) {
  if (!cell.character.empty()) return cell.character;
  if (cell.dots != 0) return braille(cell.dots);
  return cell.shaded ? "░" : " ";
}

std::string TextGrid::row(Index row, bool colour) const {
  std::string line;
  for (Index c = 0; c < columns_; ++c) {
    const Cell& at = cells_[row * columns_ + c];
    const std::string text = text_of(at);
    line += colour && text != " " ? in_colour(text, at.colour) : text;
  }
  return line;
}

}  // namespace nouq::plot

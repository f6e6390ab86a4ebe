#include "plot/figure.h"

#include <algorithm>

#include "core/error.h"

namespace nouq::plot {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

void require_length(const std::string& where, const char* what, std::size_t length, std::size_t expected) {
  require(length == expected, "{}: {} has {} values, expected {}", where, what, length, expected);
}

void require_increasing(const std::string& where, const char* what, const std::vector<double>& values) {
  require(std::is_sorted(values.begin(), values.end(), std::less_equal<>()) && !values.empty(),
          "{}: {} must be increasing and not empty", where, what);
}

void validate_map(const std::string& where, const HeatMap& map) {
  require_increasing(where, "x of the heat map", map.x);
  require_increasing(where, "y of the heat map", map.y);
  const Shape expected = {std::ssize(map.y), std::ssize(map.x)};
  require(map.values.shape() == expected, "{}: heat map of shape {}, expected {} (y, x)", where,
          to_string(map.values.shape()), to_string(expected));
}

void validate_series(const std::string& where, const Panel& panel, const Series& series) {
  const auto error_fits = [&](const std::vector<double>& error, std::size_t length) {
    if (!error.empty()) require_length(where, "error", error.size(), length);
  };
  std::visit(Match{[&](const Line& line) { require_length(where, "y", line.y.size(), line.x.size()); },
                   [&](const Band& band) {
                     require_length(where, "lower", band.lower.size(), band.x.size());
                     require_length(where, "upper", band.upper.size(), band.x.size());
                   },
                   [&](const Points& points) {
                     require_length(where, "y", points.y.size(), points.x.size());
                     error_fits(points.error, points.x.size());
                     if (!points.labels.empty())
                       require_length(where, "labels", points.labels.size(), points.x.size());
                   },
                   [&](const Bars& bars) {
                     require_length(where, "values", bars.values.size(), panel.x.categories.size());
                     error_fits(bars.error, bars.values.size());
                   },
                   [&](const HeatMap& map) { validate_map(where, map); }},
             series);
}

void validate_axis(const std::string& where, const char* which, const Axis& axis) {
  if (axis.low && axis.high)
    require(*axis.low < *axis.high, "{}: {} axis from {} to {}, expected low < high", where, which, *axis.low,
            *axis.high);
  if (axis.scale == Scale::log)
    require(axis.low.value_or(1) > 0 && axis.high.value_or(1) > 0,
            "{}: {} axis is logarithmic, its range must be positive", where, which);
}

// What the legend would say of one series alone, its colour unresolved; a heat map has no name.
Key key_of(const Series& series) {
  return std::visit(
      Match{[](const Line& s) {
              return Key{.name = s.name, .colour = s.colour, .stroke = s.stroke, .line = true};
            },
            [](const Band& s) { return Key{.name = s.name, .colour = s.colour, .band = true}; },
            [](const Points& s) {
              return Key{
                  .name = s.name, .colour = s.colour, .stroke = s.stroke, .line = s.joined, .points = true};
            },
            [](const Bars& s) { return Key{.name = s.name, .colour = s.colour, .bars = true}; },
            [](const HeatMap&) { return Key{}; }},
      series);
}

void merge(Key& key, const Key& other) {
  if (key.colour == Colour::automatic) key.colour = other.colour;
  if (other.line && !key.line) key.stroke = other.stroke;
  key.line |= other.line;
  key.band |= other.band;
  key.points |= other.points;
  key.bars |= other.bars;
}

std::size_t marker_of(Colour colour) {
  const auto* found = std::find(series_colours.begin(), series_colours.end(), colour);
  return static_cast<std::size_t>(found - series_colours.begin()) % series_colours.size();
}

// Hands out the series colours that were not asked for by name, in order; where colours come again, with
// another marker.
void resolve_colours(std::vector<Key>& keys) {
  const auto taken = [&](Colour colour) {
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.colour == colour; });
  };
  std::size_t next = 0, handed_out = 0;
  for (Key& key : keys) {
    if (key.colour == Colour::automatic) {
      while (handed_out < series_colours.size() && taken(series_colours[next % series_colours.size()])) {
        ++next;
        ++handed_out;
      }
      key.colour = series_colours[next++ % series_colours.size()];
    }
    const auto before =
        std::count_if(keys.data(), &key, [&](const Key& k) { return k.colour == key.colour; });
    key.marker = (marker_of(key.colour) + static_cast<std::size_t>(before)) % series_colours.size();
  }
}

}  // namespace

void validate(const Figure& figure) {
  require(!figure.panels.empty(), "figure '{}' has no panels", figure.title);
  require(figure.columns >= 0, "figure '{}': columns = {}, expected 0 or more", figure.title, figure.columns);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const Panel& panel = figure.panels[p];
    const std::string where = fmt::format("figure '{}', panel {}", figure.title, p + 1);
    require(!panel.series.empty(), "{} has no series", where);
    const auto maps = std::count_if(panel.series.begin(), panel.series.end(), [](const Series& series) {
      return std::holds_alternative<HeatMap>(series);
    });
    require(maps <= 1, "{} has {} heat maps, expected one at most", where, maps);
    validate_axis(where, "x", panel.x);
    validate_axis(where, "y", panel.y);
    for (const Series& series : panel.series) {
      const std::string name = name_of(series);
      validate_series(name.empty() ? where : fmt::format("{}, series '{}'", where, name), panel, series);
      if (const auto* map = std::get_if<HeatMap>(&series)) validate_axis(where, "value", map->value);
    }
  }
}

std::vector<Key> legend_of(const Figure& figure) {
  std::vector<Key> keys;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const Key own = key_of(series);
      if (own.name.empty()) continue;
      const auto key =
          std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == own.name; });
      if (key == keys.end()) {
        keys.push_back(own);
      } else {
        merge(*key, own);
      }
    }
  }
  resolve_colours(keys);
  return keys;
}

Look look_of(const std::vector<Key>& legend, const Series& series) {
  const Key own = key_of(series);
  for (const Key& key : legend) {
    if (key.name == own.name) return {key.colour, key.marker};
  }
  const Colour colour = own.colour == Colour::automatic ? Colour::blue : own.colour;
  return {colour, marker_of(colour)};
}

std::string name_of(const Series& series) { return key_of(series).name; }

Index columns_of(const Figure& figure) {
  const auto panels = std::ssize(figure.panels);
  if (figure.columns > 0) return std::min(figure.columns, panels);
  if (panels <= 3) return panels;
  if (panels == 4) return 2;
  return panels <= 12 ? 3 : 6;
}

const HeatMap* heat_map_of(const Panel& panel) {
  for (const Series& series : panel.series) {
    if (const auto* map = std::get_if<HeatMap>(&series)) return map;
  }
  return nullptr;
}

}  // namespace nouq::plot

#include "data/npz.h"

#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/parse.h"
#include "data/layout.h"
#include "data/npy.h"

namespace nouq {
namespace {

const std::string constraint_prefix = "constraint_";

// Reads named arrays and remembers which names were asked for, to report the others.
class Arrays {
 public:
  Arrays(std::span<const std::byte> file, const std::string& source, LoadReport* report,
         const MappedFile* mapping)
      : zip_(file, source, mapping), source_(source), report_(report), mapping_(mapping) {}

  [[nodiscard]] bool has(const std::string& name) const { return zip_.find(name + ".npy") != nullptr; }

  template <class T>
  Array<T> get(const std::string& name) {
    const ZipMember* member = zip_.find(name + ".npy");
    require(member != nullptr, "{}: array '{}' is missing", source_, name);
    used_.insert(member->name);
    return read_npy<T>(zip_.read(*member).bytes(), label(name), report_, mapping_);
  }

  [[nodiscard]] std::string label(const std::string& name) const {
    return fmt::format("{}: array '{}'", source_, name);
  }

  [[nodiscard]] std::vector<std::string> names_with(const std::string& prefix) const {
    std::vector<std::string> names;
    for (const ZipMember& member : zip_.members()) {
      const bool fits = member.name.starts_with(prefix) && member.name.ends_with(".npy");
      if (fits) names.push_back(member.name.substr(0, member.name.size() - 4));
    }
    return names;
  }

  void report_unused() const {
    for (const ZipMember& member : zip_.members()) {
      if (used_.contains(member.name)) continue;
      notice(report_,
             fmt::format("{}: '{}' is not part of the layout and was ignored", source_, member.name));
    }
  }

 private:
  ZipReader zip_;
  const std::string& source_;
  LoadReport* report_;
  const MappedFile* mapping_;
  std::set<std::string> used_;
};

// Rows of text with 1 to `columns` columns; what is left out is empty.
std::vector<std::vector<std::string>> get_table(Arrays& arrays, const std::string& name, Index columns) {
  const Array<std::string> text = arrays.get<std::string>(name);
  const Index width = text.rank() == 1 ? 1 : text.rank() == 2 ? text.extent(1) : 0;
  require(width >= 1 && width <= columns, "{} has shape {}, expected one row of up to {} texts per entry",
          arrays.label(name), to_string(text.shape()), columns);
  std::vector<std::vector<std::string>> rows;
  for (Index i = 0; i < text.extent(0); ++i) {
    std::vector<std::string> row(columns);
    for (Index k = 0; k < width; ++k) row[k] = text[i * width + k];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Channel> get_channels(Arrays& arrays, const std::string& name, Index count) {
  if (!arrays.has(name)) return layout::unnamed(count);
  std::vector<Channel> channels;
  for (const auto& row : get_table(arrays, name, 2)) channels.push_back({row[0], row[1]});
  return channels;
}

void check_format(Arrays& arrays, const std::string& source) {
  if (!arrays.has("format")) return;
  const Array<std::string> format = arrays.get<std::string>("format");
  const std::string text = format.size() == 1 ? format[0] : "";
  for (int version = 1; version <= layout::newest_version; ++version) {
    if (text == fmt::format("{} {}", layout::format_name, version)) return;
  }
  fail("{}: format is '{}', expected '{} 1' to '{} {}'", source, text, layout::format_name,
       layout::format_name, layout::newest_version);
}

// Points are what an axis is when nothing is said.
AxisKind kind_of(const std::string& text, std::size_t axis, const std::string& label) {
  if (text.empty()) return AxisKind::points;
  return with_source(fmt::format("{}: axis {}", label, axis), [&] { return axis_kind_from_name(text); });
}

Grid get_grid(Arrays& arrays, std::size_t axes) {
  Grid grid(axes);
  if (arrays.has("axes")) {
    const auto rows = get_table(arrays, "axes", 3);
    require(rows.size() == axes, "{} names {} axes, but the fields have {}", arrays.label("axes"),
            rows.size(), axes);
    for (std::size_t i = 0; i < axes; ++i)
      grid[i] = {rows[i][0], rows[i][1], {}, kind_of(rows[i][2], i, arrays.label("axes"))};
  }
  for (std::size_t i = 0; i < axes; ++i) {
    const std::string name = fmt::format("axis{}", i);
    if (!arrays.has(name)) continue;
    const Array<double> points = arrays.get<double>(name);
    require(points.rank() == 1 && !points.empty(), "{} has shape {}, expected a list of coordinates",
            arrays.label(name), to_string(points.shape()));
    grid[i].coordinates.assign(points.begin(), points.end());
  }
  return grid;
}

// One row per law: the name of its values, its kind, its axes, its channel.
Laws get_laws(Arrays& arrays) {
  Laws laws;
  for (const auto& row : get_table(arrays, "laws", 4)) {
    with_source(fmt::format("{}: law '{}'", arrays.label("laws"), row[0]), [&] {
      double channel = 0;
      require(row[3].empty() || parse_number(row[3], channel), "channel '{}': expected a number", row[3]);
      require(laws.emplace(row[0], layout::read_law(row[1], row[2], channel)).second, "it is given twice");
    });
  }
  return laws;
}

Index last_extent(const Shape& shape) { return shape.empty() ? 0 : shape.back(); }

void require_field(const Array<float>& field, const std::string& label) {
  require(field.rank() >= 3 && !field.empty(),
          "{} has shape {}, expected [samples, one or more axes, channels], none of them zero", label,
          to_string(field.shape()));
}

Array<std::string> table_of(const std::vector<Channel>& channels) {
  Array<std::string> table({std::ssize(channels), 2});
  for (std::size_t i = 0; i < channels.size(); ++i) {
    table.row(i)[0] = channels[i].name;
    table.row(i)[1] = channels[i].unit;
  }
  return table;
}

Array<std::string> table_of(const Grid& grid) {
  Array<std::string> table({std::ssize(grid), 3});
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const auto row = table.row(i);
    row[0] = grid[i].name;
    row[1] = grid[i].unit;
    row[2] = grid[i].kind == AxisKind::points ? "" : name(grid[i].kind);
  }
  return table;
}

Array<std::string> table_of(const Laws& laws) {
  Array<std::string> table({std::ssize(laws), 4});
  Index i = 0;
  for (const auto& [name, law] : laws) {
    table[i++] = name;
    table[i++] = layout::law_kind;
    table[i++] = layout::joined_axes(law);
    table[i++] = std::to_string(law.channel);
  }
  return table;
}

Array<std::string> table_of(const std::map<std::string, std::string>& entries) {
  Array<std::string> table({std::ssize(entries), 2});
  Index i = 0;
  for (const auto& [key, text] : entries) {
    table[i++] = key;
    table[i++] = text;
  }
  return table;
}

// Builds the ZIP file; keeps headers and converted text alive until it has been written.
class Writer {
 public:
  explicit Writer(Compression compression) : zip_(compression) {}

  // The array itself goes into the file: it must live until then.
  template <class T>
  void add(const std::string& name, const Array<T>& array) {
    put(name, npy_header(array), std::as_bytes(array.span()));
  }
  template <class T>
  void add(const std::string& name, Array<T>&& array) = delete;
  void add(const std::string& name, Array<double>&& array) {
    const auto bytes = std::as_bytes(array.span());
    values_.emplace_back(bytes.begin(), bytes.end());
    put(name, npy_header(array), values_.back());
  }
  void add(const std::string& name, const std::vector<double>& list) {
    const auto bytes = std::as_bytes(std::span(list));
    values_.emplace_back(bytes.begin(), bytes.end());
    put(name, npy_header(Array<double>({std::ssize(list)})), values_.back());
  }
  void add_table(const std::string& name, const Array<std::string>& table) {
    values_.push_back(npy_text_values(table));
    put(name, npy_header(table), values_.back());
  }
  std::vector<std::span<const std::byte>> finish() { return zip_.finish(); }

 private:
  void put(const std::string& name, const std::string& header, std::span<const std::byte> values) {
    const auto bytes = std::as_bytes(std::span(header));
    headers_.emplace_back(bytes.begin(), bytes.end());
    zip_.add(name + ".npy", {headers_.back(), values});
  }

  ZipWriter zip_;
  std::vector<std::vector<std::byte>> headers_;
  std::vector<std::vector<std::byte>> values_;
};

void add_all(Writer& writer, const DataSet& data) {
  writer.add_table(
      "format", Array<std::string>({}, fmt::format("{} {}", layout::format_name, layout::version_of(data))));
  writer.add("inputs", data.inputs);
  writer.add("outputs", data.outputs);
  writer.add_table("axes", table_of(data.grid));
  for (std::size_t i = 0; i < data.grid.size(); ++i) {
    writer.add(fmt::format("axis{}", i), data.grid[i].coordinates);
  }
  writer.add_table("input_channels", table_of(data.input_channels));
  writer.add_table("output_channels", table_of(data.output_channels));
  if (!data.parameters.empty()) {
    writer.add("parameters", data.parameters);
    writer.add_table("parameter_names", table_of(data.parameter_names));
  }
  for (const auto& [name, values] : data.constraint_values) writer.add(constraint_prefix + name, values);
  if (!data.laws.empty()) writer.add_table("laws", table_of(data.laws));
  if (!data.bounds.empty()) writer.add("bounds", layout::bounds_table(data.bounds));
  if (!data.provenance.empty()) writer.add_table("provenance", table_of(data.provenance));
}

}  // namespace

DataSet read_npz(std::span<const std::byte> file, const std::string& source, LoadReport* report,
                 const MappedFile* mapping) {
  Arrays arrays(file, source, report, mapping);
  check_format(arrays, source);
  DataSet data;
  data.inputs = arrays.get<float>("inputs");
  data.outputs = arrays.get<float>("outputs");
  require_field(data.inputs, arrays.label("inputs"));
  require_field(data.outputs, arrays.label("outputs"));
  data.grid = get_grid(arrays, data.inputs.rank() - 2);
  data.input_channels = get_channels(arrays, "input_channels", last_extent(data.inputs.shape()));
  data.output_channels = get_channels(arrays, "output_channels", last_extent(data.outputs.shape()));
  if (arrays.has("parameters")) {
    data.parameters = layout::parameter_table(arrays.get<double>("parameters"), arrays.label("parameters"));
    data.parameter_names = get_channels(arrays, "parameter_names", last_extent(data.parameters.shape()));
  }
  for (const std::string& name : arrays.names_with(constraint_prefix)) {
    data.constraint_values[name.substr(constraint_prefix.size())] = arrays.get<double>(name);
  }
  if (arrays.has("laws")) data.laws = get_laws(arrays);
  if (arrays.has("bounds"))
    data.bounds = layout::read_bounds(arrays.get<double>("bounds"), arrays.label("bounds"));
  if (arrays.has("provenance")) {
    for (const auto& row : get_table(arrays, "provenance", 2)) data.provenance[row[0]] = row[1];
  }
  layout::fill_defaults(data, source, report);
  validate(data, source);
  arrays.report_unused();
  if (report != nullptr) report->format = "nouq NPZ";
  return data;
}

DataSet load_npz(const std::filesystem::path& path, LoadReport* report) {
  const MappedFile file(path);
  return read_npz(file.bytes(), path.string(), report, &file);
}

void save_npz(const std::filesystem::path& path, const DataSet& data, Compression compression) {
  validate(data, path.string());
  layout::require_storable(data, path.string());
  Writer writer(compression);
  add_all(writer, data);
  write_file_atomically(path, writer.finish());
}

}  // namespace nouq

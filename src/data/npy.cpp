#include "data/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace nouq {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t prelude = 8;     // magic and version
constexpr std::size_t most_axes = 32;  // numpy's own limit
constexpr std::size_t alignment = 64;  // numpy aligns the values to this

// Where the dictionary is: its length field is two bytes in version 1, four in versions 2 and 3.
std::string_view find_dictionary(std::span<const std::byte> bytes, const std::string& source) {
  const std::string_view all = text_of(bytes);
  require(all.starts_with(magic), "{}: not an NPY file (the first bytes are not \\x93NUMPY)", source);
  require(all.size() >= prelude + 2, "{}: NPY file of {} bytes ends inside its header", source, all.size());
  const int version = static_cast<std::uint8_t>(all[6]);
  require(version >= 1 && version <= 3 && all[7] == 0,
          "{}: NPY version {}.{} is not known, expected 1.0 to 3.0", source, version,
          static_cast<std::uint8_t>(all[7]));
  const std::size_t field = version == 1 ? 2 : 4;
  require(all.size() >= prelude + field, "{}: NPY file of {} bytes ends inside its header", source,
          all.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < field; ++i) {
    length |= static_cast<std::size_t>(static_cast<std::uint8_t>(all[prelude + i])) << (8 * i);
  }
  require(length <= all.size() - prelude - field,
          "{}: NPY header of {} bytes reaches beyond the {} bytes there are", source, length, all.size());
  return all.substr(prelude + field, length);
}

bool is_readable(char kind, std::size_t size) {
  switch (kind) {
    case 'f':
      return size == 4 || size == 8;
    case 'i':
    case 'u':
      return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
      return size == 1;
    case 'U':
      return size > 0 && size % 4 == 0;
    default:
      return false;
  }
}

// '<f4', '>i8', '|b1', '<U12': byte order, kind, size (for text: characters).
void read_description(const std::string& description, const std::string& source, NpyHeader& header) {
  require(description.find('O') == std::string::npos,
          "{}: dtype '{}' holds Python objects (pickle), which are never loaded", source, description);
  const bool shaped =
      description.size() >= 3 && std::string_view("<>|=").find(description[0]) != std::string_view::npos &&
      description.size() <= 11 &&
      std::all_of(description.begin() + 2, description.end(), [](char c) { return c >= '0' && c <= '9'; });
  require(shaped, "{}: dtype '{}' is not understood", source, description);
  header.big_endian = description[0] == '>';
  header.kind = description[1];
  header.item_size = std::stoul(description.substr(2)) * (header.kind == 'U' ? 4 : 1);
  require(is_readable(header.kind, header.item_size),
          "{}: dtype '{}' is not supported, expected float32, float64, an integer, bool or text", source,
          description);
}

void require_exact_size(const NpyHeader& header, std::size_t total, const std::string& source) {
  require(header.shape.size() <= most_axes, "{}: shape has {} axes, at most {} are supported", source,
          header.shape.size(), most_axes);
  Index bytes = 0;
  const bool countable = [&] {
    bytes = static_cast<Index>(header.item_size);
    return std::none_of(header.shape.begin(), header.shape.end(),
                        [&](Index extent) { return __builtin_mul_overflow(bytes, extent, &bytes); });
  }();
  require(countable, "{}: shape {} has more bytes than can be counted", source, to_string(header.shape));
  const std::size_t present = total - header.data_offset;
  require(static_cast<std::size_t>(bytes) == present,
          "{}: shape {} needs {} bytes of values, but {} are there", source, to_string(header.shape), bytes,
          present);
}

template <class Raw>
Raw load_raw(const std::byte* from, bool swap) {
  std::array<std::byte, sizeof(Raw)> bytes;
  std::memcpy(bytes.data(), from, sizeof(Raw));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<Raw>(bytes);
}

// Beyond float's range C++ leaves the conversion undefined; we mean infinity, which `validate` then reports.
template <class T, class Raw>
T convert(Raw value) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Raw, double>) {
    constexpr double most = std::numeric_limits<float>::max();
    if (value > most) return std::numeric_limits<float>::infinity();
    if (value < -most) return -std::numeric_limits<float>::infinity();
  }
  return static_cast<T>(value);
}

template <class T, class Raw>
void convert_all(const std::byte* from, bool swap, std::span<T> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = convert<T>(load_raw<Raw>(from + i * sizeof(Raw), swap));
}

template <class T>
void convert_integers(const NpyHeader& header, const std::byte* from, std::span<T> to) {
  const bool is_signed = header.kind == 'i';
  const bool swap = header.big_endian;
  switch (header.item_size) {
    case 1:
      return is_signed ? convert_all<T, std::int8_t>(from, swap, to)
                       : convert_all<T, std::uint8_t>(from, swap, to);
    case 2:
      return is_signed ? convert_all<T, std::int16_t>(from, swap, to)
                       : convert_all<T, std::uint16_t>(from, swap, to);
    case 4:
      return is_signed ? convert_all<T, std::int32_t>(from, swap, to)
                       : convert_all<T, std::uint32_t>(from, swap, to);
    default:
      return is_signed ? convert_all<T, std::int64_t>(from, swap, to)
                       : convert_all<T, std::uint64_t>(from, swap, to);
  }
}

template <class T>
void read_values(const NpyHeader& header, const std::byte* from, std::span<T> to, const std::string& source) {
  require(header.kind != 'U', "{}: array holds text, expected numbers", source);
  if (header.kind != 'f') return convert_integers(header, from, to);
  if (header.item_size == 4) return convert_all<T, float>(from, header.big_endian, to);
  convert_all<T, double>(from, header.big_endian, to);
}

void read_values(const NpyHeader& header, const std::byte* from, std::span<std::string> to,
                 const std::string& source) {
  require(header.kind == 'U', "{}: array holds numbers, expected text (dtype '<U')", source);
  if (to.empty()) return;  // the dtype's width is then vouched for by no byte of the file
  std::u32string characters(header.item_size / 4, U'\0');
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t k = 0; k < characters.size(); ++k) {
      characters[k] = load_raw<std::uint32_t>(from + i * header.item_size + 4 * k, header.big_endian);
    }
    const std::size_t last = characters.find_last_not_of(U'\0');
    to[i] = utf8_from_utf32(std::u32string_view(characters).substr(0, last + 1), source);
  }
}

// The same elements with the first index slowest: element (i, j, ...) was at i + j * n0 + ...
template <class T>
Array<T> from_fortran_order(const Array<T>& stored) {
  const Shape& shape = stored.shape();
  Array<T> result(shape);
  Shape index(shape.size(), 0);
  Shape stride(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) stride[axis] = stride[axis - 1] * shape[axis - 1];
  Index from = 0;
  for (Index to = 0; to < result.size(); ++to) {
    result[to] = stored[from];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += stride[axis];
      if (++index[axis] < shape[axis]) break;
      from -= stride[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

std::string description_of(const Array<float>& /*array*/) { return "<f4"; }
std::string description_of(const Array<double>& /*array*/) { return "<f8"; }
std::string description_of(const Array<std::string>& array) {
  std::size_t longest = 1;
  for (const std::string& text : array)
    longest = std::max(longest, utf32_from_utf8(text, "text array").size());
  return fmt::format("<U{}", longest);
}

std::span<const std::byte> values_of(const Array<std::string>& array, std::vector<std::byte>& memory) {
  memory = npy_text_values(array);
  return memory;
}
template <class T>
std::span<const std::byte> values_of(const Array<T>& array, std::vector<std::byte>& /*memory*/) {
  return std::as_bytes(array.span());
}

}  // namespace

NpyHeader read_npy_header(std::span<const std::byte> bytes, const std::string& source) {
  const std::string_view text = find_dictionary(bytes, source);
  const NpyDictionary dictionary = parse_npy_dictionary(text, source);
  NpyHeader header;
  header.data_offset = static_cast<std::size_t>(text.data() + text.size() - text_of(bytes).data());
  header.shape = dictionary.shape;
  header.fortran_order = dictionary.fortran_order;
  read_description(dictionary.description, source, header);
  require_exact_size(header, bytes.size(), source);
  return header;
}

template <class T>
Array<T> read_npy(std::span<const std::byte> bytes, const std::string& source, LoadReport* report,
                  const MappedFile* mapping) {
  const NpyHeader header = read_npy_header(bytes, source);
  Array<T> result(header.shape);
  bytes = bytes.subspan(header.data_offset);
  std::span<T> values = result.span();
  do {
    const std::size_t count = std::min(values.size(), std::size_t{1} << 20U);
    read_values(header, bytes.data(), values.first(count), source);
    if (mapping != nullptr) mapping->forget(bytes.first(count * header.item_size));
    values = values.subspan(count);
    bytes = bytes.subspan(count * header.item_size);
  } while (!values.empty());
  if (std::is_same_v<T, float> && header.kind == 'f' && header.item_size == 8) {
    notice(report, fmt::format("{}: float64 values were rounded to float32", source));
  }
  if (header.fortran_order && header.shape.size() > 1) return from_fortran_order(result);
  return result;
}

template <class T>
std::string npy_header(const Array<T>& array) {
  std::string shape;
  for (const Index extent : array.shape()) shape += fmt::format("{}, ", extent);
  if (array.rank() > 1) shape.resize(shape.size() - 2);
  if (array.rank() == 1) shape.pop_back();
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", description_of(array), shape);
  const std::size_t unpadded = prelude + 2 + dictionary.size() + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFFU),
             static_cast<char>(dictionary.size() >> 8U)};
  return header + dictionary;
}

std::vector<std::byte> npy_text_values(const Array<std::string>& array) {
  std::vector<std::u32string> converted;
  std::size_t longest = 1;
  for (const std::string& text : array) {
    require_storable(text, "text array");
    converted.push_back(utf32_from_utf8(text, "text array"));
    longest = std::max(longest, converted.back().size());
  }
  std::vector<std::byte> bytes(converted.size() * longest * 4, std::byte{0});
  for (std::size_t i = 0; i < converted.size(); ++i) {
    std::memcpy(bytes.data() + i * longest * 4, converted[i].data(), converted[i].size() * 4);
  }
  return bytes;
}

template <class T>
Array<T> load_npy(const std::filesystem::path& path, LoadReport* report) {
  const MappedFile file(path);
  return read_npy<T>(file.bytes(), path.string(), report, &file);
}

template <class T>
void save_npy(const std::filesystem::path& path, const Array<T>& array) {
  const std::string header = npy_header(array);
  std::vector<std::byte> memory;
  const std::array<std::span<const std::byte>, 2> parts = {std::as_bytes(std::span(header)),
                                                           values_of(array, memory)};
  write_file_atomically(path, parts);
}

#define NOUQ_INSTANTIATE(T)                                                                  \
  template Array<T> read_npy<T>(std::span<const std::byte>, const std::string&, LoadReport*, \
                                const MappedFile*);                                          \
  template std::string npy_header<T>(const Array<T>&);                                       \
  template Array<T> load_npy<T>(const std::filesystem::path&, LoadReport*);                  \
  template void save_npy<T>(const std::filesystem::path&, const Array<T>&);
NOUQ_INSTANTIATE(float)
NOUQ_INSTANTIATE(double)
NOUQ_INSTANTIATE(std::string)
#undef NOUQ_INSTANTIATE

}  // namespace nouq

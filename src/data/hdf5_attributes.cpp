// The part of hdf5::Reader that reads attributes.
#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/text.h"
#include "data/hdf5_reader.h"

namespace nouq::hdf5 {
namespace {

// Number of values; throws when they take more room than an attribute should.
std::uint64_t value_count(hid_t attribute, std::uint64_t item, std::uint64_t file, const std::string& label) {
  const Handle space = checked(H5Aget_space(attribute), H5Sclose, "{} has an unreadable shape", label);
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) return 0;
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const std::uint64_t most = std::min(largest_attribute, file) / std::max<std::uint64_t>(item, 1);
  require(count >= 0 && static_cast<std::uint64_t>(count) <= most,
          "{} declares {} values of {} bytes, more than fit into an attribute of this file", label, count,
          item);
  return static_cast<std::uint64_t>(count);
}

std::vector<std::string> read_fixed(hid_t attribute, hid_t type, std::uint64_t count,
                                    const std::string& label) {
  const std::size_t size = H5Tget_size(type);
  std::vector<char> memory(count * size);
  check(H5Aread(attribute, type, memory.data()), "{} cannot be read", label);
  const bool spaces = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* begin = memory.data() + i * size;
    std::string text(begin, ::strnlen(begin, size));
    if (spaces) text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> read_variable(hid_t attribute, hid_t type, std::uint64_t count,
                                       const std::string& label) {
  const Handle space = checked(H5Aget_space(attribute), H5Sclose, "{} has an unreadable shape", label);
  const Handle memory_type = checked(H5Tcopy(H5T_C_S1), H5Tclose, "{}: no text type", label);
  check(H5Tset_size(memory_type.get(), H5T_VARIABLE), "{}: no text type", label);
  check(H5Tset_cset(memory_type.get(), H5Tget_cset(type)), "{}: no text type", label);
  std::vector<char*> pointers(count, nullptr);
  check(H5Aread(attribute, memory_type.get(), pointers.data()), "{} cannot be read", label);
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(memory_type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return texts;
}

std::vector<std::string> read_texts(hid_t attribute, hid_t type, std::uint64_t file,
                                    const std::string& label) {
  const bool variable = H5Tis_variable_str(type) > 0;
  const std::uint64_t count =
      value_count(attribute, variable ? sizeof(char*) : H5Tget_size(type), file, label);
  if (count == 0) return {};
  require(!variable || count <= most_variable_texts, "{} has {} texts, at most {} are read", label, count,
          most_variable_texts);
  auto texts =
      variable ? read_variable(attribute, type, count, label) : read_fixed(attribute, type, count, label);
  for (const std::string& text : texts) require_storable(text, label);
  return texts;
}

// h5py writes True as an enumeration of one byte; it is read as that byte.
std::optional<double> read_number(hid_t attribute, hid_t type, std::uint64_t file, const std::string& label) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_ENUM && H5Tget_size(type) == 1 && value_count(attribute, 1, file, label) == 1) {
    unsigned char value = 0;
    check(H5Aread(attribute, type, &value), "{} cannot be read", label);
    return value;
  }
  if (!is_standard_number(type)) return std::nullopt;
  if (value_count(attribute, H5Tget_size(type), file, label) != 1) return std::nullopt;
  double value = 0;
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "{} cannot be read", label);
  return value;
}

std::vector<std::string> attribute_names(hid_t object, const std::string& label) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* to) noexcept -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names),
        "{}: attributes cannot be listed", label);
  return names;
}

}  // namespace

Handle Reader::open_attribute(const std::string& object, const std::string& attribute) const {
  const Handle id = open_object(object);
  const htri_t there = H5Aexists(id.get(), attribute.c_str());
  check(there, "{}: attribute '{}' of '{}' is unreadable", source_, attribute, object);
  if (there == 0) return {};
  return checked(H5Aopen(id.get(), attribute.c_str(), H5P_DEFAULT), H5Aclose,
                 "{}: attribute '{}' of '{}' cannot be opened", source_, attribute, object);
}

std::optional<std::vector<std::string>> Reader::texts(const std::string& object,
                                                      const std::string& attribute) const {
  const Handle id = open_attribute(object, attribute);
  if (id.get() < 0) return std::nullopt;
  const std::string text = fmt::format("{}: attribute '{}' of '{}'", source_, attribute, object);
  const Handle type = checked(H5Aget_type(id.get()), H5Tclose, "{} has an unreadable type", text);
  require(H5Tget_class(type.get()) == H5T_STRING, "{} is not text", text);
  return read_texts(id.get(), type.get(), size_, text);
}

std::optional<double> Reader::number(const std::string& object, const std::string& attribute) const {
  const Handle id = open_attribute(object, attribute);
  if (id.get() < 0) return std::nullopt;
  const std::string text = fmt::format("{}: attribute '{}' of '{}'", source_, attribute, object);
  const Handle type = checked(H5Aget_type(id.get()), H5Tclose, "{} has an unreadable type", text);
  const auto value = read_number(id.get(), type.get(), size_, text);
  require(value.has_value(), "{} is not one number", text);
  return value;
}

std::map<std::string, std::string> Reader::scalars(const std::string& object) const {
  std::map<std::string, std::string> result;
  for (const std::string& name : attribute_names(open_object(object).get(), source_)) {
    const Handle id = open_attribute(object, name);
    if (id.get() < 0 || name.empty()) continue;
    const std::string text = fmt::format("{}: attribute '{}' of '{}'", source_, name, object);
    require_storable(name, text);
    const Handle type = checked(H5Aget_type(id.get()), H5Tclose, "{} has an unreadable type", text);
    if (H5Tget_class(type.get()) == H5T_STRING) {
      const auto texts = read_texts(id.get(), type.get(), size_, text);
      if (texts.size() == 1) result[name] = texts[0];
    } else if (const auto value = read_number(id.get(), type.get(), size_, text)) {
      result[name] = fmt::format("{}", *value);
    }
  }
  return result;
}

}  // namespace nouq::hdf5

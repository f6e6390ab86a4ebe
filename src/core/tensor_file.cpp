#include "core/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include <nlohmann/json.hpp>

#include "core/checksum.h"

namespace nouq {
namespace {

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t header_cap = std::size_t{16} << 20U;
constexpr const char* checksum_key = "crc64";
constexpr std::string_view no_checksum = "0000000000000000";
static_assert(std::endian::native == std::endian::little, "tensors are stored as they lie in memory");

std::size_t element_size(std::string_view type) { return type == "F32" ? 4 : type == "F64" ? 8 : 0; }

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// JSON objects silently keep the last of two equal keys; a file that says something twice is refused instead.
Json parse_without_duplicates(std::string_view text, std::string* duplicate) {
  std::vector<std::set<std::string>> seen;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) seen.emplace_back();
    if (event == Json::parse_event_t::object_end) seen.pop_back();
    if (event == Json::parse_event_t::key && !seen.back().insert(value.get<std::string>()).second) {
      *duplicate = value.get<std::string>();
    }
    return true;
  };
  return Json::parse(text, watch);
}

}  // namespace

void TensorFileWriter::add(const std::string& name, const ArrayView<const float>& values) {
  entries_.push_back({name, "F32", values.shape(), std::as_bytes(values.span())});
}

void TensorFileWriter::add(const std::string& name, const ArrayView<const double>& values) {
  entries_.push_back({name, "F64", values.shape(), std::as_bytes(values.span())});
}

void TensorFileWriter::write(const std::filesystem::path& path) const {
  Json header;
  header["__metadata__"] = metadata;
  header["__metadata__"][checksum_key] = no_checksum;
  std::vector<Entry> entries = entries_;  // doubles first: every tensor is then aligned to its own type
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return element_size(a.type) > element_size(b.type);
  });
  std::uint64_t position = 0;
  for (const Entry& entry : entries) {
    header[entry.name] = {{"dtype", entry.type},
                          {"shape", entry.shape},
                          {"data_offsets", {position, position + entry.bytes.size()}}};
    position += entry.bytes.size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // tensors begin aligned
  std::string length(length_bytes, '\0');
  const std::uint64_t size = text.size();
  std::memcpy(length.data(), &size, length_bytes);

  std::uint64_t checksum = crc64(as_bytes(text), crc64(as_bytes(length)));
  std::vector<std::span<const std::byte>> parts = {as_bytes(length), as_bytes(text)};
  for (const Entry& entry : entries) {
    checksum = crc64(entry.bytes, checksum);
    parts.push_back(entry.bytes);
  }
  const std::string marked = fmt::format("\"{}\":\"{}\"", checksum_key, no_checksum);
  const auto at = text.find(marked);
  text.replace(at, marked.size(), fmt::format("\"{}\":\"{:016x}\"", checksum_key, checksum));
  write_file_atomically(path, parts);
}

TensorFile::TensorFile(const std::filesystem::path& path) : path_(path.string()), file_(path) { parse(); }

void TensorFile::parse() {
  const auto bytes = file_.bytes();
  if (bytes.size() < length_bytes) refuse("{} bytes are too short for a tensor file", bytes.size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > header_cap || length > bytes.size() - length_bytes) {
    refuse("not a tensor file, or cut short (header of {} bytes, file of {})", length, bytes.size());
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + length_bytes, length);
  data_ = bytes.subspan(length_bytes + length);
  try {
    std::string duplicate;
    const Json header = parse_without_duplicates(text, &duplicate);
    if (!duplicate.empty()) refuse("header names '{}' twice", duplicate);
    if (!header.is_object() || !header.contains("__metadata__")) refuse("header without metadata");
    metadata_ = header.at("__metadata__").get<std::map<std::string, std::string>>();
    check_checksum(text);
    std::map<std::uint64_t, std::uint64_t> ranges;
    for (const auto& [name, value] : header.items()) {
      if (name == "__metadata__") continue;
      const auto offsets = value.at("data_offsets").get<std::vector<std::uint64_t>>();
      if (offsets.size() != 2 || offsets[0] > offsets[1]) refuse("tensor '{}' has bad offsets", name);
      read_entry(name, value.at("dtype").get<std::string>(), value.at("shape").get<Shape>(), offsets[0],
                 offsets[1]);
      if (offsets[0] < offsets[1] && !ranges.emplace(offsets[0], offsets[1]).second)
        refuse("tensors overlap");
    }
    check_coverage(ranges);
  } catch (const Json::exception& error) {
    refuse("header is not what a tensor file holds ({})", error.what());
  }
}

void TensorFile::read_entry(const std::string& name, const std::string& type, Shape shape,
                            std::uint64_t begin, std::uint64_t end) {
  const std::size_t size = element_size(type);
  if (size == 0) refuse("tensor '{}' is of type {}, expected F32 or F64", name, type);
  if (end > data_.size()) refuse("tensor '{}' ends at byte {} of {}", name, end, data_.size());
  const Index count = element_count(shape);
  if (static_cast<std::uint64_t>(count) > data_.size() ||
      static_cast<std::uint64_t>(count) * size != end - begin) {
    refuse("tensor '{}' of shape {} does not fill its {} bytes", name, to_string(shape), end - begin);
  }
  if (reinterpret_cast<std::uintptr_t>(data_.data() + begin) % size != 0)
    refuse("tensor '{}' is not aligned", name);
  entries_[name] = {type, std::move(shape), data_.data() + begin};
}

void TensorFile::check_coverage(const std::map<std::uint64_t, std::uint64_t>& ranges) const {
  std::uint64_t position = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin < position) refuse("tensors overlap at byte {}", begin);
    if (begin > position) refuse("bytes {} to {} belong to no tensor", position, begin);
    position = end;
  }
  if (position != data_.size()) refuse("{} bytes of tensors, {} in the file", position, data_.size());
}

void TensorFile::check_checksum(std::string_view header) const {
  const auto found = metadata_.find(checksum_key);
  if (found == metadata_.end() || found->second.size() != no_checksum.size())
    refuse("no checksum: not a nouq file");
  const std::string marked = fmt::format("\"{}\":\"{}\"", checksum_key, found->second);
  const auto at = header.find(marked);
  if (at == std::string_view::npos) refuse("no checksum: not a nouq file");
  std::string blank(header);
  blank.replace(at + marked.size() - 1 - no_checksum.size(), no_checksum.size(), no_checksum);
  std::uint64_t checksum = crc64(file_.bytes().first(length_bytes));
  checksum = crc64(data_, crc64(as_bytes(blank), checksum));
  if (fmt::format("{:016x}", checksum) != found->second) refuse("damaged: its checksum does not match");
}

const TensorFile::Entry& TensorFile::entry(const std::string& name, const std::string& type) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) refuse("tensor '{}' is missing", name);
  if (found->second.type != type)
    refuse("tensor '{}' is of type {}, expected {}", name, found->second.type, type);
  return found->second;
}

const std::string& TensorFile::text(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) refuse("metadata '{}' is missing", key);
  return found->second;
}

std::vector<std::string> TensorFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

ArrayView<const float> TensorFile::floats(const std::string& name) const {
  const Entry& found = entry(name, "F32");
  return {reinterpret_cast<const float*>(found.data), found.shape};
}

ArrayView<const double> TensorFile::doubles(const std::string& name) const {
  const Entry& found = entry(name, "F64");
  return {reinterpret_cast<const double*>(found.data), found.shape};
}

}  // namespace nouq

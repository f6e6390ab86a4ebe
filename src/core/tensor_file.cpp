#include "core/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/checksum.h"
#include "core/error.h"
#include "core/json.h"

namespace nouq {
namespace {

constexpr std::size_t length_bytes = 8;
constexpr std::size_t header_cap = std::size_t{16} << 20U;
constexpr const char* checksum_key = "crc64";
constexpr std::string_view checksum_mark =
    "\"crc64\":\"";  // unescaped, so it is a key and not part of a text
constexpr std::string_view no_checksum = "0000000000000000";
static_assert(std::endian::native == std::endian::little, "tensors are stored as they lie in memory");

std::size_t element_size(std::string_view type) { return type == "F32" ? 4 : type == "F64" ? 8 : 0; }

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
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
  // Free text that is not UTF-8 must not cost a trained model: what cannot be read is replaced.
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  require(text.size() < header_cap, "cannot write {}: names and text take {} bytes, expected less than {}",
          path.string(), text.size(), header_cap);
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
  text.replace(text.find(checksum_mark) + checksum_mark.size(), no_checksum.size(),
               fmt::format("{:016x}", checksum));
  write_file_atomically(path, parts);
}

TensorFile::TensorFile(const std::filesystem::path& path, const MetadataCheck& check)
    : path_(path.string()), file_(path) {
  parse(check);
}

void TensorFile::parse(const MetadataCheck& check) {
  const auto bytes = file_.bytes();
  if (bytes.size() < length_bytes) refuse("{} bytes are too short for a tensor file", bytes.size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > header_cap || length > bytes.size() - length_bytes) {
    refuse("not a nouq model or checkpoint, or cut short (its header would have {} bytes, the file has {})",
           length, bytes.size());
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + length_bytes, length);
  data_ = bytes.subspan(length_bytes + length);
  check_checksum(text);  // first: of a damaged file nothing else is worth saying
  const Json header = parse_json(text, path_ + ": header");
  try {
    if (!header.is_object() || !header.contains("__metadata__")) refuse("header without metadata");
    metadata_ = header.at("__metadata__").get<std::map<std::string, std::string>>();
    if (!metadata_.contains(checksum_key)) refuse("no checksum: not a nouq file");
    if (check) check(metadata_);
    parse_entries(header);
  } catch (const Json::exception& error) {
    refuse("header is not what a tensor file holds ({})", error.what());
  }
}

void TensorFile::parse_entries(const Json& header) {
  std::map<std::uint64_t, std::uint64_t> ranges;
  for (const auto& [name, value] : header.items()) {
    if (name == "__metadata__") continue;
    const std::string what = fmt::format("{}: tensor '{}'", path_, name);
    Shape shape = integers(value.at("shape"), what + ": its shape");
    const std::vector<Index> offsets = integers(value.at("data_offsets"), what + ": its place");
    if (offsets.size() != 2 || offsets[0] < 0 || offsets[0] > offsets[1])
      refuse("tensor '{}' has bad offsets", name);
    const auto begin = static_cast<std::uint64_t>(offsets[0]), end = static_cast<std::uint64_t>(offsets[1]);
    read_entry(name, value.at("dtype").get<std::string>(), std::move(shape), begin, end);
    if (begin < end && !ranges.emplace(begin, end).second) refuse("tensors overlap at byte {}", begin);
  }
  check_coverage(ranges);
}

void TensorFile::read_entry(const std::string& name, const std::string& type, Shape shape,
                            std::uint64_t begin, std::uint64_t end) {
  const std::size_t size = element_size(type);
  if (size == 0) refuse("tensor '{}' is of type {}, expected F32 or F64", name, type);
  if (end > data_.size()) refuse("tensor '{}' ends at byte {} of {}", name, end, data_.size());
  const Index count =
      with_source(fmt::format("{}: tensor '{}'", path_, name), [&] { return element_count(shape); });
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

// The checksum is that of the whole file with zeros in the checksum's own place.
void TensorFile::check_checksum(std::string_view header) {
  const auto mark = header.find(checksum_mark);
  const auto at = mark + checksum_mark.size();
  if (mark == std::string_view::npos || at + no_checksum.size() > header.size())
    refuse("no checksum: not a nouq file");
  checksum_ = header.substr(at, no_checksum.size());
  std::uint64_t computed = crc64(file_.bytes().first(length_bytes));
  for (const auto part : {header.substr(0, at), no_checksum, header.substr(at + no_checksum.size())})
    computed = crc64(as_bytes(part), computed);
  if (fmt::format("{:016x}", crc64(data_, computed)) != checksum_)
    refuse("damaged or cut short: its checksum does not match");
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

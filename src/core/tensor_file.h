// Named tensors and text in one file, in the safetensors layout: 8 bytes of header length, a JSON header, raw
// little-endian data.
//
// Why: checkpoints and model files need the same safe container, and other programs can open it.
// Contract: written atomically, with a CRC-64 of the whole file in its metadata. A file is accepted only if
// every check holds: sizes against the file before anything is allocated, tensors that fill the data exactly
// (no hole, no overlap), known types, no duplicate names, the checksum. Errors name the file and what is
// wrong. Tensor views live as long as the TensorFile.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nouq/array.h>

#include "core/error.h"
#include "core/file.h"
#include "core/json_types.h"

namespace nouq {

class TensorFileWriter {
 public:
  // The values must stay alive until write().
  void add(const std::string& name, const ArrayView<const float>& values);
  void add(const std::string& name, const ArrayView<const double>& values);
  std::map<std::string, std::string> metadata;
  void write(const std::filesystem::path& path) const;

 private:
  struct Entry {
    std::string name;
    const char* type;
    Shape shape;
    std::span<const std::byte> bytes;
  };
  std::vector<Entry> entries_;
};

class TensorFile {
 public:
  // Called with the metadata before any tensor is looked at, to refuse another kind or a newer version of
  // file.
  using MetadataCheck = std::function<void(const std::map<std::string, std::string>&)>;
  explicit TensorFile(const std::filesystem::path& path, const MetadataCheck& check = {});

  // 16 hexadecimal digits, found to be right.
  [[nodiscard]] const std::string& checksum() const { return checksum_; }
  // Of all tensors together.
  [[nodiscard]] std::size_t data_bytes() const { return data_.size(); }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return metadata_; }
  // The text under a key; throws when there is none.
  [[nodiscard]] const std::string& text(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool has(const std::string& name) const { return entries_.contains(name); }
  // Throws when there is no such tensor, or it is of another type.
  [[nodiscard]] ArrayView<const float> floats(const std::string& name) const;
  [[nodiscard]] ArrayView<const double> doubles(const std::string& name) const;

 private:
  struct Entry {
    std::string type;
    Shape shape;
    const std::byte* data = nullptr;
  };
  void parse(const MetadataCheck& check);
  void parse_entries(const Json& header);
  void read_entry(const std::string& name, const std::string& type, Shape shape, std::uint64_t begin,
                  std::uint64_t end);
  void check_coverage(const std::map<std::uint64_t, std::uint64_t>& ranges) const;
  void check_checksum(std::string_view header);
  [[nodiscard]] const Entry& entry(const std::string& name, const std::string& type) const;
  template <class... Arguments>
  [[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    fail("{}: {}", path_, fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  std::string path_;
  MappedFile file_;
  std::span<const std::byte> data_;  // what follows the header
  std::string checksum_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, Entry> entries_;
};

}  // namespace nouq

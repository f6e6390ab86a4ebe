// ZIP: the container of NPZ files, as far as numpy uses it.
//
// Why: reading a ZIP file safely means checking more than a general library promises. When: NPZ.
// Contract of reading: the central directory is believed only where the file bears it out: every member lies
// inside the file, members do not overlap each other or the directory, names are unique, local headers agree,
// a deflated member cannot announce more than deflate can yield (1032:1), and contents match their length and
// CRC-32. Stored and deflated members and ZIP64 are read; encryption, other methods and several disks are
// refused. Contract of writing: the bytes depend on the contents alone (no clock, no host).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/file.h"

namespace nouq {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;
  std::uint64_t data_offset = 0;
};

// A member's bytes: a view into the file when it was stored, own memory when it was deflated.
class ZipContents {
 public:
  explicit ZipContents(std::span<const std::byte> stored) : view_(stored) {}
  explicit ZipContents(std::vector<std::byte> inflated) : memory_(std::move(inflated)), view_(memory_) {}
  ZipContents(ZipContents&&) = default;
  ZipContents& operator=(ZipContents&&) = default;
  ZipContents(const ZipContents&) = delete;
  ZipContents& operator=(const ZipContents&) = delete;
  [[nodiscard]] std::span<const std::byte> bytes() const { return view_; }

 private:
  std::vector<std::byte> memory_;
  std::span<const std::byte> view_;
};

class ZipReader {
 public:
  // `file` must outlive the reader. All checks that need no decompression are made here. Of a `mapping`,
  // whose bytes these are, no more than a piece is held in memory at a time.
  ZipReader(std::span<const std::byte> file, std::string source, const MappedFile* mapping = nullptr);
  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
  [[nodiscard]] const ZipMember* find(const std::string& name) const;
  [[nodiscard]] ZipContents read(const ZipMember& member) const;

 private:
  [[nodiscard]] std::uint32_t checksum(std::span<const std::byte> bytes) const;

  std::span<const std::byte> file_;
  std::string source_;
  const MappedFile* mapping_;
  std::vector<ZipMember> members_;
};

enum class Compression { none, deflate };

// Collects members and gives the file as a list of parts. Numeric arrays are not copied: what `add` is given
// must live until `finish`'s result has been written.
class ZipWriter {
 public:
  // Sizes and offsets from `zip64_from` on are written as ZIP64; a test lowers it.
  explicit ZipWriter(Compression compression, std::uint64_t zip64_from = 0xFFFFFFFFU)
      : compression_(compression), zip64_from_(zip64_from) {}
  void add(const std::string& name, const std::vector<std::span<const std::byte>>& parts);
  // Adds the central directory. The views stay valid as long as the writer lives.
  std::vector<std::span<const std::byte>> finish();

 private:
  void keep(std::vector<std::byte> bytes);

  Compression compression_;
  std::uint64_t zip64_from_;
  std::uint64_t offset_ = 0;
  std::vector<ZipMember> members_;
  std::vector<std::vector<std::byte>> owned_;
  std::vector<std::span<const std::byte>> parts_;
};

}  // namespace nouq

namespace nouq::zip_format {

// The numbers of the ZIP format (PKWARE's APPNOTE 6.3), shared by the reader and the writer.
inline constexpr std::uint32_t local_signature = 0x04034b50;
inline constexpr std::uint32_t central_signature = 0x02014b50;
inline constexpr std::uint32_t end_signature = 0x06054b50;
inline constexpr std::uint32_t zip64_end_signature = 0x06064b50;
inline constexpr std::uint32_t zip64_locator_signature = 0x07064b50;

inline constexpr std::uint64_t local_size = 30;
inline constexpr std::uint64_t central_size = 46;
inline constexpr std::uint64_t end_size = 22;
inline constexpr std::uint64_t zip64_end_size = 56;
inline constexpr std::uint64_t zip64_locator_size = 20;
inline constexpr std::uint64_t longest_comment = 0xFFFF;

inline constexpr std::uint16_t stored_method = 0;
inline constexpr std::uint16_t deflated_method = 8;
inline constexpr std::uint16_t zip64_extra = 0x0001;
inline constexpr std::uint16_t encrypted_flag = 0x0001;
inline constexpr std::uint16_t utf8_flag = 0x0800;

inline constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;  // "see the ZIP64 field"
inline constexpr std::uint16_t count_in_zip64 = 0xFFFF;
inline constexpr std::uint64_t deflate_ratio = 1032;  // deflate yields at most this many bytes per byte

}  // namespace nouq::zip_format

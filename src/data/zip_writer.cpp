#include <algorithm>
#include <array>

#include <zlib.h>

#include "core/error.h"
#include "data/zip.h"

namespace nouq {
namespace {

using namespace zip_format;

constexpr std::uint16_t version_plain = 20;
constexpr std::uint16_t version_zip64 = 45;
constexpr std::uint16_t earliest_date = 0x0021;  // 1 January 1980, the first day ZIP knows: no clock

class Record {
 public:
  Record& u16(std::uint64_t value) { return number(value, 2); }
  Record& u32(std::uint64_t value) { return number(value, 4); }
  Record& u64(std::uint64_t value) { return number(value, 8); }
  Record& text(const std::string& value) {
    const auto bytes = std::as_bytes(std::span(value));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  Record& number(std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFFU));
    return *this;
  }
  std::vector<std::byte> bytes_;
};

using Parts = std::vector<std::span<const std::byte>>;

std::uint64_t total_size(const Parts& parts) {
  std::uint64_t size = 0;
  for (const auto part : parts) size += part.size();
  return size;
}

std::uint32_t crc_of(const Parts& parts) {
  uLong crc = 0;
  for (const auto part : parts) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  return static_cast<std::uint32_t>(crc);
}

class Deflater {
 public:
  Deflater() {
    constexpr int memory_level = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  std::vector<std::byte> run(const Parts& parts) {
    for (auto part : parts) {
      while (!part.empty()) {
        const auto piece = part.first(std::min<std::size_t>(part.size(), 1U << 30U));
        feed(piece, Z_NO_FLUSH);
        part = part.subspan(piece.size());
      }
    }
    feed({}, Z_FINISH);
    return std::move(output_);
  }

 private:
  void feed(std::span<const std::byte> piece, int flush) {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    std::array<std::byte, 1U << 14U> piece_out;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece_out.data());
      stream_.avail_out = static_cast<uInt>(piece_out.size());
      deflate(&stream_, flush);
      output_.insert(output_.end(), piece_out.begin(), piece_out.end() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<std::byte> output_;
};

// The fields both headers share, from "version needed" to the lengths of name and extra field.
void put_common(Record& record, const ZipMember& member, bool zip64, std::uint64_t extra_length) {
  record.u16(zip64 ? version_zip64 : version_plain).u16(utf8_flag);
  record.u16(member.deflated ? deflated_method : stored_method).u16(0).u16(earliest_date).u32(member.crc);
  record.u32(zip64 ? in_zip64 : member.packed_size).u32(zip64 ? in_zip64 : member.size);
  record.u16(member.name.size()).u16(extra_length);
}

std::vector<std::byte> local_header(const ZipMember& member, bool zip64) {
  Record record;
  record.u32(local_signature);
  put_common(record, member, zip64, zip64 ? 20 : 0);
  record.text(member.name);
  if (zip64) record.u16(zip64_extra).u16(16).u64(member.size).u64(member.packed_size);
  return record.take();
}

std::vector<std::byte> central_header(const ZipMember& member, bool zip64) {
  Record record;
  record.u32(central_signature).u16(zip64 ? version_zip64 : version_plain);
  put_common(record, member, zip64, zip64 ? 28 : 0);
  record.u16(0).u16(0).u16(0).u32(0).u32(zip64 ? in_zip64 : member.header_offset).text(member.name);
  if (zip64) {
    record.u16(zip64_extra).u16(24).u64(member.size).u64(member.packed_size).u64(member.header_offset);
  }
  return record.take();
}

std::vector<std::byte> end_records(std::uint64_t count, std::uint64_t offset, std::uint64_t size,
                                   bool zip64) {
  Record record;
  if (zip64) {
    record.u32(zip64_end_signature).u64(zip64_end_size - 12).u16(version_zip64).u16(version_zip64);
    record.u32(0).u32(0).u64(count).u64(count).u64(size).u64(offset);
    record.u32(zip64_locator_signature).u32(0).u64(offset + size).u32(1);
  }
  record.u32(end_signature).u16(0).u16(0);
  record.u16(zip64 ? count_in_zip64 : count).u16(zip64 ? count_in_zip64 : count);
  record.u32(zip64 ? in_zip64 : size).u32(zip64 ? in_zip64 : offset).u16(0);
  return record.take();
}

}  // namespace

void ZipWriter::keep(std::vector<std::byte> bytes) {
  owned_.push_back(std::move(bytes));
  parts_.emplace_back(owned_.back());
  offset_ += owned_.back().size();
}

void ZipWriter::add(const std::string& name, const std::vector<std::span<const std::byte>>& parts) {
  require(name.size() <= longest_comment, "ZIP member name of {} bytes is too long", name.size());
  ZipMember member;
  member.name = name;
  member.deflated = compression_ == Compression::deflate;
  member.size = total_size(parts);
  member.crc = crc_of(parts);
  member.header_offset = offset_;
  std::vector<std::byte> packed;
  if (member.deflated) packed = Deflater().run(parts);
  member.packed_size = member.deflated ? packed.size() : member.size;
  keep(local_header(member, std::max(member.size, member.packed_size) >= zip64_from_));
  if (member.deflated) {
    keep(std::move(packed));
  } else {
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    offset_ += member.size;
  }
  members_.push_back(std::move(member));
}

std::vector<std::span<const std::byte>> ZipWriter::finish() {
  const std::uint64_t start = offset_;
  for (const ZipMember& member : members_) {
    keep(central_header(member,
                        std::max({member.size, member.packed_size, member.header_offset}) >= zip64_from_));
  }
  const std::uint64_t size = offset_ - start;
  const bool zip64 = offset_ >= zip64_from_ || members_.size() >= count_in_zip64;
  keep(end_records(members_.size(), start, size, zip64));
  return parts_;
}

}  // namespace nouq

#include <algorithm>
#include <set>

#include <zlib.h>

#include "core/error.h"
#include "data/zip.h"

namespace nouq {
namespace {

using namespace zip_format;

// Little-endian numbers at checked positions of the file.
class Cursor {
 public:
  Cursor(std::span<const std::byte> file, std::uint64_t at, std::uint64_t length, const std::string& what)
      : file_(file), at_(at), end_(at + length), what_(what) {
    require(at <= file.size() && length <= file.size() - at,
            "{} needs bytes {} to {}, but the file has only {}", what, at, at + length, file.size());
  }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  void skip(std::uint64_t bytes) { at_ += bytes; }
  [[nodiscard]] std::uint64_t left() const { return end_ - at_; }
  [[nodiscard]] std::uint64_t position() const { return at_; }

 private:
  std::uint64_t number(std::uint64_t bytes) {
    require(bytes <= left(), "{}: ZIP field at byte {} is cut short", what_, at_);
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < bytes; ++i)
      value |= std::to_integer<std::uint64_t>(file_[at_ + i]) << (8 * i);
    at_ += bytes;
    return value;
  }

  std::span<const std::byte> file_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::string what_;
};

struct Directory {
  std::uint64_t count = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t end = 0;  // the record that must follow it
};

// The end record is the last thing in the file, apart from a comment whose length it states.
std::uint64_t find_end_record(std::span<const std::byte> file, const std::string& source) {
  require(file.size() >= end_size, "{}: not a ZIP (NPZ) file: {} bytes are too few", source, file.size());
  const std::uint64_t last = file.size() - end_size;
  const std::uint64_t first = last > longest_comment ? last - longest_comment : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    Cursor cursor(file, at, end_size, source);
    if (cursor.u32() != end_signature) continue;
    cursor.skip(16);
    if (cursor.u16() == last - at) return at;
  }
  fail("{}: no end of a ZIP directory found: not an NPZ file, or cut short", source);
}

Directory read_zip64_end(std::span<const std::byte> file, std::uint64_t end, const std::string& source) {
  require(end >= zip64_locator_size, "{}: ZIP64 locator is missing", source);
  Cursor locator(file, end - zip64_locator_size, zip64_locator_size, source + ": ZIP64 locator");
  require(locator.u32() == zip64_locator_signature, "{}: ZIP64 locator is missing", source);
  require(locator.u32() == 0, "{}: ZIP files over several disks are not supported", source);
  const std::uint64_t at = locator.u64();
  Cursor record(file, at, zip64_end_size, source + ": ZIP64 end record");
  require(record.u32() == zip64_end_signature, "{}: ZIP64 end record is missing at byte {}", source, at);
  record.skip(20);
  Directory directory;
  const std::uint64_t here = record.u64();
  directory.count = record.u64();
  require(here == directory.count, "{}: ZIP files over several disks are not supported", source);
  directory.size = record.u64();
  directory.offset = record.u64();
  directory.end = at;
  return directory;
}

Directory read_directory(std::span<const std::byte> file, const std::string& source) {
  const std::uint64_t end = find_end_record(file, source);
  Cursor cursor(file, end + 4, end_size - 4, source);
  const std::uint16_t disk = cursor.u16();
  const std::uint16_t first_disk = cursor.u16();
  const std::uint16_t here = cursor.u16();
  Directory directory;
  directory.count = cursor.u16();
  directory.size = cursor.u32();
  directory.offset = cursor.u32();
  directory.end = end;
  const bool zip64 =
      directory.count == count_in_zip64 || directory.size == in_zip64 || directory.offset == in_zip64;
  if (zip64) return read_zip64_end(file, end, source);
  require(disk == 0 && first_disk == 0 && here == directory.count,
          "{}: ZIP files over several disks are not supported", source);
  return directory;
}

// Fields that did not fit are in the ZIP64 extra field, in this order.
void read_zip64_extra(std::span<const std::byte> file, Cursor extra, ZipMember& member,
                      const std::string& source) {
  while (extra.left() >= 4) {
    const std::uint16_t tag = extra.u16();
    const std::uint16_t length = extra.u16();
    require(length <= extra.left(), "{}: extra field of ZIP member '{}' is cut short", source, member.name);
    if (tag == zip64_extra) {
      Cursor field(file, extra.position(), length, source);
      if (member.size == in_zip64) member.size = field.u64();
      if (member.packed_size == in_zip64) member.packed_size = field.u64();
      if (member.header_offset == in_zip64) member.header_offset = field.u64();
      return;
    }
    extra.skip(length);
  }
}

std::string read_name(std::span<const std::byte> file, std::uint64_t at, std::uint64_t length) {
  return {reinterpret_cast<const char*>(file.data()) + at, length};
}

ZipMember read_central(std::span<const std::byte> file, Cursor& directory, const std::string& source) {
  require(directory.left() >= central_size && directory.u32() == central_signature,
          "{}: ZIP directory is malformed at byte {}", source, directory.position());
  ZipMember member;
  directory.skip(4);
  const std::uint16_t flags = directory.u16();
  const std::uint16_t method = directory.u16();
  directory.skip(4);
  member.crc = directory.u32();
  member.packed_size = directory.u32();
  member.size = directory.u32();
  const std::uint16_t name_length = directory.u16();
  const std::uint16_t extra_length = directory.u16();
  const std::uint16_t comment_length = directory.u16();
  directory.skip(8);
  member.header_offset = directory.u32();
  require(static_cast<std::uint64_t>(name_length) + extra_length + comment_length <= directory.left(),
          "{}: ZIP directory entry at byte {} reaches beyond the directory", source, directory.position());
  member.name = read_name(file, directory.position(), name_length);
  directory.skip(name_length);
  read_zip64_extra(file, Cursor(file, directory.position(), extra_length, source), member, source);
  directory.skip(extra_length + comment_length);
  require((flags & encrypted_flag) == 0, "{}: ZIP member '{}' is encrypted", source, member.name);
  require(method == stored_method || method == deflated_method,
          "{}: ZIP member '{}' uses compression method {}, expected 0 (stored) or 8 (deflated)", source,
          member.name, method);
  member.deflated = method == deflated_method;
  return member;
}

// The local header repeats the name; its own sizes may be zero or elsewhere, so the directory's count.
void locate_data(std::span<const std::byte> file, std::uint64_t directory_offset, ZipMember& member,
                 const std::string& source) {
  Cursor local(file, member.header_offset, local_size,
               fmt::format("{}: local header of ZIP member '{}'", source, member.name));
  require(local.u32() == local_signature, "{}: ZIP member '{}' has no local header at byte {}", source,
          member.name, member.header_offset);
  local.skip(22);
  const std::uint16_t name_length = local.u16();
  const std::uint16_t extra_length = local.u16();
  const std::uint64_t name_at = member.header_offset + local_size;
  member.data_offset = name_at + name_length + extra_length;
  require(
      member.data_offset <= directory_offset && member.packed_size <= directory_offset - member.data_offset,
      "{}: ZIP member '{}' of {} packed bytes reaches beyond the place of members", source, member.name,
      member.packed_size);
  require(read_name(file, name_at, name_length) == member.name,
          "{}: ZIP member '{}' has another name in its local header", source, member.name);
}

void require_credible_size(const ZipMember& member, const std::string& source) {
  if (!member.deflated) {
    require(member.size == member.packed_size, "{}: stored ZIP member '{}' announces {} bytes but holds {}",
            source, member.name, member.size, member.packed_size);
    return;
  }
  require(member.size / deflate_ratio <= member.packed_size,
          "{}: ZIP member '{}' announces {} bytes from {} packed ones, more than deflate can yield", source,
          member.name, member.size, member.packed_size);
}

void require_distinct(std::vector<ZipMember> members, const std::string& source) {
  std::set<std::string> names;
  for (const ZipMember& member : members) {
    require(names.insert(member.name).second, "{}: ZIP member '{}' appears twice", source, member.name);
  }
  std::sort(members.begin(), members.end(),
            [](const ZipMember& a, const ZipMember& b) { return a.header_offset < b.header_offset; });
  for (std::size_t i = 1; i < members.size(); ++i) {
    require(members[i - 1].data_offset + members[i - 1].packed_size <= members[i].header_offset,
            "{}: ZIP members '{}' and '{}' overlap", source, members[i - 1].name, members[i].name);
  }
}

// Inflates into exactly `size` bytes; anything else is an error.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool run(std::span<const std::byte> packed, std::span<std::byte> output) {
    constexpr std::size_t most = 1U << 30U;  // zlib counts in 32 bits
    std::byte beyond{};                      // room for zlib to end an exactly full (or empty) output
    int status = Z_OK;
    while (status == Z_OK) {
      const std::size_t in = std::min(packed.size(), most);
      const std::size_t out = std::min(output.size(), most);
      stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
      stream_.avail_in = static_cast<uInt>(in);
      stream_.next_out = reinterpret_cast<Bytef*>(out > 0 ? output.data() : &beyond);
      stream_.avail_out = static_cast<uInt>(std::max<std::size_t>(out, 1));
      status = inflate(&stream_, Z_NO_FLUSH);
      packed = packed.subspan(in - stream_.avail_in);
      const std::size_t written = std::max<std::size_t>(out, 1) - stream_.avail_out;
      if (written > out) return false;
      output = output.subspan(written);
    }
    return status == Z_STREAM_END && output.empty() && packed.empty();
  }

 private:
  z_stream stream_{};
};

}  // namespace

ZipReader::ZipReader(std::span<const std::byte> file, std::string source, const MappedFile* mapping)
    : file_(file), source_(std::move(source)), mapping_(mapping) {
  const Directory directory = read_directory(file_, source_);
  Cursor cursor(file_, directory.offset, directory.size, source_ + ": ZIP directory");
  require(directory.offset + directory.size <= directory.end,
          "{}: ZIP directory of {} bytes at byte {} reaches into its end record", source_, directory.size,
          directory.offset);
  require(directory.count <= directory.size / central_size,
          "{}: ZIP directory of {} bytes cannot hold {} entries", source_, directory.size, directory.count);
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    ZipMember member = read_central(file_, cursor, source_);
    locate_data(file_, directory.offset, member, source_);
    require_credible_size(member, source_);
    members_.push_back(std::move(member));
  }
  require_distinct(members_, source_);
}

const ZipMember* ZipReader::find(const std::string& name) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const auto& m) { return m.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

ZipContents ZipReader::read(const ZipMember& member) const {
  const auto packed = file_.subspan(member.data_offset, member.packed_size);
  ZipContents contents(packed);
  if (member.deflated) {
    std::vector<std::byte> inflated(member.size);
    require(Inflater().run(packed, inflated),
            "{}: ZIP member '{}' does not inflate to the {} bytes it announces", source_, member.name,
            member.size);
    contents = ZipContents(std::move(inflated));
  }
  const std::uint32_t crc = checksum(contents.bytes());
  require(crc == member.crc,
          "{}: ZIP member '{}' is damaged (its CRC-32 is {:08x}, the directory says {:08x})", source_,
          member.name, crc, member.crc);
  return contents;
}

std::uint32_t ZipReader::checksum(std::span<const std::byte> bytes) const {
  constexpr std::size_t piece = std::size_t{4} << 20U;
  uLong crc = 0;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size()))) {
    const auto part = bytes.first(std::min(piece, bytes.size()));
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
    if (mapping_ != nullptr) mapping_->forget(part);
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace nouq

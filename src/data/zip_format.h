// The numbers of the ZIP format (PKWARE's APPNOTE 6.3), shared by the reader and the writer.
#pragma once

#include <cstdint>

namespace nouq::zip_format {

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

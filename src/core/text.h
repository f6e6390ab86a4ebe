// UTF-8 and UTF-32: names and units are UTF-8 in memory and in HDF5, numpy's text arrays are UTF-32.
#pragma once

#include <string>
#include <string_view>

namespace nouq {

// Throws when the text is not UTF-8; `source` says whose text it is.
std::u32string utf32_from_utf8(std::string_view text, const std::string& source);
// Throws when a code point is not a Unicode scalar value.
std::string utf8_from_utf32(std::u32string_view text, const std::string& source);
// Throws unless the text is UTF-8 without zero characters: what both file formats can hold.
void require_storable(std::string_view text, const std::string& source);

}  // namespace nouq

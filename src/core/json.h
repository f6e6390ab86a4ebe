// JSON from files that are not trusted.
//
// Why: the parser keeps the last of two equal keys, nests as deeply as the text says, and converts numbers
// silently from one kind to another. A file that says something twice, opens ten thousand brackets or counts
// in fractions is refused instead. Contract: errors begin with `what`, which names the file and the part of
// it. Asking a value for a missing key or another kind throws the parser's own exception: callers turn it
// into an Error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>

#include "core/json_types.h"

namespace nouq {

Json parse_json(std::string_view text, const std::string& what);

Index integer(const Json& value, const std::string& what);
std::vector<Index> integers(const Json& list, const std::string& what);

}  // namespace nouq

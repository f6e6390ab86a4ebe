// What a model file says in words: the part of a surrogate that is not arrays, as the texts of a tensor file.
//
// Why apart from model_file.cpp: this is the only place that knows the names of keys. Values with a structure
// are JSON inside their text, because the layout allows texts only. Contract: `read_metadata` gives back what
// `write_metadata` was given, accepts nothing it does not understand under its own keys, and throws an Error
// that names the key, not the file. Keys it does not know are passed over.
#pragma once

#include <map>
#include <string>

#include "uq/surrogate.h"

namespace nouq {

using Metadata = std::map<std::string, std::string>;

Metadata write_metadata(const Surrogate& surrogate);

// Throws unless this is a model in a format version we read.
void require_model(const Metadata& metadata);

struct Description {
  Surrogate surrogate;  // without arrays: coordinates, ranges, normalisation, weights, state and history
  Index networks = 0;
};
Description read_metadata(const Metadata& metadata);

}  // namespace nouq

// The model file: one surrogate of any method in one file, safetensors layout (core/tensor_file.h).
//
// Why: a surrogate must outlive the program that made it, open in other people's tools (the layout is the
// safetensors one: eight bytes of length, a JSON header, raw little-endian numbers), and be refused when it
// is damaged. The file is generic over named tensors: a new method touches nothing here. docs/model-file.md
// lists tensors and metadata.
// Contract: the same surrogate gives the same bytes; written through a temporary file and renamed. Loading
// checks sizes against the file before allocating, every shape against the architecture, what the method
// needs to predict, and the checksum; every refusal is an Error that names the file and what is wrong with
// it. What was loaded equals what was saved, bit for bit (text that was not UTF-8 excepted). Files of every
// released format version keep loading; a newer one is refused with the version it needs.
#pragma once

#include <filesystem>
#include <string>

#include "uq/surrogate.h"

namespace nouq {

// The newest that is read. A model is written in the oldest version whose readers understand all of it:
// version 2 has laws, bounds or axes of cells, which readers of version 1 would pass over.
inline constexpr int model_format_version = 3;
int format_version_of(const Surrogate& surrogate);

// Throws, and leaves alone what was at `path`, when the surrogate could not be loaded again.
void save_model(const Surrogate& surrogate, const std::filesystem::path& path);
Surrogate load_model(const std::filesystem::path& path);

// What tells two models apart: the checksum of the file, 16 hexadecimal digits.
std::string model_fingerprint(const std::filesystem::path& path);

}  // namespace nouq

// nouq info of a model file.
#pragma once

#include <filesystem>

#include <nouq/model.h>

#include "output.h"

namespace nouq::cli {

// By its name or its first bytes: a length, then JSON.
bool is_model_file(const std::filesystem::path& path);

// Throws when it does not load.
void show_model(const std::filesystem::path& path, const Output& output);
// What the bands and the trust score of a model are, and the same as text.
Json describe_calibration(const ModelInfo& info);
void print_calibration(const Json& calibration, const Output& output);

// The whole description, as text.
void print_model(const Json& about, const Output& output);

}  // namespace nouq::cli

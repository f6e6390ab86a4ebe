// What a trained model is worth on its validation samples: shared by `train` and `select`.
#pragma once

#include <filesystem>

#include <nouq/model.h>
#include <nouq/progress.h>

#include "output.h"

namespace nouq::cli {

// For people: what came out and what to do with it.
void print_summary(const std::filesystem::path& path, const Model& model, const ValidationQuality& quality,
                   double seconds, const Output& output);
Json summary_json(const std::filesystem::path& path, const Model& model, const ValidationQuality& quality);

}  // namespace nouq::cli

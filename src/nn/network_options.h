// What the library does with the options of a network (<nouq/architecture.h>).
//
// Why one plain struct for all architectures: checkpoints, model files and fingerprints compare and store
// options without knowing architectures. Contract: `validate` accepts exactly the options a network can be
// built from; `padded_lengths` exactly the grids it can be evaluated on. Errors name the option, its value
// and what is allowed.
#pragma once

#include <nouq/architecture.h>
#include <nouq/array.h>

namespace nouq {

void validate(const NetworkOptions& options);

// The same options for another architecture: its own settings at their defaults.
NetworkOptions with_architecture(NetworkOptions options, const std::string& name);

// What differs between two networks, in words with both values; empty when nothing does.
std::string difference(const NetworkOptions& first, const NetworkOptions& second);

}  // namespace nouq

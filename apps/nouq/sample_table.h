// What a model is worth on each sample of a test set: its error, its sigma, and whether it can be trusted.
//
// When: `nouq evaluate --per-sample` and the report; means over a set hide which samples are wrong. Contract:
// of the prediction as it came from the networks; errors are relative, of all channels and, where there are
// several, of each.
#pragma once

#include <string>
#include <vector>

#include "evaluation_table.h"

namespace nouq::cli {

// Columns: data, sample, the parameters, relative error (of each channel), sigma over error, trust, reasons.
// At most so many rows of each set, those with the largest errors; 0: all, in the order of the samples.
plot::Table sample_table(const Model& model, const std::vector<TestSet>& sets, int threads,
                         std::size_t most = 0);

// Rows as comma-separated values, cells with commas or quotation marks in quotes.
std::string csv_of(const plot::Table& table);

}  // namespace nouq::cli

// The built-in problem behind data, as their provenance records it.
//
// Why: options change a problem's equation, domain and bounds. Whoever meets its data later (a projection, an
// evaluation, a question by parameter) must ask the problem that made them, not the one of that name with
// default options. When: `record_options` where data are made, `problem_of` and `range_of` wherever they are
// used. Contract: provenance may be text from a file that is not trusted: a name that is no built-in problem
// gives none, a range that cannot be read gives none, options that the problem does not know are an Error.
#pragma once

#include <memory>
#include <optional>

#include <nouq/data.h>
#include <nouq/problem.h>

namespace nouq {

using Provenance = std::map<std::string, std::string>;

void record_options(const ProblemOptions& options, Provenance& provenance);

// The problem with the options it was made with; null when the data came from none.
std::unique_ptr<Problem> problem_of(const Provenance& provenance);
// The range that its parameter was drawn from.
std::optional<ParameterRange> range_of(const Provenance& provenance);

// "2:3", finite, the smaller first; nothing when it is something else.
std::optional<ParameterRange> find_range(const std::string& text);

}  // namespace nouq

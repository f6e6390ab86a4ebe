// Samples of a problem that is at hand, and the problem behind data.
//
// When: generate() of nouq/data.h takes a problem by its name; here it is an object, e.g. the one that a
// model's training data came from, to ask it for the truth or for the law at a parameter:
//
//   if (const auto problem = nouq::problem_of(model.provenance())) {
//     const nouq::DataSet truth = nouq::solve(*problem, std::vector{6.2}, model.grid());
//     ...
//   }
//
// Contract: provenance may be text from anybody's file: a name that is no built-in problem gives none, a
// range that cannot be read gives none, options that the problem does not know are an Error.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <nouq/data.h>
#include <nouq/problem.h>

namespace nouq {

// The problem with the options it was made with; null when the data came from none. Why not by its name:
// options change a problem's equation, domain and bounds.
NOUQ_API std::unique_ptr<Problem> problem_of(const Provenance& provenance);
// The range that its parameter was drawn from.
NOUQ_API std::optional<ParameterRange> range_of(const Provenance& provenance);
// "2:3", finite, the smaller first, as provenance and command lines have it; nothing when it is something
// else.
NOUQ_API std::optional<ParameterRange> find_range(const std::string& text);

// As generate() draws them, with the problem's own options instead of settings.options. Parameters are
// uniform; sample i of a seed is the same however many are drawn.
NOUQ_API DataSet draw(const Problem& problem, const GenerateSettings& settings = {});

// The samples with these values of the parameter, on the given grid.
NOUQ_API DataSet solve(const Problem& problem, std::span<const double> parameters, const Grid& grid);

// The same without solutions, for whoever asks a surrogate instead of the solver: outputs stay empty, so that
// it is no data set to train on. With `law`, the values of the conservation law are there, too: by its
// formula where the problem has one, and by running the solver for gpme, which has none.
NOUQ_API DataSet unsolved(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                          bool law = false);

}  // namespace nouq

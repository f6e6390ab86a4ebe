// Draws samples from a problem: parameters at random, fields by its solver.
//
// Why: a data set must be reproducible from its recipe (problem, options, range, seed, count). Contract:
// sample i of a seed is the same whether 10 or 10,000 are drawn and on any number of threads; its parameter
// is low + (high - low) u_i with u_i uniform, so one seed gives the same u_i in every range. Fields are
// rounded to float32 once, at the end. Over ranks (core/shared_work.h) a task is some samples in a row.
#pragma once

#include <cstdint>
#include <span>

#include <nouq/array.h>
#include <nouq/grid.h>
#include <nouq/problem.h>

#include "core/communicator.h"

namespace nouq {

struct SampleRequest {
  Index count = 400;
  std::uint64_t seed = 0;
  ParameterRange range;
  Grid grid;        // empty: the problem's default grid
  int threads = 0;  // 0: all there are
  // Over these; rank 0 alone then has the samples. nullptr: all in this process.
  Communicator* ranks = nullptr;
};

struct ProblemSamples {
  Array<float> inputs;       // [n, axes..., 1]
  Array<float> outputs;      // [n, axes..., 1]
  Array<double> parameters;  // [n, 1]
  Array<double> mass;        // [n, times]; empty when the problem has no mass law
  Grid grid;
  Quantity input_channel;
  Quantity output_channel;
  Quantity parameter;
};

ProblemSamples generate_samples(const Problem& problem, const SampleRequest& request);

// The samples with these parameters; random fields draw from (seed, index in the list). Empty grid and
// threads as above.
ProblemSamples solve_samples(const Problem& problem, std::span<const double> parameters,
                             const Grid& grid = {}, std::uint64_t seed = 0, int threads = 0,
                             Communicator* ranks = nullptr);

// The same samples with their inputs alone: nothing is solved, outputs and mass stay empty.
ProblemSamples input_samples(const Problem& problem, std::span<const double> parameters,
                             const Grid& grid = {}, std::uint64_t seed = 0, int threads = 0);

// The values of its conservation law: [n, times], one time where the grid has none. By its formula where the
// problem has one, and by running the solver for gpme, which has none.
Array<double> masses_of(const Problem& problem, std::span<const double> parameters, const Grid& grid);

}  // namespace nouq

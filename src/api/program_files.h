// The files between the loop and a solver that is a program: the question it reads, the answer it writes.
#pragma once

#include <filesystem>

#include <nouq/improve.h>

namespace nouq {

// Whether every input field is one of the parameters, so that numbers say all.
bool asked_by_parameters(const DataSet& data);

// "csv", "json" or "npz", where none is given the one that fits the data. Throws for another.
std::string input_format(const std::string& given, const DataSet& data);
void write_question(const std::filesystem::path& path, const std::string& format, const DataSet& question,
                    const DataSet& like);

SolverAnswer read_answer(const std::filesystem::path& path, const ProgramSolver& program,
                         const DataSet& like);

}  // namespace nouq

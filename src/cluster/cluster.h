// The ranks that a launcher started (mpirun, mpiexec, srun), connected by MPI.
//
// Why only where a launcher was at work: MPI_Init of a single process takes half a second. When: at the start
// of the tool, before it has threads. Contract: linked into the tool alone; mpi_cluster.cpp and mpi_group.*
// are the only files with mpi.h. All ranks run on the lowest instruction set that one of them has, so that
// all compute the same bits.
#pragma once

#include <memory>
#include <string>

#include "core/communicator.h"

namespace nouq {

class Cluster : public Communicator {
 public:
  // Cores that this rank may use without getting in the way of others on its machine.
  [[nodiscard]] virtual int cores() const = 0;
  // Ranks on its machine, itself among them.
  [[nodiscard]] virtual int neighbours() const = 0;
  // "4 ranks on 2 machines, cores for 8 threads each (Open MPI)".
  [[nodiscard]] virtual std::string description() const = 0;
  // The end of a job that went well: rank 0 lets the others go, they wait for that. Every rank calls it.
  virtual void leave() = 0;
  // The end of one that did not: of all ranks, at once.
  [[noreturn]] virtual void abort(int code) = 0;
};

// nullptr where no launcher started this process, or it started only one. Throws where it started several
// that cannot be connected: each would do all the work and write the same files.
std::unique_ptr<Cluster> join_cluster();

// Whether a launcher or a scheduler runs this process: nobody sits at a terminal.
bool runs_as_job();

// "Open MPI 4.1.4"; empty in a tool that was built without.
std::string mpi_name();

namespace detail {
// Of mpi_cluster.cpp or without_mpi.cpp; `expected` is the number of ranks the launcher tells, 0 if it does
// not.
std::unique_ptr<Cluster> connect_ranks(int expected);
}  // namespace detail

}  // namespace nouq

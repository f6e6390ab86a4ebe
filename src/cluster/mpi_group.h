// Ranks of an MPI job that work in step (core/group.h), by messages between pairs of them.
//
// Why no communicator of MPI's own for each group: making one is a call that all ranks wait in; here messages
// between two ranks arrive in their order, and that is enough. Why not MPI_Alltoallv: it waits with all its
// might, and cannot be left when a rank has failed. Contract: MPI is called by one thread at a time, which
// `mpi_mutex` sees to.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <mpi.h>

#include "core/group.h"

namespace nouq {

// MPI counts with int, so a long message goes in pieces.
inline constexpr std::size_t longest_piece = std::size_t{1} << 28U;

// Held around every call of MPI, once there may be two threads that make some.
std::mutex& mpi_mutex();

// `members`: ranks of the communicator, in the order of the group. The communicator is for groups alone.
std::unique_ptr<Group> make_mpi_group(MPI_Comm communicator, const std::vector<int>& members, int own_rank);

// Whether an exchange was left before its end: MPI may still write where it was told to, and must not be
// called again but to abort.
bool left_an_exchange();

}  // namespace nouq

// The tool as it is where MPI is missing, or with NOUQ_MPI=OFF.
#include "cluster/cluster.h"
#include "core/error.h"

namespace nouq {

std::string mpi_name() { return ""; }

std::unique_ptr<Cluster> detail::connect_ranks(int expected) {
  fail(
      "started by a launcher{}, but this nouq was built without MPI (NOUQ_MPI=OFF, or none was found): its "
      "processes would all write the same files; start one, or build with MPI",
      expected > 0 ? fmt::format(" as one of {} processes", expected) : "");
}

}  // namespace nouq

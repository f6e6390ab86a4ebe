// What the environment says about how this process was started.
#include <array>
#include <cstdlib>

#include "cluster/cluster.h"
#include "core/error.h"

namespace nouq {
namespace {

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

int number_in(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : 0;
}

bool was_launched() { return is_set("PMIX_RANK") || is_set("PMI_RANK") || is_set("OMPI_COMM_WORLD_RANK"); }

int ranks_by_launcher() {
  for (const char* name : std::array{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (is_set(name)) return number_in(name);
  }
  return 0;
}

}  // namespace

bool runs_as_job() { return was_launched() || is_set("SLURM_JOB_ID"); }

std::unique_ptr<Cluster> join_cluster() {
  if (was_launched()) return ranks_by_launcher() == 1 ? nullptr : detail::connect_ranks(ranks_by_launcher());
  const int tasks = number_in("SLURM_STEP_NUM_TASKS");
  require(tasks <= 1,
          "SLURM_STEP_NUM_TASKS = {}: srun started {} processes that do not know of each other and would all "
          "write the same files; give srun --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH), or one task",
          tasks, tasks);
  return nullptr;
}

}  // namespace nouq

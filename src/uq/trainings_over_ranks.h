// The trainings of a plan over the ranks of a job (core/shared_work.h): a task is a network, and what it
// gives is its checkpoint. With fewer networks than ranks a network is shared by several: a task is then one
// rank's part in it, and the first of its ranks has the checkpoint.
//
// Why files and not weights: a network that is interrupted, finished or handed to another rank is the same
// file as in one process. Whether a rank sees rank 0's folder is found out with a file that rank 0 writes
// there; a rank that does not gets the checkpoint with the task and sends it back. Contract: afterwards rank
// 0 has every checkpoint in its folder. Nobody else trains or locks anything there on its own account.
#pragma once

#include "uq/training_plan.h"

namespace nouq {

// False: the observer asked to stop. The observer of rank 0 hears of all networks.
bool train_over_ranks(Communicator& communicator, const TrainingPlan& plan, const TrainingsOptions& options,
                      FitObserver& observer);

}  // namespace nouq

// A program that nobody sits before: signals and the end of its time ask it to stop with a checkpoint.
//
// When: in a job of a cluster, or with a limited time. Contract: SIGTERM, SIGUSR1 and the end of the time ask
// work inside an InterruptGuard (interrupt.h) to stop at its next step; outside of one the program ends at
// once. Either way the exit code is `unfinished`: the same command goes on. Ctrl-C stays what it is.
#pragma once

namespace nouq::cli {

constexpr int unfinished = 75;  // EX_TEMPFAIL

// From now on to the end of the program.
void run_unattended();
// The same, and the end of the time after so many seconds.
void limit_time(unsigned seconds);

// What the program exits with when its work was stopped: 130 after Ctrl-C, as shells expect, or unfinished.
int code_of_interrupted();

}  // namespace nouq::cli

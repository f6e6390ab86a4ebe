/* What goes wrong in one run, told by the environment and counted call by call.
 *
 * The library of this folder is loaded before a program (LD_PRELOAD) and stands between it and the C library.
 * It numbers the program's calls, of files or of memory, from the beginning of main, and does one thing to
 * the calls from NOUQ_FAULT_FIRST to NOUQ_FAULT_LAST that the thing can happen to.
 *
 *   NOUQ_FAULT_KIND    files or memory: what is counted
 *   NOUQ_FAULT_FIRST   the number of the first call, from 0; none: nothing happens
 *   NOUQ_FAULT_LAST    of the last one; by default the first
 *   NOUQ_FAULT_ACTION  see `enum action`, by its name in small letters
 *   NOUQ_FAULT_FILE    of `shrink`: the file that is cut to half its size
 *   NOUQ_FAULT_LOG     a file: every call as a line, for the driver
 *   NOUQ_FAULT_DISK    a file: what was done to the disk, for the driver (disk.c)
 *   NOUQ_FAULT_ARM     counting waits for nouq_faults_arm(1): for programs whose own calls are not meant
 */
#ifndef NOUQ_FAULTS_PLAN_H
#define NOUQ_FAULTS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

enum action {
  NOTHING,
  EIO_,
  ENOSPC_,
  EINTR_,
  SHORT,
  KILL_BEFORE,
  KILL_AFTER,
  STOP_BEFORE,
  STOP_AFTER,
  SHRINK
};

/* What can happen to a call depends on what it does. */
enum class { LOOKS, OPENS, CREATES, READS, WRITES, CHANGES, FLUSHES, CLOSES, LOCKS };

struct fault {
  int error;      /* what errno is to be; 0: the call is made */
  bool half;      /* reads and writes half of what was asked for */
  int afterwards; /* a signal to end with, or 0 */
};

/* The next call of files: acts at once if it is the one to kill or stop before. `path` may be null, then
 * `descriptor` is what the call is about. */
struct fault next_file_call(const char* name, enum class kind, const char* path, int descriptor);
void after_call(struct fault fault);

/* Whether the next allocation fails, which the code at `caller` asks for. Not counted are those of libhdf5,
 * which does not survive them, of the loader, and of the C library, whose calls fail as calls of files. */
bool next_allocation_fails(const void* caller);

/* Whether the program's main is running and, with NOUQ_FAULT_ARM, armed. */
bool counting(void);

/* Writes to a file of the driver's, through the system and not the interposed calls. */
void write_log(int descriptor, const void* bytes, size_t size);
extern int disk_log;

#endif

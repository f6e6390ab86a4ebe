#define _GNU_SOURCE
#include "plan.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* const action_names[] = {"nothing",    "eio",         "enospc",     "eintr", "short", "kill_before",
                                           "kill_after", "stop_before", "stop_after", "shrink"};
static enum action action = NOTHING;
static bool files = false, memory = false;
static long first = -1, last = -1;
static const char* shrinking = NULL;
static int call_log = -1;
int disk_log = -1;
static atomic_long calls = 0;
static atomic_bool running = false;
static void note_libraries(void);

/* Logs have numbers that a program, which gets the lowest free ones, does not meet. */
static int open_log(const char* name, int number) {
  const char* path = getenv(name);
  if (path == NULL) return -1;
  const int opened = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int moved = (int)syscall(SYS_dup3, opened, number, O_CLOEXEC);
  syscall(SYS_close, opened);
  return moved;
}

static long number_of(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atol(text);
}

__attribute__((constructor)) static void read_plan(void) {
  const char* kind = getenv("NOUQ_FAULT_KIND");
  files = kind != NULL && strcmp(kind, "files") == 0;
  memory = kind != NULL && strcmp(kind, "memory") == 0;
  first = number_of("NOUQ_FAULT_FIRST", -1);
  last = number_of("NOUQ_FAULT_LAST", first);
  shrinking = getenv("NOUQ_FAULT_FILE");
  const char* wanted = getenv("NOUQ_FAULT_ACTION");
  for (int a = NOTHING; wanted != NULL && a <= SHRINK; ++a)
    if (strcmp(action_names[a], wanted) == 0) action = a;
  call_log = open_log("NOUQ_FAULT_LOG", 900);
  disk_log = open_log("NOUQ_FAULT_DISK", 901);
}

__attribute__((visibility("default"))) void nouq_faults_arm(int on) {
  if (on) note_libraries();
  running = on != 0;
}

bool counting(void) { return running; }

static int (*real_main)(int, char**, char**);

static int counted_main(int count, char** words, char** environment) {
  note_libraries();
  running = getenv("NOUQ_FAULT_ARM") == NULL;
  return real_main(count, words, environment);
}

/* Counting begins with main: what the loader does is not the program's. */
__attribute__((visibility("default"))) int __libc_start_main(int (*program)(int, char**, char**), int count,
                                                             char** words, void (*start)(void), void (*end)(void),
                                                             void (*loader)(void), void* stack) {
  real_main = program;
  int (*next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  return next(counted_main, count, words, start, end, loader, stack);
}

void write_log(int descriptor, const void* bytes, size_t size) {
  while (size > 0) {
    const long written = syscall(SYS_write, descriptor, bytes, size);
    if (written <= 0) return;
    bytes = (const char*)bytes + written;
    size -= (size_t)written;
  }
}

static void log_call(long number, const char* name, enum class kind, const char* path, int descriptor) {
  char link[64], target[PATH_MAX] = "", line[PATH_MAX + 200];
  if (path == NULL && descriptor >= 0) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    path = target;
  }
  const int size = snprintf(line, sizeof line, "%ld\t%s\t%d\t%s\n", number, name, kind, path == NULL ? "" : path);
  write_log(call_log, line, (size_t)size);
}

static bool can_be_interrupted(enum class kind) {
  return kind == OPENS || kind == CREATES || kind == READS || kind == WRITES || kind == LOCKS || kind == CLOSES;
}

static bool can_be_full(enum class kind) {
  return kind == CREATES || kind == WRITES || kind == CHANGES || kind == FLUSHES || kind == CLOSES;
}

static void shrink_file(void) {
  struct stat status;
  if (stat(shrinking, &status) != 0) return;
  syscall(SYS_truncate, shrinking, status.st_size / 2);
}

static struct fault act(enum class kind) {
  const struct fault none = {0, false, 0};
  switch (action) {
    case EIO_:
      return (struct fault){EIO, false, 0};
    case ENOSPC_:
      return can_be_full(kind) ? (struct fault){ENOSPC, false, 0} : none;
    case EINTR_:
      return can_be_interrupted(kind) ? (struct fault){EINTR, false, 0} : none;
    case SHORT:
      return (struct fault){0, kind == READS || kind == WRITES, 0};
    case KILL_BEFORE:
    case STOP_BEFORE:
      raise(action == KILL_BEFORE ? SIGKILL : SIGSTOP);
      return none;
    case KILL_AFTER:
    case STOP_AFTER:
      return (struct fault){0, false, action == KILL_AFTER ? SIGKILL : SIGSTOP};
    case SHRINK:
      shrink_file();
      return none;
    default:
      return none;
  }
}

struct fault next_file_call(const char* name, enum class kind, const char* path, int descriptor) {
  const struct fault none = {0, false, 0};
  if (!files || !running) return none;
  const long number = calls++;
  if (call_log >= 0) log_call(number, name, kind, path, descriptor);
  return first >= 0 && number >= first && number <= last ? act(kind) : none;
}

void after_call(struct fault fault) {
  if (fault.afterwards != 0) raise(fault.afterwards);
}

/* Where libraries lie whose own allocations are not counted. */
static struct {
  uintptr_t begin, end;
} passed_over[8];
static int passed_over_count = 0;

static int note_library(struct dl_phdr_info* library, size_t size, void* unused) {
  (void)size, (void)unused;
  static const char* const names[] = {"libhdf5", "libsz", "ld-linux", "libc.so"};
  bool meant = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) meant |= strstr(library->dlpi_name, names[i]) != NULL;
  if (!meant) return 0;
  uintptr_t end = 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &library->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && part->p_vaddr + part->p_memsz > end) end = part->p_vaddr + part->p_memsz;
  }
  if (passed_over_count == 8) return 1;
  passed_over[passed_over_count].begin = library->dlpi_addr;
  passed_over[passed_over_count++].end = library->dlpi_addr + end;
  return 0;
}

static void note_libraries(void) {
  passed_over_count = 0;
  dl_iterate_phdr(note_library, NULL);
}

static bool is_passed_over(const void* caller) {
  for (int i = 0; i < passed_over_count; ++i)
    if ((uintptr_t)caller >= passed_over[i].begin && (uintptr_t)caller < passed_over[i].end) return true;
  return false;
}

bool next_allocation_fails(const void* caller) {
  if (!memory || !running || is_passed_over(caller)) return false;
  const long number = calls++;
  return first >= 0 && number >= first && number <= last;
}

/* How many calls there were: the whole log of a run that counts allocations. */
__attribute__((destructor)) static void log_count(void) {
  char line[64];
  if (call_log >= 0 && memory)
    write_log(call_log, line, (size_t)snprintf(line, sizeof line, "%ld\n", atomic_load(&calls)));
}

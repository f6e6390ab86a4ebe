/* The calls of files that the project makes, itself or through libstdc++ and libhdf5. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "disk.h"
#include "plan.h"

#define PUBLIC __attribute__((visibility("default")))
#define NEXT(name) static __typeof__(&name) next; if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* The whole body of a call that is made or fails. */
#define CALL(name, type, kind, path, descriptor, failed, ...)                      \
  NEXT(name);                                                                      \
  const struct fault fault = next_file_call(#name, kind, path, descriptor);        \
  if (fault.error != 0) return errno = fault.error, failed;                        \
  type const result = next(__VA_ARGS__);                                           \
  const int reason = errno

#define END after_call(fault); errno = reason; return result

static size_t share(struct fault fault, size_t size) { return fault.half && size > 1 ? size / 2 : size; }

/* --- Opening and closing */

#define OPEN(name, folder, call_arguments)                                                              \
  mode_t mode = 0;                                                                                      \
  if (flags & (O_CREAT | O_TMPFILE)) {                                                                  \
    va_list more;                                                                                       \
    va_start(more, flags);                                                                              \
    mode = va_arg(more, mode_t);                                                                        \
    va_end(more);                                                                                       \
  }                                                                                                     \
  const bool was_there = there(folder, path);                                                           \
  CALL(name, int, (flags & O_CREAT) ? CREATES : OPENS, path, -1, -1, call_arguments);                   \
  note_opened(result, folder, path, flags, was_there);                                                  \
  END
#define AND ,

PUBLIC int open(const char* path, int flags, ...) { OPEN(open, AT_FDCWD, path AND flags AND mode); }
PUBLIC int open64(const char* path, int flags, ...) { OPEN(open64, AT_FDCWD, path AND flags AND mode); }
PUBLIC int openat(int folder, const char* path, int flags, ...) {
  OPEN(openat, folder, folder AND path AND flags AND mode);
}
PUBLIC int openat64(int folder, const char* path, int flags, ...) {
  OPEN(openat64, folder, folder AND path AND flags AND mode);
}
PUBLIC FILE* fopen(const char* path, const char* mode) {
  CALL(fopen, FILE*, OPENS, path, -1, NULL, path, mode);
  END;
}
PUBLIC FILE* fopen64(const char* path, const char* mode) {
  CALL(fopen64, FILE*, OPENS, path, -1, NULL, path, mode);
  END;
}
PUBLIC DIR* opendir(const char* path) {
  CALL(opendir, DIR*, LOOKS, path, -1, NULL, path);
  END;
}
PUBLIC struct dirent* readdir(DIR* folder) {
  CALL(readdir, struct dirent*, LOOKS, NULL, -1, NULL, folder);
  END;
}
PUBLIC struct dirent64* readdir64(DIR* folder) {
  CALL(readdir64, struct dirent64*, LOOKS, NULL, -1, NULL, folder);
  END;
}

/* Whatever close says, the descriptor is gone. */
PUBLIC int close(int descriptor) {
  NEXT(close);
  const struct fault fault = next_file_call("close", CLOSES, NULL, descriptor);
  const int result = next(descriptor), reason = errno;
  if (fault.error != 0) return errno = fault.error, -1;
  END;
}

/* --- Reading and writing */

PUBLIC ssize_t read(int descriptor, void* to, size_t size) {
  CALL(read, ssize_t, READS, NULL, descriptor, -1, descriptor, to, share(fault, size));
  END;
}
PUBLIC ssize_t pread(int descriptor, void* to, size_t size, off_t offset) {
  CALL(pread, ssize_t, READS, NULL, descriptor, -1, descriptor, to, share(fault, size), offset);
  END;
}
PUBLIC ssize_t pread64(int descriptor, void* to, size_t size, off64_t offset) {
  CALL(pread64, ssize_t, READS, NULL, descriptor, -1, descriptor, to, share(fault, size), offset);
  END;
}
PUBLIC ssize_t readv(int descriptor, const struct iovec* to, int count) {
  CALL(readv, ssize_t, READS, NULL, descriptor, -1, descriptor, to, count);
  END;
}
PUBLIC ssize_t write(int descriptor, const void* from, size_t size) {
  CALL(write, ssize_t, WRITES, NULL, descriptor, -1, descriptor, from, share(fault, size));
  note_written(descriptor, from, result, -1);
  END;
}
PUBLIC ssize_t pwrite(int descriptor, const void* from, size_t size, off_t offset) {
  CALL(pwrite, ssize_t, WRITES, NULL, descriptor, -1, descriptor, from, share(fault, size), offset);
  note_written(descriptor, from, result, offset);
  END;
}
PUBLIC ssize_t pwrite64(int descriptor, const void* from, size_t size, off64_t offset) {
  CALL(pwrite64, ssize_t, WRITES, NULL, descriptor, -1, descriptor, from, share(fault, size), offset);
  note_written(descriptor, from, result, offset);
  END;
}
PUBLIC size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  CALL(fwrite, size_t, WRITES, NULL, fileno(file), 0, from, size, count, file);
  END;
}
PUBLIC int fflush(FILE* file) {
  CALL(fflush, int, WRITES, NULL, file == NULL ? -1 : fileno(file), EOF, file);
  END;
}
PUBLIC void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  NEXT(mmap);
  if (descriptor < 0) return next(at, size, protection, flags, descriptor, offset);
  const struct fault fault = next_file_call("mmap", LOOKS, NULL, descriptor);
  if (fault.error != 0) return errno = fault.error, MAP_FAILED;
  void* const result = next(at, size, protection, flags, descriptor, offset);
  const int reason = errno;
  END;
}

/* --- What reaches the disk, and when */

PUBLIC int fsync(int descriptor) {
  CALL(fsync, int, FLUSHES, NULL, descriptor, -1, descriptor);
  if (result == 0) note_flushed(descriptor);
  END;
}
PUBLIC int fdatasync(int descriptor) {
  CALL(fdatasync, int, FLUSHES, NULL, descriptor, -1, descriptor);
  if (result == 0) note_flushed(descriptor);
  END;
}
PUBLIC int ftruncate(int descriptor, off_t size) {
  CALL(ftruncate, int, CHANGES, NULL, descriptor, -1, descriptor, size);
  if (result == 0) note_resized(descriptor, size);
  END;
}
PUBLIC int rename(const char* from, const char* to) {
  CALL(rename, int, CHANGES, to, -1, -1, from, to);
  if (result == 0) note_renamed(from, to);
  END;
}
PUBLIC int unlink(const char* path) {
  CALL(unlink, int, CHANGES, path, -1, -1, path);
  if (result == 0) note_removed(AT_FDCWD, path, false);
  END;
}
PUBLIC int unlinkat(int folder, const char* path, int flags) {
  CALL(unlinkat, int, CHANGES, path, -1, -1, folder, path, flags);
  if (result == 0) note_removed(folder, path, (flags & AT_REMOVEDIR) != 0);
  END;
}
PUBLIC int remove(const char* path) {
  struct stat status;
  const bool is_folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  CALL(remove, int, CHANGES, path, -1, -1, path);
  if (result == 0) note_removed(AT_FDCWD, path, is_folder);
  END;
}
PUBLIC int rmdir(const char* path) {
  CALL(rmdir, int, CHANGES, path, -1, -1, path);
  if (result == 0) note_removed(AT_FDCWD, path, true);
  END;
}
PUBLIC int mkdir(const char* path, mode_t mode) {
  CALL(mkdir, int, CHANGES, path, -1, -1, path, mode);
  if (result == 0) note_folder_made(path);
  END;
}

/* --- Looking, locking, changing modes */

PUBLIC int flock(int descriptor, int operation) {
  CALL(flock, int, LOCKS, NULL, descriptor, -1, descriptor, operation);
  END;
}
#define LOOK(name, kind, parameters, path, descriptor, ...) \
  PUBLIC int name parameters {                              \
    CALL(name, int, kind, path, descriptor, -1, __VA_ARGS__); \
    END;                                                    \
  }
LOOK(stat, LOOKS, (const char* path, struct stat* to), path, -1, path, to)
LOOK(stat64, LOOKS, (const char* path, struct stat64* to), path, -1, path, to)
LOOK(lstat, LOOKS, (const char* path, struct stat* to), path, -1, path, to)
LOOK(lstat64, LOOKS, (const char* path, struct stat64* to), path, -1, path, to)
LOOK(fstat, LOOKS, (int descriptor, struct stat* to), NULL, descriptor, descriptor, to)
LOOK(fstat64, LOOKS, (int descriptor, struct stat64* to), NULL, descriptor, descriptor, to)
LOOK(access, LOOKS, (const char* path, int wanted), path, -1, path, wanted)
LOOK(faccessat, LOOKS, (int folder, const char* path, int wanted, int flags), path, -1, folder, path, wanted, flags)
LOOK(fchmod, CHANGES, (int descriptor, mode_t mode), NULL, descriptor, descriptor, mode)
LOOK(fchown, CHANGES, (int descriptor, uid_t user, gid_t group), NULL, descriptor, descriptor, user, group)
PUBLIC ssize_t readlink(const char* path, char* to, size_t size) {
  CALL(readlink, ssize_t, LOOKS, path, -1, -1, path, to, size);
  END;
}
PUBLIC char* realpath(const char* path, char* to) {
  CALL(realpath, char*, LOOKS, path, -1, NULL, path, to);
  END;
}

#define _GNU_SOURCE
#include "disk.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan.h"

static bool noting(void) { return disk_log >= 0 && counting(); }

static unsigned long inode_of(int descriptor, bool* regular) {
  struct stat status;
  memset(&status, 0, sizeof status);
  syscall(SYS_newfstatat, descriptor, "", &status, AT_EMPTY_PATH);
  *regular = S_ISREG(status.st_mode);
  return (unsigned long)status.st_ino;
}

static void absolute(int folder, const char* path, char* to) {
  char link[64] = "/proc/self/cwd", where[PATH_MAX] = "";
  if (path[0] != '/') {
    if (folder != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, where, sizeof where - 2);
    where[length > 0 ? length : 0] = '\0';
    strcat(where, "/");
  }
  snprintf(to, 2 * PATH_MAX, "%s%s", where, path);
}

static void note_path(const char* what, int folder, const char* path) {
  char full[2 * PATH_MAX], line[2 * PATH_MAX + 40];
  if (!noting()) return;
  absolute(folder, path, full);
  write_log(disk_log, line, (size_t)snprintf(line, sizeof line, "%s\t%s\n", what, full));
}

bool there(int folder, const char* path) {
  struct stat status;
  return noting() && syscall(SYS_newfstatat, folder, path, &status, 0) == 0;
}

void note_opened(int descriptor, int folder, const char* path, int flags, bool was_there) {
  char full[2 * PATH_MAX], line[2 * PATH_MAX + 80];
  bool regular;
  if (!noting() || descriptor < 0) return;
  const unsigned long inode = inode_of(descriptor, &regular);
  if (!regular) return;
  absolute(folder, path, full);
  const char* what = (flags & O_CREAT) && !was_there ? "create" : (flags & O_TRUNC) ? "truncate" : NULL;
  if (what == NULL) return;
  const int size = what[0] == 'c' ? snprintf(line, sizeof line, "create\t%lu\t%s\n", inode, full)
                                  : snprintf(line, sizeof line, "truncate\t%lu\t0\t%s\n", inode, full);
  write_log(disk_log, line, (size_t)size);
}

void note_written(int descriptor, const void* bytes, ssize_t size, off_t offset) {
  char line[100];
  bool regular;
  if (!noting() || size <= 0) return;
  const unsigned long inode = inode_of(descriptor, &regular);
  if (!regular) return;
  if (offset < 0) offset = (off_t)syscall(SYS_lseek, descriptor, 0, SEEK_CUR) - size;
  write_log(disk_log, line,
            (size_t)snprintf(line, sizeof line, "write\t%lu\t%ld\t%ld\n", inode, (long)offset, (long)size));
  write_log(disk_log, bytes, (size_t)size);
}

void note_resized(int descriptor, off_t size) {
  char line[100];
  bool regular;
  if (!noting()) return;
  const unsigned long inode = inode_of(descriptor, &regular);
  write_log(disk_log, line, (size_t)snprintf(line, sizeof line, "truncate\t%lu\t%ld\t\n", inode, (long)size));
}

void note_flushed(int descriptor) {
  char line[100], link[64], target[PATH_MAX];
  bool regular;
  if (!noting()) return;
  const unsigned long inode = inode_of(descriptor, &regular);
  if (regular) {
    write_log(disk_log, line, (size_t)snprintf(line, sizeof line, "sync\t%lu\n", inode));
    return;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
  target[length > 0 ? length : 0] = '\0';
  note_path("sync_folder", AT_FDCWD, target);
}

void note_renamed(const char* from, const char* to) {
  char old[2 * PATH_MAX], new[2 * PATH_MAX], line[4 * PATH_MAX + 40];
  if (!noting()) return;
  absolute(AT_FDCWD, from, old);
  absolute(AT_FDCWD, to, new);
  write_log(disk_log, line, (size_t)snprintf(line, sizeof line, "rename\t%s\t%s\n", old, new));
}

void note_removed(int folder, const char* path, bool is_folder) {
  note_path(is_folder ? "rmdir" : "unlink", folder, path);
}
void note_folder_made(const char* path) { note_path("mkdir", AT_FDCWD, path); }

/* What a run does to the disk, in its order, so that the driver can say what a loss of power leaves of it.
 *
 * Records are lines, with paths as the program gave them made absolute:
 *   create INODE PATH     a new empty file          truncate INODE SIZE
 *   write INODE OFFSET SIZE, and SIZE bytes after the line
 *   rename PATH PATH      unlink PATH     mkdir PATH     rmdir PATH
 *   sync INODE            sync_folder PATH
 */
#ifndef NOUQ_FAULTS_DISK_H
#define NOUQ_FAULTS_DISK_H

#include <stdbool.h>
#include <sys/types.h>

bool there(int folder, const char* path);
void note_opened(int descriptor, int folder, const char* path, int flags, bool was_there);
void note_written(int descriptor, const void* bytes, ssize_t size,
                  off_t offset); /* offset < 0: before where it is now */
void note_resized(int descriptor, off_t size);
void note_flushed(int descriptor);
void note_renamed(const char* from, const char* to);
void note_removed(int folder, const char* path, bool is_folder);
void note_folder_made(const char* path);

#endif

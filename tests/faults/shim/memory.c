/* Allocations that fail. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>

#include "plan.h"

#define PUBLIC __attribute__((visibility("default")))

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static void* none(void) {
  errno = ENOMEM;
  return NULL;
}

PUBLIC void* malloc(size_t size) { return next_allocation_fails(__builtin_return_address(0)) ? none() : __libc_malloc(size); }

PUBLIC void* calloc(size_t count, size_t size) {
  return next_allocation_fails(__builtin_return_address(0)) ? none() : __libc_calloc(count, size);
}

PUBLIC void* realloc(void* old, size_t size) {
  return next_allocation_fails(__builtin_return_address(0)) ? none() : __libc_realloc(old, size);
}

static void* aligned(size_t alignment, size_t size, const void* caller) {
  return next_allocation_fails(caller) ? none() : __libc_memalign(alignment, size);
}

PUBLIC void* memalign(size_t alignment, size_t size) {
  return aligned(alignment, size, __builtin_return_address(0));
}

PUBLIC void* aligned_alloc(size_t alignment, size_t size) {
  return aligned(alignment, size, __builtin_return_address(0));
}

PUBLIC int posix_memalign(void** memory, size_t alignment, size_t size) {
  void* given = aligned(alignment, size, __builtin_return_address(0));
  if (given == NULL) return ENOMEM;
  *memory = given;
  return 0;
}

// Parallel loops over independent pieces of work.
//
// Why: results must not depend on the number of threads. So work is cut into pieces that do not know how many
// threads there are; each piece writes its own place, and whoever adds pieces up does so in the order of
// their index. Contract: an exception thrown by a piece reaches the caller (the one with the lowest index,
// after the loop has ended). A child that a process forks after its first loop works with one thread.
#pragma once

#include <cstdint>
#include <exception>
#include <type_traits>

namespace nouq {

// Number of hardware threads this process may use.
int available_threads();

// Checks a number of threads that a user gave: 0 means all available; below 0 or above 1024 is an error.
int resolve_threads(int wanted);

// The index of the calling thread in the innermost parallel_for, from 0. For scratch memory only, never for
// results.
int thread_index();

// While it lives, loops inside loops get threads of their own, where both ask for several. For the few places
// with fewer pieces of work than threads; elsewhere inner loops run alone.
class NestedLoops {
 public:
  NestedLoops();
  ~NestedLoops();
  NestedLoops(const NestedLoops&) = delete;
  NestedLoops& operator=(const NestedLoops&) = delete;

 private:
  int before_;
};

namespace detail {

// While it lives, thread_index() is `index`.
class IndexScope {
 public:
  explicit IndexScope(int index);
  ~IndexScope();
  IndexScope(const IndexScope&) = delete;
  IndexScope& operator=(const IndexScope&) = delete;

 private:
  int before_;
};

void parallel_for(int threads, std::int64_t count, void (*call)(void*, std::int64_t), void* context);
}  // namespace detail

// While it lives, the calling thread counts as outside of any loop. For pieces of work that are programs of
// their own, with loops and scratch memory for them: a network trained by the second of two threads has
// memory for one.
struct OutsideLoops : detail::IndexScope {
  OutsideLoops() : IndexScope(0) {}
};

// body(i) for i in 0..count-1, handed out dynamically, one at a time.
template <class Body>
void parallel_for(int threads, std::int64_t count, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  detail::parallel_for(
      threads, count, [](void* context, std::int64_t i) { (*static_cast<Plain*>(context))(i); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace nouq

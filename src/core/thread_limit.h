// How many threads stand for "all cores" (core/threads.h).
#pragma once

namespace nouq {

// From now on available_threads() is this number: for a process that shares its cores with others.
void limit_threads(int count);

}  // namespace nouq

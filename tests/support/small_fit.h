// A fit small enough for tests: three heads, networks or masks on the data of small_training.h.
#pragma once

#include "support/small_training.h"
#include "uq/fit.h"

namespace nouq::test {

inline FitOptions small_fit(const std::string& method, Index epochs, int threads = 1) {
  FitOptions options;
  options.method.name = method;
  options.method.set("count", 3);
  options.method.set("dropout",
                     0.5);  // of 16 features: three masks that keep all of them would have no spread
  options.train = small_options();
  options.train.epochs = epochs;
  options.threads = threads;
  return options;
}

}  // namespace nouq::test

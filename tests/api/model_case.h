// The golden networks behind the public interface, and the C++ predictions every interface must repeat.
#pragma once

#include <gtest/gtest.h>
#include <nouq/model.h>
#include <nouq/nouq.h>

#include "api/shared_model.h"
#include "data/temporary_folder.h"
#include "model/model_file.h"
#include "support/released_models.h"

namespace nouq::test {

struct ModelCase {
  explicit ModelCase(const std::string& name)
      : surrogate(name == "a_fno2d" ? released_single() : released_diverse()),
        inputs(released_inputs(name)),
        expected(nouq::predict(surrogate, inputs.view(), {.samples = true, .threads = 1})),
        model(std::make_shared<SharedModel>(surrogate)) {
    deviation = expected.variance;
    for (double& value : deviation) value = std::sqrt(value);
  }
  [[nodiscard]] Layout layout() const { return Layout(inputs.shape(), Order::row_major); }

  Surrogate surrogate;
  Array<float> inputs;  // [3, 100, 20, 1]
  Prediction expected;
  Array<double> deviation;
  Model model;
};

// The same model through a file, as C sees it.
class LoadedCase : public ModelCase {
 public:
  explicit LoadedCase(const std::string& name) : ModelCase(name) {
    save_model(surrogate, folder_ / "model.nouq");
    EXPECT_EQ(nouq_load((folder_ / "model.nouq").c_str(), &handle), NOUQ_OK) << nouq_last_error();
  }
  ~LoadedCase() { nouq_free(handle); }
  LoadedCase(const LoadedCase&) = delete;
  LoadedCase& operator=(const LoadedCase&) = delete;

  [[nodiscard]] std::string file() const { return (folder_ / "model.nouq").string(); }
  nouq_model handle = 0;

 private:
  TemporaryFolder folder_;
};

inline nouq_array row_major(const void* data, int type, const Shape& shape) {
  return nouq_row_major(data, type, static_cast<int32_t>(shape.size()), shape.data());
}
inline nouq_array row_major(const Array<float>& array) {
  return row_major(array.data(), NOUQ_FLOAT32, array.shape());
}
inline nouq_array row_major(const Array<double>& array) {
  return row_major(array.data(), NOUQ_FLOAT64, array.shape());
}

}  // namespace nouq::test

// Wrong calls through C: each is an error with a message, none a crash.
#include <fstream>
#include <limits>

#include <nouq/random.h>

#include "api/model_case.h"
#include "core/error.h"
#include "data/malformed.h"

namespace nouq {
namespace {

using test::LoadedCase;

TEST(WrongCalls, SayWhatIsWrong) {
  const LoadedCase c("a_fno2d");
  Array<double> mean(c.inputs.shape());
  const nouq_array x = test::row_major(c.inputs), m = test::row_major(mean);
  const auto refused = [&](nouq_status status, nouq_status expected, const std::string& message) {
    EXPECT_EQ(status, expected);
    EXPECT_EQ(nouq_last_error(), message);
  };
  refused(nouq_predict(c.handle, nullptr, &m, nullptr, nullptr, nullptr, nullptr), NOUQ_BAD_REQUEST,
          "inputs is missing (a null pointer)");
  const nouq_array wrong = test::row_major(c.inputs.data(), NOUQ_FLOAT32, {3, 20, 100, 2});
  refused(nouq_predict(c.handle, &wrong, &m, nullptr, nullptr, nullptr, nullptr), NOUQ_BAD_REQUEST,
          "inputs of shape [3, 20, 100, 2]: expected [samples, 2 axes, 1 channels], or the 2 axes alone");
  const nouq_array small = test::row_major(mean.data(), NOUQ_FLOAT64, {2, 100, 20, 1});
  refused(nouq_predict(c.handle, &x, &small, nullptr, nullptr, nullptr, nullptr), NOUQ_BAD_REQUEST,
          "mean of shape [2, 100, 20, 1]: expected [3, 100, 20, 1]");
  refused(nouq_predict(c.handle, &x, &m, nullptr, &m, nullptr, nullptr), NOUQ_BAD_REQUEST,
          "samples are asked for: the method 'bayesian' of this model has none");
  double score[3];
  refused(nouq_predict(c.handle, &x, &m, nullptr, nullptr, score, nullptr), NOUQ_BAD_REQUEST,
          "trust is asked for: this model was not calibrated for it");
  refused(nouq_predict(0, &x, &m, nullptr, nullptr, nullptr, nullptr), NOUQ_BAD_HANDLE,
          "there is no model of this handle: never loaded, or freed already");
  refused(nouq_load(nullptr, nullptr), NOUQ_BAD_REQUEST, "model is a null pointer");
  EXPECT_EQ(mean, Array<double>(c.inputs.shape())) << "nothing may have been written";
}

TEST(WrongCalls, AFreedHandleIsTold) {
  const LoadedCase c("a_fno2d");
  nouq_model second = 0;
  ASSERT_EQ(nouq_load(c.file().c_str(), &second), NOUQ_OK);
  EXPECT_EQ(nouq_free(second), NOUQ_OK);
  EXPECT_EQ(nouq_free(second), NOUQ_BAD_HANDLE);
  nouq_model third = 0;
  ASSERT_EQ(nouq_load(c.file().c_str(), &third), NOUQ_OK);  // takes the slot of the second
  EXPECT_NE(third, second);
  EXPECT_EQ(third & 0xFFFFFFFFU, second & 0xFFFFFFFFU);
  nouq_info info;
  EXPECT_EQ(nouq_describe(second, &info), NOUQ_BAD_HANDLE);
  EXPECT_EQ(nouq_describe(third, &info), NOUQ_OK);
  EXPECT_EQ(nouq_free_constraints(third), NOUQ_BAD_HANDLE) << "a model is no set of constraints";
  EXPECT_EQ(nouq_free(third), NOUQ_OK);
}

// One call in which something random is wrong; everything else about it is right.
class WrongCaller {
 public:
  explicit WrongCaller(const LoadedCase& c)
      : c_(c), file_(test::read_all(c.file())), mean_(c.inputs.shape()), broken_(c.inputs) {}

  nouq_status call(std::uint64_t seed) {
    const Stream stream(seed, Purpose::tests, 77);
    x_ = test::row_major(c_.inputs);
    m_ = d_ = test::row_major(mean_);
    const auto pick = [&](std::uint64_t bound, std::uint64_t counter) {
      return stream.below(bound, counter);
    };
    nouq_array* victim = pick(2, 1) == 0 ? &x_ : &m_;
    switch (pick(9, 0)) {
      case 0:
        return predict(stream.bits(2) | (std::uint64_t{1} << 63U));
      case 1:
        return with_null(pick(5, 2));
      case 2:
        victim->rank = static_cast<int32_t>(pick(2, 2) == 0 ? -pick(9, 3) - 1 : 7 + pick(1000, 3));
        break;
      case 3:
        victim->extent[pick(4, 2)] += pick(2, 3) == 0 ? -1 : 1 + static_cast<Index>(pick(1U << 30U, 4));
        break;
      case 4:
        victim->type = 3 + static_cast<int32_t>(pick(100, 2));
        break;
      case 5:
        m_.stride[pick(3, 2)] = 0;
        break;
      case 6:
        return with_value(pick(3, 2), pick(6000, 3));
      case 7:
        return truncated(pick(file_.size(), 2), seed);
      default:
        return wrong_name(pick(4, 2), stream.bits(3));
    }
    return predict(c_.handle);
  }
  [[nodiscard]] bool untouched() const { return mean_ == Array<double>(mean_.shape()); }

 private:
  nouq_status predict(nouq_model model) {
    return nouq_predict(model, &x_, &m_, &d_, nullptr, nullptr, nullptr);
  }
  nouq_status with_null(std::uint64_t which) {
    if (which == 0) return nouq_predict(c_.handle, nullptr, &m_, &d_, nullptr, nullptr, nullptr);
    if (which == 1) return nouq_describe(c_.handle, nullptr);
    if (which == 2) return nouq_coordinates(c_.handle, 0, nullptr, 100);
    if (which == 3) x_.data = nullptr;
    if (which == 4) m_.data = nullptr;
    return predict(c_.handle);
  }
  nouq_status with_value(std::uint64_t kind, std::uint64_t place) {
    using Limits = std::numeric_limits<float>;
    float& value = broken_[place];
    const float before = value;
    value = kind == 0 ? Limits::quiet_NaN() : kind == 1 ? Limits::infinity() : -Limits::infinity();
    x_ = test::row_major(broken_);
    const nouq_status status = predict(c_.handle);
    value = before;
    return status;
  }
  nouq_status truncated(std::size_t length, std::uint64_t seed) const {
    const auto path = folder_ / fmt::format("{}.nouq", seed % 4);
    test::write_all(path, file_.substr(0, length));
    nouq_model model = 0;
    const nouq_status status = nouq_load(path.c_str(), &model);
    return model == 0 ? status : NOUQ_OK;
  }
  nouq_status wrong_name(std::uint64_t which, std::uint64_t bits) {
    const std::string name = fmt::format("n{}", bits);
    nouq_constraints constraints = 0;
    double value = 0;
    const nouq_array values = test::row_major(mean_.data(), NOUQ_FLOAT64, {20});
    if (which == 0) return nouq_metric(name.c_str(), &m_, &m_, &m_, nullptr, nullptr, &value, nullptr);
    if (which == 1) return nouq_integral(c_.handle, name.c_str(), nullptr, 0, 0, &values, &constraints);
    if (which == 2) return nouq_integral(c_.handle, "x", name.c_str(), 0, 0, &values, &constraints);
    return nouq_coordinates(c_.handle, 2 + static_cast<int32_t>(bits % 1000), mean_.data(), 100);
  }

  const LoadedCase& c_;
  std::string file_;
  Array<double> mean_;
  Array<float> broken_;
  test::TemporaryFolder folder_;
  nouq_array x_ = {}, m_ = {}, d_ = {};
};

TEST(WrongCalls, TenThousandRandomOnesAreErrors) {
  const LoadedCase c("a_fno2d");
  WrongCaller caller(c);
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    ASSERT_NE(caller.call(seed), NOUQ_OK) << "call " << seed;
    ASSERT_STRNE(nouq_last_error(), "") << "call " << seed;
  }
  EXPECT_TRUE(caller.untouched());
  Array<double> mean(c.inputs.shape());
  const nouq_array x = test::row_major(c.inputs), m = test::row_major(mean);
  EXPECT_EQ(nouq_predict(c.handle, &x, &m, nullptr, nullptr, nullptr, nullptr), NOUQ_OK);
  EXPECT_EQ(mean, c.expected.mean) << "the model must work on after all that";
}

}  // namespace
}  // namespace nouq

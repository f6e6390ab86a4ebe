// Every method, from data to prediction: what they share, and what is particular to each.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/message.h"
#include "support/small_fit.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

using test::small_data;

FitOptions small_fit(const std::string& method, int threads = 1) {
  FitOptions options = test::small_fit(method, 3, threads);
  options.method.set("warmup", 1);
  return options;
}

const DataSet& training() {
  static const DataSet data = small_data(21, 1);
  return data;
}
const DataSet& validation() {
  static const DataSet data = small_data(25, 2);
  return data;
}

// Messages of refused options.
std::string refusal(const FitOptions& options) {
  try {
    fit(options, training(), validation());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, SameBitsForOneTwoAndThreeThreads) {
  const auto one = fit(small_fit(GetParam(), 1), training(), validation());
  ASSERT_TRUE(one);
  const Prediction expected = predict(*one, validation().inputs.view(), {true, 1});
  for (const int threads : {2, 3}) {
    const auto other = fit(small_fit(GetParam(), threads), training(), validation());
    EXPECT_EQ(*other, *one) << threads;
    const Prediction p = predict(*other, validation().inputs.view(), {true, threads});
    EXPECT_EQ(p.mean, expected.mean);
    EXPECT_EQ(p.variance, expected.variance);
    EXPECT_EQ(p.samples, expected.samples);
  }
}

TEST(Bayesian, TheFullCovarianceHasTheSameBitsForAnyNumberOfThreads) {
  FitOptions options = small_fit("bayesian", 1);
  options.method.set("laplace", "full");
  const auto one = fit(options, training(), validation());
  const Prediction expected = predict(*one, validation().inputs.view(), {false, 1});
  const DataSet single = select(validation(), {3});
  for (const int threads : {2, 3}) {
    options.threads = threads;
    EXPECT_EQ(*fit(options, training(), validation()), *one) << threads;
    EXPECT_EQ(predict(*one, validation().inputs.view(), {false, threads}).variance, expected.variance);
    const Prediction alone = predict(*one, single.inputs.view(), {false, threads});
    for (Index i = 0; i < alone.variance.size(); ++i)
      ASSERT_EQ(alone.variance[i], expected.variance[3 * alone.variance.size() + i]);
  }
}

TEST_P(EveryMethod, APredictionDoesNotDependOnItsBatch) {
  const auto s = fit(small_fit(GetParam()), training(), validation());
  const Prediction all = predict(*s, validation().inputs.view());  // 25: more than one chunk
  for (const Index sample : {0, 7, 24}) {
    const DataSet single = select(validation(), {sample});
    const Prediction one = predict(*s, single.inputs.view());
    for (Index i = 0; i < one.mean.size(); ++i) {
      ASSERT_EQ(one.mean[i], all.mean[sample * one.mean.size() + i]);
      ASSERT_EQ(one.variance[i], all.variance[sample * one.mean.size() + i]);
    }
  }
}

TEST_P(EveryMethod, VarianceIsPositiveAndThatOfTheSamples) {
  const auto s = fit(small_fit(GetParam()), training(), validation());
  const Prediction p = predict(*s, validation().inputs.view(), {true, 1});
  const Index size = p.mean.size() / 25;
  for (const double v : p.variance) ASSERT_GT(v, 0.0);
  if (p.samples.empty()) return;
  ASSERT_EQ(p.samples.shape(), (Shape{25, 3, 16, 8, 1}));
  for (const Index i : {Index{0}, size - 1}) {
    const double *a = p.samples.data() + 3 * size * 4 + i, mean = (a[0] + a[size] + a[2 * size]) / 3;
    const auto square = [&](double v) { return (v - mean) * (v - mean); };
    EXPECT_NEAR(p.mean[4 * size + i], mean, 1e-14);
    EXPECT_NEAR(p.variance[4 * size + i], (square(a[0]) + square(a[size]) + square(a[2 * size])) / 2, 1e-14);
  }
}

// Scaling the data by a power of two scales the normalised fit's prediction exactly.
TEST_P(EveryMethod, NormalisationUndoesUnits) {
  FitOptions options = small_fit(GetParam());
  options.normalise = true;
  DataSet scaled_train = training(), scaled_validation = validation();
  for (DataSet* data : {&scaled_train, &scaled_validation}) {
    for (float& v : data->outputs) v *= 1024.0F;
    for (float& v : data->inputs) v *= 0.25F;
  }
  auto plain = fit(options, training(), validation());
  auto scaled = fit(options, scaled_train, scaled_validation);
  // Masks are keyed by the last bit of an input: here they are to be the same.
  for (auto* s : {&plain, &scaled}) (*s)->state.erase("dropout.per_input");
  const Prediction a = predict(*plain, validation().inputs.view());
  const Prediction b = predict(*scaled, scaled_validation.inputs.view());
  for (Index i = 0; i < a.mean.size(); ++i) {
    ASSERT_NEAR(b.mean[i], 1024 * a.mean[i], 1e-3 * 1024);
    ASSERT_NEAR(b.variance[i] / (1024 * 1024 * a.variance[i]), 1.0, 1e-2);
  }
}

TEST_P(EveryMethod, LearnsMoreThanOneOutputChannel) {
  DataSet two = training();
  two.output_channels = {{"u", ""}, {"v", ""}};
  two.outputs = Array<float>({21, 16, 8, 2});
  for (Index i = 0; i < training().outputs.size(); ++i) {
    two.outputs[2 * i] = training().outputs[i];
    two.outputs[2 * i + 1] = 1.0F - training().outputs[i];
  }
  const auto s = fit(small_fit(GetParam()), two, two);
  const Prediction p = predict(*s, two.inputs.view(), {true, 1});
  EXPECT_EQ(p.mean.shape(), (Shape{21, 16, 8, 2}));
  for (const double v : p.variance) ASSERT_TRUE(std::isfinite(v) && v > 0.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

TEST(Bayesian, SharesItsNetworkWithTheFirstMemberOfTheEnsemble) {
  const auto bayesian = fit(small_fit("bayesian"), training(), validation());
  const auto ensemble = fit(small_fit("ensemble"), training(), validation());
  EXPECT_EQ(bayesian->weights[0], ensemble->weights[0]);
  EXPECT_NE(ensemble->weights[0], ensemble->weights[1]);
}

TEST(Bayesian, FullCovarianceAndNoiseAreOptions) {
  FitOptions options = small_fit("bayesian");
  const auto diagonal = predict(*fit(options, training(), validation()), validation().inputs.view());
  options.method.set("add-noise", true);
  const auto s = fit(options, training(), validation());
  const auto noisy = predict(*s, validation().inputs.view());
  const double noise = state_array(*s, "laplace.noise")[0];
  EXPECT_NEAR(noisy.variance[5], diagonal.variance[5] + noise * noise, 1e-12 * noise * noise);
  options.method.set("laplace", "full");
  const auto full = fit(options, training(), validation());
  EXPECT_EQ(state_array(*full, "laplace.covariance").shape(), (Shape{1, 17, 17}));
  for (const double v : predict(*full, validation().inputs.view()).variance) ASSERT_GT(v, 0.0);
}

// How alike the deviations of the first sample from the mean are, at two inputs.
double likeness(const Prediction& p, Index first, Index second) {
  const Index size = p.mean.size() / p.mean.extent(0), count = p.samples.extent(1);
  const auto deviation = [&](Index input, Index i) {
    return p.samples[input * count * size + i] - p.mean[input * size + i];
  };
  double both = 0, one = 0, other = 0;
  for (Index i = 0; i < size; ++i) {
    const double a = deviation(first, i), b = deviation(second, i);
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return both / std::sqrt(one * other);
}

TEST(Dropout, InputsHaveMasksOfTheirOwnUnlessTheModelIsOld) {
  auto s = fit(small_fit("dropout"), training(), validation());
  const Prediction own = predict(*s, validation().inputs.view(), {true, 1});
  EXPECT_LT(std::abs(likeness(own, 0, 1)), 0.4);
  s->state.erase("dropout.per_input");
  const Prediction shared = predict(*s, validation().inputs.view(), {true, 1});
  EXPECT_GT(likeness(shared, 0, 1), 0.6);
}

TEST(Diverse, TheTermKeepsHeadsApartAndTheBoundHoldsIt) {
  FitOptions options = small_fit("diverse");
  options.train.epochs = 12;
  const auto spread = [&](double strength, double bound) {
    options.method.set("strength", strength);
    options.method.set("bound", bound);
    const auto s = fit(options, training(), validation());
    const ParameterLayout layout(s->network);
    double sum = 0;
    const float* w = s->weights[0].data() + layout.head_weight();
    for (Index j = 0; j < 16; ++j) sum += std::pow(w[j] - w[16 + j], 2);
    return sum;
  };
  const double none = spread(0, 0), strong = spread(20, 0), bounded = spread(20, 0.1);
  EXPECT_GT(strong, 1.5 * none);
  EXPECT_LT(bounded, strong);
}

TEST(Diverse, OutputsNeedUnlabelledInputs) {
  FitOptions options = small_fit("diverse");
  options.method.set("diversity", "outputs");
  EXPECT_EQ(refusal(options), "diversity of outputs needs unlabelled inputs: none given");
  const DataSet shifted = small_data(5, 9);
  options.train.unlabelled = &shifted.inputs;
  EXPECT_EQ(refusal(options), "accepted");
}

TEST(Methods, BadOptionsAreRefused) {
  const auto set = [](const std::string& method, const std::string& option, const OptionValue& value) {
    return test::message_of([&] { small_fit(method).method.set(option, value); });
  };
  EXPECT_EQ(set("diverse", "strength", -0.5), "strength = -0.5: expected a number of at least 0");
  EXPECT_EQ(set("diverse", "diversity", "weight"),
            "diversity = 'weight': did you mean 'weights'? Expected one of weights, gradients, "
            "standardised_gradients, outputs, outputs_derivative, standardised_outputs");
  for (const char* method : {"diverse", "ensemble", "dropout"})
    EXPECT_EQ(set(method, "count", 1), "count = 1: expected an integer from 2 to 1000");
  FitOptions options = small_fit("dropout");
  options.method.set("dropout", 0.0);
  EXPECT_EQ(refusal(options), "dropout = 0: all masks would be the same; expected more than 0");
  options.method.name = "divers";
  EXPECT_EQ(refusal(options),
            "unknown method 'divers'; did you mean 'diverse'? Valid: bayesian, variance, dropout, ensemble, "
            "diverse");
}

TEST(Methods, CarryOptionsOfTheirOwn) {
  MethodOptions options;
  EXPECT_EQ(options.get("count"), 10);
  EXPECT_TRUE(options.set("count", 4));
  EXPECT_FALSE(options.set("dropout", 0.2)) << "diverse has none";
  const MethodOptions copy = options;
  options.set("count", 5);
  EXPECT_EQ(copy.get("count"), 4);
  options.name = "ensemble";
  EXPECT_EQ(options.get("count"), 10) << "another method's count";
  EXPECT_EQ(test::message_of([&] { (void)options.get("dropout"); }),
            "the method ensemble has no option dropout");
}

TEST(Predict, WrongInputsAreRefused) {
  const auto s = fit(small_fit("diverse"), training(), validation());
  const auto message = [&](const Array<float>& inputs) -> std::string {
    try {
      predict(*s, inputs.view());
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(Array<float>({1, 16, 8})),
            "inputs of shape [1, 16, 8]: expected [samples, 2 axes, 1 channels], e.g. [1, 16, 8, 1]");
  EXPECT_EQ(
      message(Array<float>({1, 32, 8, 1})),
      "inputs on the grid [32, 8]: the model was trained on [16, 8]; to ask it on others, say where their "
      "points are, or train with padding as a fraction");
  Array<float> bad({2, 16, 8, 1});
  bad[130] = NAN;
  EXPECT_EQ(message(bad), "inputs: nan in sample 1, expected finite numbers");
}

}  // namespace
}  // namespace nouq

// The fingerprints of today's settings, byte for byte. Stored results and interrupted runs are found by them:
// a change here orphans every one of them. A new setting may enter the text only where it is not the default.
#include "train/fingerprint.h"

#include <gtest/gtest.h>

#include "uq/defaults.h"

namespace nouq {
namespace {

// Numbers that every machine writes alike.
DataSet plain_data(Index samples) {
  DataSet data;
  data.grid = {{"x", "", linspace(0, 1, 8)}, {"t", "", {0.0, 0.25, 0.5, 0.75}}};
  data.input_channels = {{"a", ""}};
  data.output_channels = {{"u", ""}};
  data.inputs = Array<float>({samples, 8, 4, 1});
  data.outputs = Array<float>({samples, 8, 4, 1});
  for (Index i = 0; i < data.inputs.size(); ++i) {
    data.inputs[i] = static_cast<float>(i % 7) / 8;
    data.outputs[i] = static_cast<float>(1 + i % 5) / 4;
  }
  return data;
}

std::string fingerprint(const FitOptions& options, std::size_t network = 0) {
  const DataSet train = plain_data(6);
  return training_fingerprint(fit_trainings(options, train).at(network), train, plain_data(3));
}

FitOptions of_method(const std::string& method) {
  FitOptions options = default_fit(plain_data(6), 200);
  options.method.name = method;
  options.method.set("bound", 0);  // the default when these bytes were recorded
  return options;
}

TEST(Fingerprints, OfEveryMethodByDefault) {
  EXPECT_EQ(fingerprint(of_method("bayesian")),
            R"({"network":{"input_channels":1,"outputs":1,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":true,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":1},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef"})");
  EXPECT_EQ(fingerprint(of_method("variance")),
            R"({"network":{"input_channels":1,"outputs":2,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":true,"dropout":0.0},)"
            R"("loss":{"kind":"gaussian_nll","channels":1,"heads":1},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef"})");
  EXPECT_EQ(fingerprint(of_method("dropout")),
            R"({"network":{"input_channels":1,"outputs":1,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":true,"dropout":0.1},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":1},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"validation":"masked","training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef"})");
  EXPECT_EQ(fingerprint(of_method("ensemble")),
            R"({"network":{"input_channels":1,"outputs":1,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":true,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":1},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef"})");
  EXPECT_EQ(fingerprint(of_method("ensemble"), 3),
            R"({"network":{"input_channels":1,"outputs":1,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":true,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":1},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":15755400384260043839,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef"})");
  EXPECT_EQ(fingerprint(of_method("diverse")),
            R"({"network":{"input_channels":1,"outputs":10,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":false,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":10},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef","diversity":{"kind":"weights","strength":1.0,)"
            R"("bound":0.0,"warmup":10,"sampled":0}})");
}

TEST(Fingerprints, OfSettingsThatAreNotTheDefault) {
  FitOptions options = of_method("diverse");
  options.method.set("count", 4);
  for (const auto& [name, value] : Options{{"diversity", "standardised_gradients"},
                                           {"strength", 0.1},
                                           {"bound", 2.5},
                                           {"warmup", 3},
                                           {"sampled", 5}})
    EXPECT_TRUE(options.method.set(name, value)) << name;
  options.train.network.width = 16;
  options.train.network.blocks = 2;
  options.train.network.features = 64;
  options.train.network.modes = {3, 2};
  options.train.network.padding = {{.points = 0, .fraction = 0.25}, {.points = 1, .fraction = {}}};
  options.train.schedule = {ScheduleKind::one_cycle, 3e-3, 7, 0.25};
  options.train.batch = 3;
  options.train.weight_decay = 0;
  options.train.seed = 18446744073709551615U;
  options.train.patience = 9;
  EXPECT_EQ(fingerprint(options),
            R"({"network":{"input_channels":1,"outputs":4,"modes":[3,2],"padding":[{"fraction":0.25},)"
            R"({"points":1}],"width":16,"blocks":2,"features":64,"head_bias":false,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":4},"schedule":{"kind":"one_cycle",)"
            R"("base_rate":0.003,"period":7,"factor":0.25},"epochs":200,"batch":3,"weight_decay":0.0,)"
            R"("seed":18446744073709551615,"patience":9,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef","diversity":{"kind":"standardised_gradients",)"
            R"("strength":0.1,"bound":2.5,"warmup":3,"sampled":5}})");
}

TEST(Fingerprints, ADiversityThatReachesTheTrunkSaysSo) {
  FitOptions options = of_method("diverse");
  const std::string before = fingerprint(options);
  options.method.set("diversity-through", "trunk");
  EXPECT_EQ(fingerprint(options), before) << "weights do not depend on it";
  options.method.set("diversity", "gradients");
  EXPECT_NE(fingerprint(options).find(R"("sampled":0,"through":"trunk"})"), std::string::npos);
}

TEST(Fingerprints, OfUnlabelledInputsAndInitialWeights) {
  FitOptions options = of_method("diverse");
  options.method.set("diversity", "outputs");
  const Array<float> unlabelled({2, 8, 4, 1}, 0.5F);
  options.train.unlabelled = &unlabelled;
  EXPECT_EQ(fingerprint(options),
            R"({"network":{"input_channels":1,"outputs":10,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":false,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":10},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef","diversity":{"kind":"outputs","strength":1.0,)"
            R"("bound":0.0,"warmup":10,"sampled":0,"unlabelled":"78832be8e5cd5b39"}})");
  const DataSet train = plain_data(6);
  TrainerOptions training = fit_trainings(of_method("bayesian"), train).front();
  const std::vector<float> initial = {0.5F, -1.0F};
  training.initial = &initial;
  EXPECT_EQ(training_fingerprint(training, train, plain_data(3)),
            R"({"network":{"input_channels":1,"outputs":1,"modes":[8,7],"padding":[{"points":9},)"
            R"({"points":9}],"width":32,"blocks":4,"features":128,"head_bias":true,"dropout":0.0},)"
            R"("loss":{"kind":"relative_l2","channels":1,"heads":1},"schedule":{"kind":"step",)"
            R"("base_rate":0.001,"period":20,"factor":0.5},"epochs":200,"batch":20,"weight_decay":0.0001,)"
            R"("seed":0,"patience":0,"training_data":"9e753389d3fe30c6",)"
            R"("validation_data":"b7a1e7ae31f19bef","initial":"94473b448db7d52a"})");
}

}  // namespace
}  // namespace nouq

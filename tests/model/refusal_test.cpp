// Model files that are whole but wrong: written by somebody else, by a newer nouq, or to do harm. The
// checksum of all of them is right, so it is the reader's other checks that refuse them.
#include "model/refusal.h"

#include <functional>
#include <limits>
#include <ostream>

#include <gtest/gtest.h>

#include "core/tensor_file.h"
#include "data/malformed.h"
#include "data/temporary_folder.h"
#include "model/tiny_surrogate.h"

namespace nouq {
namespace {

// The contents of a model file, to be changed and written again.
struct Contents {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Array<float>> floats;
  std::map<std::string, Array<double>> doubles;

  explicit Contents(const std::filesystem::path& path) {
    const TensorFile file(path);
    metadata = file.metadata();
    for (const std::string& name : file.names()) {
      if (name.starts_with("network.")) {
        const auto values = file.floats(name);
        floats[name] = Array<float>(values.shape(), {values.begin(), values.end()});
      } else {
        const auto values = file.doubles(name);
        doubles[name] = Array<double>(values.shape(), {values.begin(), values.end()});
      }
    }
  }
  void write(const std::filesystem::path& path) const {
    TensorFileWriter file;
    file.metadata = metadata;
    for (const auto& [name, values] : floats) file.add(name, values.view());
    for (const auto& [name, values] : doubles) file.add(name, values.view());
    file.write(path);
  }
  void change(const std::string& key, const std::string& from, const std::string& to) {
    ASSERT_NE(metadata.at(key).find(from), std::string::npos) << metadata.at(key);
    metadata[key] = test::replaced(metadata[key], from, to);
  }
};

struct Wrong {
  std::string name;
  std::string method;
  std::function<void(Contents&)> change;
  std::string message;
  friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.name; }
};

class WrongModel : public testing::TestWithParam<Wrong> {};

TEST_P(WrongModel, IsRefused) {
  const test::TemporaryFolder folder;
  const auto path = folder / "model.nouq";
  save_model(test::tiny_surrogate(GetParam().method), path);
  Contents contents(path);
  GetParam().change(contents);
  contents.write(path);
  EXPECT_EQ(test::refusal(path), GetParam().message);
}

const std::vector<Wrong> wrong_kinds = {
    {"Checkpoint", "diverse",
     [](Contents& c) {
       c.metadata = {{"kind", "nouq checkpoint 1"}};
     },
     "not a nouq model but a nouq checkpoint 1"},
    {"OtherFormat", "diverse", [](Contents& c) { c.metadata["format"] = "pt"; },
     "not a nouq model but a file of format 'pt'"},
    {"OtherTensors", "diverse", [](Contents& c) { c.metadata.clear(); },
     "not a nouq model but some other file of tensors"},
    {"NewerVersion", "diverse",
     [](Contents& c) {
       c.metadata["version"] = "4";
       c.metadata["written_by"] = "nouq 9.0.0";
       c.metadata.erase("network");
     },
     "model format version 4, this nouq reads up to 3: use the nouq that wrote it (nouq 9.0.0) or a newer "
     "one"},
    {"VersionZero", "diverse", [](Contents& c) { c.metadata["version"] = "0"; },
     "model format version 0: there is none before 1"},
    {"VersionInWords", "diverse", [](Contents& c) { c.metadata["version"] = "\"one\""; },
     "metadata 'version' is \"one\": expected a whole number"},
    {"UnknownMethod", "diverse", [](Contents& c) { c.metadata["method"] = "oracle"; },
     "unknown method 'oracle'. Valid: bayesian, variance, dropout, ensemble, "
     "diverse"},
};

const std::vector<Wrong> wrong_tensors = {
    {"WrongShape", "diverse",
     [](Contents& c) {
       c.floats["network.0.lift.weight"] = Array<float>({2, 4});
     },
     "tensor 'network.0.lift.weight' has shape [2, 4]: expected [4, 2]"},
    {"WrongType", "diverse",
     [](Contents& c) {
       c.floats.erase("network.0.lift.bias");
       c.doubles["network.0.lift.bias"] = Array<double>({2});
     },
     "tensor 'network.0.lift.bias' is of type F64, expected F32"},
    {"MissingWeights", "diverse", [](Contents& c) { c.floats.erase("network.0.blocks.0.spectral.weight"); },
     "tensor 'network.0.blocks.0.spectral.weight' is missing"},
    {"MissingNetwork", "ensemble", [](Contents& c) { c.metadata["networks"] = "4"; },
     "tensor 'network.3.lift.weight' is missing"},
    {"NetworkTooMany", "ensemble", [](Contents& c) { c.metadata["networks"] = "2"; },
     "tensor 'network.2.blocks.0.linear.bias' does not belong to this model"},
    {"ExtraTensor", "diverse", [](Contents& c) { c.doubles["surprise"] = Array<double>({1}); },
     "tensor 'surprise' does not belong to this model"},
    {"WeightThatIsNoNumber", "diverse",
     [](Contents& c) { c.floats["network.0.lift.bias"][1] = std::numeric_limits<float>::quiet_NaN(); },
     "network 0 has a weight that is not a finite number"},
    {"HistoryOfOneColumn", "diverse",
     [](Contents& c) {
       c.doubles["history.network.0"] = Array<double>({6, 1});
     },
     "the history of network.0 has shape [6, 1]: expected [epochs, 3]"},
    {"MissingCoordinates", "diverse", [](Contents& c) { c.doubles.erase("grid.1"); },
     "tensor 'grid.1' is missing"},
    {"CoordinatesOfTwoAxes", "diverse",
     [](Contents& c) {
       c.doubles["grid.0"] = Array<double>({2, 2});
     },
     "tensor 'grid.0' has shape [2, 2]: expected one axis"},
    {"CoordinatesThatFall", "diverse",
     [](Contents& c) {
       c.doubles["grid.1"] = Array<double>({3}, {0.0, 2.0, 1.0});
     },
     "the model's grid: coordinates of axis 't' must increase strictly, but 2 is followed by 1 at index 2"},
    {"RangeOfOtherChannels", "diverse",
     [](Contents& c) {
       c.doubles["input_range"] = Array<double>({3, 2});
     },
     "the range of the inputs has shape [3, 2]: expected [2, 2]"},
    {"NormalisationWithoutDeviation", "diverse",
     [](Contents& c) { c.doubles.erase("input_normalisation.deviation"); },
     "tensor 'input_normalisation.deviation' is missing"},
    {"NormalisationByZero", "diverse",
     [](Contents& c) { c.doubles["output_normalisation.deviation"][0] = 0.0; },
     "normalisation of channel 0: mean 0.3 and deviation 0 must be finite, the deviation positive"},
    {"NormalisationOfOtherChannels", "diverse",
     [](Contents& c) {
       c.doubles["output_normalisation.mean"] = Array<double>({2}, 0.0);
       c.doubles["output_normalisation.deviation"] = Array<double>({2}, 1.0);
     },
     "the normalisation of the outputs is of 2 channels, the model has 1"},
};

const std::vector<Wrong> wrong_texts = {
    {"NoNetwork", "diverse", [](Contents& c) { c.metadata.erase("network"); },
     "metadata 'network' is missing"},
    {"NetworkOfFractions", "diverse",
     [](Contents& c) { c.change("network", "\"width\":2", "\"width\":2.5"); },
     "metadata 'network': width is 2.5: expected a whole number"},
    {"AbsurdWidth", "diverse",
     [](Contents& c) { c.change("network", "\"width\":2", "\"width\":99999999999999999999"); },
     "metadata 'network': width is 1e+20: expected a whole number"},
    {"MoreWidthThanNumbers", "diverse",
     [](Contents& c) { c.change("network", "\"width\":2", "\"width\":4000"); },
     "network 0 needs 80032008 numbers, the file has 96"},
    {"MoreModesThanCanBeCounted", "diverse",
     [](Contents& c) {
       c.change("network", "\"modes\":[1,1]", "\"modes\":[100000,100000,100000]");
       c.change("network", "\"width\":2", "\"width\":30");
       c.change("network", "\"blocks\":1", "\"blocks\":100");
       c.change("network", "}]", "},{\"points\":0}]");
     },
     "the network has more weights than can be counted"},
    {"OptionWeDoNotKnow", "diverse",
     [](Contents& c) { c.change("network", "{\"blocks\"", "{\"attention\":true,\"blocks\""); },
     R"(metadata 'network' holds more than is understood: {"attention":true,"blocks":1,"dropout":0.0,)"
     R"("features":2,"head_bias":false,"input_channels":2,"modes":[1,1],"outputs":3,)"
     R"("padding":[{"points":0},{"fraction":0.5,"points":4}],"width":2})"},
    {"OptionTwice", "diverse",
     [](Contents& c) { c.change("network", "{\"blocks\"", "{\"width\":3,\"blocks\""); },
     "metadata 'network' names 'width' twice"},
    {"GridInWords", "diverse", [](Contents& c) { c.metadata["grid"] = "\"4 x 3\""; },
     "metadata 'grid' is not what a model file holds ([json.exception.type_error.304] cannot use at() with "
     "string)"},
    {"GridOfThreeAxes", "diverse",
     [](Contents& c) {
       c.change("grid", "[{", R"([{"name":"z","periodic":false,"unit":""},{)");
       c.doubles["grid.2"] = c.doubles["grid.1"];
     },
     "the grid [4, 3, 3] has 3 axes, the network was built for 2"},
    {"TextThatIsNotJson", "diverse", [](Contents& c) { c.metadata["input_channels"] = "u"; },
     "metadata 'input_channels' is not JSON ([json.exception.parse_error.101] parse error at line 1, column "
     "1: syntax error while parsing value - invalid literal; last read: 'u')"},
    {"ChannelTooMany", "diverse",
     [](Contents& c) { c.change("input_channels", "[{", R"([{"name":"z","unit":""},{)"); },
     "the network takes 2 input channels, the model has 3"},
    {"AbsurdPadding", "diverse",
     [](Contents& c) { c.change("network", "\"points\":0", "\"fraction\":1e300,\"points\":0"); },
     "padding of axis 0 = 1e+300 of its length: expected 0 to 10"},
    {"MorePointsThanAnyGrid", "diverse",
     [](Contents& c) {
       c.change("network", "\"points\":0", "\"points\":1000000");
       c.change("network", "\"fraction\":0.5,\"points\":4", "\"points\":1000000");
     },
     "the grid has 1000007000012 points with its padding: expected at most 2147483648"},
};

// What the methods rely on when they predict.
const std::vector<Wrong> wrong_methods = {
    {"DiverseWithoutHeads", "ensemble", [](Contents& c) { c.metadata["method"] = "diverse"; },
     "the diverse model has 3 networks: expected 1"},
    {"VarianceWithoutVariance", "diverse", [](Contents& c) { c.metadata["method"] = "variance"; },
     "the variance model's network has 3 outputs: expected 2"},
    {"EnsembleOfOne", "dropout", [](Contents& c) { c.metadata["method"] = "ensemble"; },
     "the ensemble model has 1 networks: expected 2 to 1000"},
    {"OneHead", "dropout", [](Contents& c) { c.metadata["method"] = "diverse"; },
     "the diverse model's network has 1 outputs: expected 2"},
    {"NoMasks", "dropout", [](Contents& c) { c.doubles.erase("state.dropout.masks"); },
     "the dropout model lacks 'dropout.masks'"},
    {"AbsurdMasks", "dropout", [](Contents& c) { c.doubles["state.dropout.masks"][0] = 1e300; },
     "the dropout model's 'dropout.masks' is 1e+300: expected a whole number from 2 to 1000"},
    {"SeedThatIsNoNumber", "dropout",
     [](Contents& c) { c.doubles["state.dropout.seed"][0] = std::numeric_limits<double>::quiet_NaN(); },
     "the dropout model's 'dropout.seed' is nan: expected a whole number from 0 to 9007199254740992"},
    {"CovarianceOfOtherFeatures", "bayesian",
     [](Contents& c) {
       c.doubles["state.laplace.covariance"] = Array<double>({1, 2});
     },
     "the model's 'laplace.covariance' has shape [1, 2]: expected [1, 3]"},
    {"NoiseTwice", "bayesian", [](Contents& c) { c.doubles["state.laplace.noise"] = Array<double>({2}); },
     "the model's 'laplace.noise' has 2 numbers: expected 1"},
    {"NoiseInTwo", "bayesian", [](Contents& c) { c.doubles["state.laplace.add_noise"] = Array<double>({2}); },
     "the bayesian model's 'laplace.add_noise' has shape [2]: expected one number"},
};

const auto by_name = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Kinds, WrongModel, testing::ValuesIn(wrong_kinds), by_name);
INSTANTIATE_TEST_SUITE_P(Tensors, WrongModel, testing::ValuesIn(wrong_tensors), by_name);
INSTANTIATE_TEST_SUITE_P(Texts, WrongModel, testing::ValuesIn(wrong_texts), by_name);
INSTANTIATE_TEST_SUITE_P(Methods, WrongModel, testing::ValuesIn(wrong_methods), by_name);

}  // namespace
}  // namespace nouq

// nouq info of a model file.
#include "cli/tool_test.h"
#include "model/model_file.h"
#include "model/tiny_surrogate.h"

namespace nouq {
namespace {

class ModelInfo : public test::ToolTest {};

TEST_F(ModelInfo, EverythingOfEveryMethod) {
  for (const auto& method : result({"methods"})) {
    const auto name = method.at("name").get<std::string>();
    const Surrogate surrogate = test::tiny_surrogate(name);
    save_model(surrogate, tool / "tiny.nouq");
    const auto about = result({"info", "tiny.nouq"});
    EXPECT_EQ(about.at("method"), name);
    EXPECT_EQ(about.at("networks"), surrogate.weights.size());
    EXPECT_EQ(about.at("network").at("width"), 2);
    EXPECT_EQ(about.at("grid").at(0).at("points"), 4);
    EXPECT_EQ(about.at("grid").at(0).at("periodic"), true);
    EXPECT_EQ(about.at("parameters").at(0).at("high"), 2.7);
    EXPECT_EQ(about.at("inputs").at(1).at("low"), 0.5);
    EXPECT_EQ(about.at("normalisation").at("outputs").at("deviation").at(0), 0.7);
    EXPECT_EQ(about.at("training").at(0).at("epochs"), 2);
    EXPECT_EQ(about.at("state").at("calibration.scale").at("values").at(0), 1.25);
    EXPECT_EQ(about.at("facts").at("data.problem"), "pme");
    EXPECT_EQ(about.at("fingerprint"), model_fingerprint(tool / "tiny.nouq"));
  }
}

TEST_F(ModelInfo, AsText) {
  Surrogate surrogate = test::tiny_surrogate("diverse");
  surrogate.facts["note"] = "two\nlines, \x1b[31mred";
  surrogate.history["network.0"] = Array<double>({3, 3}, {0.5, 0.9, 1e-3, 0.2, 0.25, 1e-3, 0.1, 0.3, 1e-3});
  surrogate.state["trust.reference"] = number(0.02);
  surrogate.state["trust.far"] = number(2);
  surrogate.state["trust.level"] = number(0.95);
  save_model(surrogate, tool / "another name");
  const test::Outcome outcome = tool({"info", "another name"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  for (const char* line :
       {"method       diverse: ", "grid         x [m]", "parameters   m ", "from 0.1 to 2.7",
        "training     3 epochs, best at 2: training loss 0.2, validation loss 0.25 (0.9 after the first)\n",
        "above 0.02 is doubtful, above 0.04 out of domain\n", "data.problem: pme\n"})
    EXPECT_NE(outcome.output.find(line), std::string::npos) << line << "\n" << outcome.output;
  EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos) << "a file does not colour the terminal";
}

TEST_F(ModelInfo, ADamagedModelIsRefused) {
  save_model(test::tiny_surrogate("diverse"), tool / "tiny.nouq");
  std::string bytes = test::read_all(tool / "tiny.nouq");
  test::write_all(tool / "tiny.nouq", bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(mistake({"info", "tiny.nouq"}).substr(0, 16), "nouq: tiny.nouq:");
  test::write_all(tool / "tiny.nouq", "");
  EXPECT_EQ(mistake({"info", "tiny.nouq"}).substr(0, 16), "nouq: tiny.nouq:");
}

}  // namespace
}  // namespace nouq

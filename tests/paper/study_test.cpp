// The study: stored results, nothing done twice, and tables.
#include "paper/study.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "data/generate.h"
#include "data/temporary_folder.h"
#include "paper/result_store.h"
#include "paper/run_study.h"
#include "paper/small_study.h"
#include "paper/study_table.h"
#include "physics/evaluation.h"
#include "support/message.h"

namespace nouq::paper {
namespace {

using test::Counting;
using test::run_case;

StudyOptions smoke() { return test::small_study(1); }

TEST(Study, RunsOnceSharesNetworksAndMakesATable) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 2};
  const StudyCase study_case{"pme", 0, {"bayesian", "ensemble", "diverse"}};
  Counting first, second;
  ASSERT_TRUE(run_case(smoke(), study_case, places, &first));
  EXPECT_EQ(first.started, 4);  // two members, one of them also bayesian's, and two strengths
  ASSERT_TRUE(run_case(smoke(), study_case, places, &second));
  EXPECT_EQ(second.started, 0);
  const auto results = ResultStore(folder / "results").all();
  ASSERT_EQ(results.size(), 3U);
  const ResultJson paper =
      ResultJson::parse(R"({"uq":{"pme":{"large":{"diverse":{"mse":{"mean":0.5,"std":0.1}}}}}})");
  const std::string table = table_text(study_table({results, smoke(), paper}, "pme"));
  EXPECT_NE(table.find("[0.5 ± 0.1]"), std::string::npos) << table;
  EXPECT_NE(table.find("ensemble"), std::string::npos);
  EXPECT_THROW(study_table({results, smoke(), {}}, "heat"), Error);
  StudyOptions other = smoke();
  other.grid.strength = {1};
  EXPECT_EQ(StudyResults(results, other, {}).methods("pme"),
            (std::vector<std::string>{"bayesian", "ensemble"}))
      << "diverse chose from other strengths";
}

TEST(Study, AResultSaysHowItCameAbout) {
  const test::TemporaryFolder folder;
  const StudyCase study_case{"heat", 0, {"ensemble", "diverse"}};
  ASSERT_TRUE(run_case(smoke(), study_case, {folder / "results", folder / "models", 1}));
  for (const ResultJson& result : ResultStore(folder / "results").all()) {
    const bool ensemble = result["settings"]["method"] == "ensemble";
    EXPECT_FALSE(result["version"].get<std::string>().empty());
    EXPECT_GE(result["machine"]["threads"], 1);
    ASSERT_EQ(result["networks"].size(), ensemble ? 2U : 1U);
    double seconds = 0;
    for (const ResultJson& network : result["networks"]) {
      const std::string file = network["fingerprint"].get<std::string>() + ".training";
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(folder / "models") / file));
      EXPECT_EQ(network["best_epoch"], 1);
      seconds += network["seconds"].get<double>();
    }
    EXPECT_GT(seconds, 0.0);
    for (const ResultJson& trial : result["trials"]) {
      if (!trial["chosen"].get<bool>()) continue;
      EXPECT_EQ(trial["seconds"].get<double>(), seconds);
    }
    EXPECT_EQ(result["training"]["network"]["width"], 4);
  }
}

// A result that was tampered with comes back as it was, and nothing is trained for it.
TEST(Study, EvaluatesAgainFromTrainedNetworksAlone) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  const StudyCase both{"heat", 0, {"bayesian", "diverse"}}, one{"heat", 0, {"diverse"}};
  ASSERT_TRUE(run_case(smoke(), one, places));
  const ResultStore store(folder / "results");
  const ResultJson right = store.all().at(0);
  store.put(right["settings"], {{"trials", right["trials"]}, {"ranges", 0}});
  EXPECT_TRUE(evaluate_again(smoke(), both, places).empty());
  ASSERT_EQ(store.all().size(), 1U) << "bayesian was not in the store";
  EXPECT_EQ(store.all().at(0), right);
}

TEST(Study, EvaluatingAgainSaysWhatIsMissingAndGoesOn) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  const StudyCase both{"heat", 0, {"diverse", "variance"}};
  ASSERT_TRUE(run_case(smoke(), both, places));
  const ResultStore store(places.results);
  const ResultJson right = store.get(result_settings(smoke(), both, "variance"));
  store.put(right["settings"], {{"trials", right["trials"]}});
  const ResultJson diverse = store.get(result_settings(smoke(), both, "diverse"));
  const auto network = diverse["networks"][0]["fingerprint"].get<std::string>();
  std::filesystem::remove(places.models / (network + ".training"));
  const auto reasons = evaluate_again(smoke(), both, places);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].find("heat, diverse, seed 0: 1 of 2 trained networks"), std::string::npos)
      << reasons[0];
  EXPECT_NE(reasons[0].find(network), std::string::npos) << reasons[0];
  EXPECT_EQ(store.get(right["settings"]), right) << "the other one was computed anew";
}

// Of five strengths one was chosen: whoever kept its network alone can still add to the result.
TEST(Study, EvaluatingAgainNeedsTheChosenNetworksOnly) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  const StudyCase study_case{"heat", 0, {"diverse"}};
  ASSERT_TRUE(run_case(smoke(), study_case, places));
  const ResultStore store(places.results);
  ResultJson right = store.all().at(0);
  const auto chosen = right["networks"][0]["fingerprint"].get<std::string>();
  for (const auto& file : std::filesystem::directory_iterator(places.models)) {
    if (file.path().stem() != chosen) std::filesystem::remove(file);
  }
  for (ResultJson& trial : right["trials"]) {
    if (trial["chosen"] == false) trial["validation_mse"] = 0.5;  // a record that nothing here could give
  }
  store.put(right["settings"], {{"trials", right["trials"]}, {"ranges", 0}});
  const auto reasons = evaluate_again(smoke(), study_case, places);
  ASSERT_TRUE(reasons.empty()) << reasons[0];
  EXPECT_EQ(store.all().at(0), right);
}

// A trial that diverged left no network worth keeping; it counts as failed again.
TEST(Study, EvaluatingAgainDoesNotAskForFailedTrials) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  StudyOptions o = smoke();
  o.epochs = 30;
  o.grid.rate = {1e-3, 10};
  const StudyCase study_case{"heat", 0, {"variance"}};
  ASSERT_TRUE(run_case(o, study_case, places));
  const ResultStore store(places.results);
  const ResultJson right = store.all().at(0);
  ASSERT_TRUE(right["trials"][1]["validation_mse"].is_null()) << right["trials"].dump();
  EXPECT_NE(right["trials"][1]["error"].get<std::string>().find("diverged"), std::string::npos);
  EXPECT_TRUE(evaluate_again(o, study_case, places).empty());
  EXPECT_EQ(store.all().at(0)["ranges"], right["ranges"]);
  EXPECT_TRUE(store.all().at(0)["trials"][1]["validation_mse"].is_null());
  store.put(right["settings"], {{"trials", ResultJson::array({right["trials"][1]})}});
  const auto reasons = evaluate_again(o, study_case, places);
  ASSERT_EQ(reasons.size(), 1U) << "a file that lists fewer trials than there were";
  EXPECT_NE(reasons[0].find("1 trials recorded, expected 2"), std::string::npos) << reasons[0];
}

TEST(Study, EvaluatingTheStoreAgainTakesEverySeedAndSetting) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  StudyOptions wider = smoke();
  wider.grid.width = {5};
  ASSERT_TRUE(run_case(smoke(), {"heat", 3, {"variance"}}, places));
  ASSERT_TRUE(run_case(wider, {"heat", 0, {"diverse"}}, places));
  ASSERT_TRUE(run_case(smoke(), {"pme", 0, {"variance"}}, places));
  const ResultStore store(places.results);
  const auto right = store.all();
  ResultJson foreign = right[0]["settings"];
  foreign["recipe"] = "of another version";
  foreign["problem"] = "heat";
  for (const ResultJson& result : right)
    store.put(result["settings"], {{"machine", result["machine"]}, {"trials", result["trials"]}});
  store.put(foreign, {{"trials", ResultJson::array()}});
  const auto reasons = evaluate_store_again({"heat"}, method_names(), places);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].find("other settings than this version knows"), std::string::npos) << reasons[0];
  for (const ResultJson& result : right) {
    const bool anew = result["settings"]["problem"] == "heat";
    EXPECT_EQ(store.get(result["settings"]) == result, anew) << result["settings"].dump();
  }
  EXPECT_EQ(StudyResults(store.all(), smoke(), {}).all().size(), 3U) << "without the foreign one";
}

// Results made with other defaults than today's must not be taken for today's.
TEST(Study, ANameHoldsWhatIsNotChosenToo) {
  const StudyCase heat{"heat", 0, {}};
  StudyOptions longer = smoke();
  longer.epochs = 20;  // the schedule's period follows
  const auto recipe = [](const StudyOptions& o, const StudyCase& c) {
    return result_settings(o, c, "variance")["recipe"].get<std::string>();
  };
  EXPECT_EQ(recipe(smoke(), heat), recipe(smoke(), {"heat", 3, {}})) << "seeds have names of their own";
  EXPECT_NE(recipe(smoke(), heat), recipe(smoke(), {"pme", 0, {}})) << "other coordinates and ranges";
  EXPECT_NE(recipe(smoke(), heat), recipe(longer, heat));
}

// A schedule and a bound are part of the name; results without them keep theirs.
TEST(Study, ARecipeOfItsOwnHasANameOfItsOwn) {
  const StudyCase heat{"heat", 0, {}};
  StudyOptions fast = smoke();
  fast.schedule = "one_cycle";
  fast.bound = 10;
  const ResultJson usual = result_settings(smoke(), heat, "diverse"),
                   own = result_settings(fast, heat, "diverse");
  EXPECT_FALSE(usual.contains("schedule") || usual.contains("bound"));
  EXPECT_NE(own["recipe"], usual["recipe"]);
  const auto behind = options_behind(own);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->schedule, "one_cycle");
  EXPECT_EQ(behind->bound, 10);
  const FitOptions fit = study_fit(fast, heat, "diverse", study_data(fast, heat));
  EXPECT_EQ(fit.train.schedule.kind, ScheduleKind::one_cycle);
  EXPECT_EQ(fit.method.get("bound"), 10.0);
  EXPECT_EQ(study_fit(smoke(), heat, "diverse", study_data(smoke(), heat)).method.get("bound"), 0.0)
      << "as in the paper, whatever the default of train";
  ResultJson foreign = own;
  foreign["schedule"] = "spiral";
  EXPECT_FALSE(options_behind(foreign)) << "files are not trusted";
}

// What a new formula may ask for, from the file alone.
TEST(Study, KeepsWhatLaterQuestionsNeedOfEverySample) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  ASSERT_TRUE(run_case(smoke(), {"pme", 0, {"diverse"}}, places));
  const ResultJson result = ResultStore(places.results).all().at(0);
  for (const Shift shift : all_shifts) {
    const ResultJson& range = result["ranges"][to_string(shift)];
    const ResultJson& samples = range["samples"];
    for (const char* list :
         {"parameter", "size", "error", "spread", "sized", "factor", "violation", "inside"}) {
      ASSERT_TRUE(samples.contains(list)) << list;
      EXPECT_EQ(samples[list].size(), 3U) << list;
    }
    double squares = 0, inside = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      squares += std::pow(samples["error"][s].get<double>(), 2) / 3;
      inside += samples["inside"][s].get<double>() / 3;
      EXPECT_GE(samples["factor"][s].get<double>(), 1);
    }
    EXPECT_NEAR(squares / range["metrics"]["none"]["mse"].get<double>(), 1, 1e-3);
    EXPECT_NEAR(inside, range["sized"]["coverage"].get<double>(), 1e-4);
    EXPECT_EQ(range["sized"]["mse"], range["metrics"]["none"]["mse"]) << "sizes move no mean";
    const double after = range["sized_after"]["diagonal"]["mse"], plain = range["metrics"]["diagonal"]["mse"];
    EXPECT_NEAR(after / plain, 1, 1e-5) << "the law is all but exact: the size of sigma hardly matters";
    for (const char* baseline : {"clip", "diagonal-clip", "law"})
      EXPECT_GT(range["sized_after"][baseline]["mse"].get<double>(), 0) << baseline;
    EXPECT_EQ(range["nulls"]["constant"]["mse"], range["sized"]["mse"]);
    EXPECT_NE(range["nulls"]["constant"]["nll"], range["sized"]["nll"]);
    EXPECT_LE(range["nulls"]["constant"]["coverage"], range["nulls"]["distance"]["coverage"])
        << "distance is never below the constant";
    for (const char* witness : {"spread", "law", "novelty"})
      EXPECT_EQ(range["witnesses"][witness].size(), 3U) << witness;
    if (shift == Shift::in_domain) {
      EXPECT_EQ(range["verdict"]["auroc"], 0.5);
      const double constant = range["nulls"]["constant"]["nll"], distance = range["nulls"]["distance"]["nll"];
      EXPECT_NEAR(distance / constant, 1, 1e-2) << "hardly a test sample is beyond the training samples";
    }
  }
  const StudyResults results({result}, smoke(), {});
  const Table table = sized_table(results, "pme");
  ASSERT_EQ(table.groups.size(), 4U);
  EXPECT_NE(table_text(table).find("NLL, sized"), std::string::npos);
  EXPECT_NE(table_text(nulls_table(results, "pme")).find("CRPS, distance"), std::string::npos);
  EXPECT_NE(table_text(after_table(results, "pme")).find("MSE, diagonal-clip"), std::string::npos);
  EXPECT_NE(table_text(verdict_table(results)).find("novelty"), std::string::npos);
  ResultJson before = result;  // of a version that kept none of this
  for (auto& [name, range] : before["ranges"].items()) {
    for (const char* entry : {"sized", "sized_after", "nulls", "verdict", "witnesses"}) range.erase(entry);
  }
  const StudyResults older({before}, smoke(), {});
  for (const auto& of : {sized_table, nulls_table, after_table}) EXPECT_FALSE(has_rows(of(older, "pme")));
  EXPECT_FALSE(has_rows(verdict_table(older)));
}

// A checkpoint from the middle of a training is not what the result was made with.
TEST(Study, DoesNotTakeAnUnfinishedNetwork) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  StudyOptions o = smoke();
  o.epochs = 11;
  o.grid.strength = {1};
  const StudyCase study_case{"heat", 0, {"diverse"}};
  Counting stopping;
  stopping.limit = 10;
  ASSERT_FALSE(run_case(o, study_case, places, &stopping));
  const StudyData data = study_data(o, study_case);
  const FitData seen = seen_data(o, study_case, data);
  const auto trainings = method_trainings(o, study_case, "diverse", data, seen);
  EXPECT_FALSE(trained_networks(trainings, seen, places));
  ASSERT_TRUE(run_case(o, study_case, places));
  EXPECT_TRUE(trained_networks(trainings, seen, places));
}

// Pressures are of the size of 0.01: networks see them normalised, results are in their own unit.
TEST(Study, NormalisesDarcyAndNothingElseOfThePaper) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 2};
  for (const std::string problem : {"heat", "pme", "stefan", "advection", "advection-ic"}) {
    const StudyCase c{problem, 0, {}};
    const StudyData data = study_data(smoke(), c);
    EXPECT_FALSE(seen_data(smoke(), c, data).train().is_scaled()) << problem;
  }
  const StudyCase darcy{"darcy", 0, {"variance"}};
  const StudyData data = study_data(smoke(), darcy);
  const FitData seen = seen_data(smoke(), darcy, data);
  std::vector<Index> samples(data.train.size());
  std::iota(samples.begin(), samples.end(), 0);
  Array<float> inputs(data.train.inputs.shape()), outputs(data.train.outputs.shape());
  seen.train().gather(samples, inputs.data(), outputs.data());
  const Normalisation sizes = Normalisation::per_channel(outputs.view());
  EXPECT_NEAR(sizes.mean()[0], 0, 1e-5);
  EXPECT_NEAR(sizes.deviation()[0], 1, 1e-5);
  ASSERT_TRUE(run_case(smoke(), darcy, places));
  EXPECT_TRUE(trained_networks(method_trainings(smoke(), darcy, "variance", data, seen), seen, places));
  EXPECT_TRUE(evaluate_again(smoke(), darcy, places).empty());
  const ResultJson result = ResultStore(places.results).all().at(0);
  const double error = result.at("/ranges/in-domain/metrics/none/mse"_json_pointer).get<double>();
  EXPECT_LT(error, 1e-3);  // of values whose variance is 6e-5; unrestored ones are of size 1
  EXPECT_EQ(result.at("normalised"), true);
}

TEST(Study, OtherKindsOfDiversityHaveOtherNames) {
  StudyOptions usual = smoke(), other = smoke();
  other.diversity = "outputs";
  const StudyCase c{"heat", 0, {}};
  EXPECT_FALSE(result_settings(usual, c, "diverse").contains("diversity"));
  EXPECT_EQ(result_settings(other, c, "diverse")["diversity"], "outputs");
  EXPECT_EQ(result_settings(other, c, "ensemble"), result_settings(usual, c, "ensemble"));
  EXPECT_TRUE(study_data(usual, c).unlabelled.empty());
  const StudyData data = study_data(other, c);
  ASSERT_EQ(data.unlabelled.extent(0), 2);  // a tenth of 25
  const FitOptions fit = study_fit(other, c, "diverse", data);
  EXPECT_EQ(fit.method.get("diversity"), "outputs");
  EXPECT_EQ(fit.train.unlabelled, &data.unlabelled);
}

TEST(Study, OptionsOfTheReleaseReachTheTrainingsAndTheNameOfTheResult) {
  StudyOptions o = smoke();
  const StudyOptions usual = smoke();
  const StudyCase c{"heat", 0, {}};
  o.sampled = 5;
  o.loss = "relative_l2_squared";
  o.period = 7;
  o.unlabelled = 3;
  o.diversity_through = "trunk";
  // Of weights there is nothing that depends on the trunk or on inputs.
  ResultJson settings = result_settings(o, c, "diverse");
  EXPECT_FALSE(settings.contains("unlabelled") || settings.contains("diversity_through"));
  EXPECT_EQ(settings["sampled"], 5);
  o.diversity = "outputs";
  settings = result_settings(o, c, "diverse");
  EXPECT_EQ(settings["unlabelled"], 3);
  EXPECT_EQ(settings["diversity_through"], "trunk");
  EXPECT_FALSE(is_usual(settings));
  EXPECT_TRUE(is_usual(result_settings(usual, c, "diverse")));
  const auto back = options_behind(settings);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(result_settings(*back, c, "diverse"), settings);
  const StudyData data = study_data(o, c);
  EXPECT_EQ(data.unlabelled.extent(0), 3);
  const FitOptions fit = study_fit(o, c, "diverse", data);
  EXPECT_EQ(fit.method.get("sampled"), 5);
  EXPECT_EQ(fit.method.get("diversity-through"), "trunk");
  EXPECT_EQ(fit.train.loss.kind, LossKind::relative_l2_squared);
  EXPECT_EQ(fit.train.schedule.period, 7);
  // A method without the squared loss keeps its own, and its name says nothing of it.
  EXPECT_FALSE(result_settings(o, c, "variance").contains("loss"));
  EXPECT_EQ(fit_trainings(study_fit(o, c, "variance", data), data.train).front().loss.kind,
            LossKind::gaussian_nll);
  settings["period"] = -1;
  EXPECT_FALSE(options_behind(settings).has_value());
}

// By hand: a trunk and a head for each network; masks and the posterior repeat the last map alone.
TEST(Study, CountsTheProductsOfAPrediction) {
  Surrogate s;
  s.grid = {{"x", "", linspace(0, 1, 10)}};
  s.network.modes = {3};
  s.network.padding = {{}};
  s.network.features = 8;
  s.weights.resize(1);
  s.method = "variance";
  const double one = prediction_flops(s);
  s.method = "bayesian";
  EXPECT_EQ(prediction_flops(s) - one, 2 * 10 * 8);
  s.method = "dropout";
  s.state["dropout.masks"] = number(5);
  EXPECT_EQ(prediction_flops(s) - one, 4 * 2 * 10 * 8);
  s.method = "ensemble";
  s.weights.resize(3);
  EXPECT_EQ(prediction_flops(s), 3 * one);
}

TEST(Study, AStoppedCaseGoesOnToTheSameResult) {
  const test::TemporaryFolder a, b;
  const StudyCase study_case{"heat", 1, {"diverse"}};
  ASSERT_TRUE(run_case(smoke(), study_case, {a / "results", a / "models", 1}));
  Counting stopping;
  stopping.limit = 1;
  EXPECT_FALSE(run_case(smoke(), study_case, {b / "results", b / "models", 1}, &stopping));
  EXPECT_TRUE(ResultStore(b / "results").all().empty());
  ASSERT_TRUE(run_case(smoke(), study_case, {b / "results", b / "models", 1}));
  const auto one = ResultStore(a / "results").all().at(0), other = ResultStore(b / "results").all().at(0);
  EXPECT_EQ(one["ranges"], other["ranges"]);
}

TEST(ResultStore, RefusesWhatItDidNotWrite) {
  const test::TemporaryFolder folder;
  const ResultStore store(folder / "");
  store.put({{"a", 1}}, {{"value", 2}});
  EXPECT_TRUE(store.has({{"a", 1}}));
  EXPECT_FALSE(store.has({{"a", 2}}));
  EXPECT_EQ(store.all().at(0)["value"], 2);
  std::ofstream(folder / "0000000000000000.json") << R"({"settings": {"a": 3}})";
  EXPECT_THROW((void)store.all(), Error);
  std::ofstream(folder / "0000000000000000.json") << "{";
  EXPECT_THROW((void)store.all(), Error);
}

// Whoever reads results relies on these; and brackets without end must not fill the stack.
TEST(ResultStore, RefusesEntriesOfTheWrongKind) {
  const ResultJson trial = {{"width", 4},    {"rate", 1e-3},           {"dropout", 0.1},
                            {"strength", 1}, {"validation_mse", 1e-6}, {"chosen", true}};
  const auto refused = [&](const ResultJson& settings, const ResultJson& result) {
    const test::TemporaryFolder folder;
    const ResultStore store(folder / "");
    store.put(settings, result);
    const std::string file = (folder / (ResultStore::name_of(settings) + ".json")).string();
    const std::string message = test::message_of([&] { (void)store.all(); });
    return message.find(file + ": not a result of a study") == 0;
  };
  const ResultJson settings = {{"problem", "heat"}, {"method", "diverse"}, {"seed", 0U}};
  EXPECT_FALSE(refused(settings, {{"trials", {trial}}, {"networks", {{{"fingerprint", "f"}}}}}));
  for (const auto& [key, value] : trial.items()) {
    ResultJson lacking = trial, wrong = trial;
    lacking.erase(key);
    wrong[key] = "many";
    EXPECT_TRUE(refused(settings, {{"trials", {trial, lacking}}})) << key;
    EXPECT_TRUE(refused(settings, {{"trials", {wrong}}})) << key;
  }
  EXPECT_TRUE(refused(settings, {{"trials", {nullptr}}}));
  EXPECT_TRUE(refused(settings, {{"networks", 7}}));
  EXPECT_TRUE(refused(settings, {{"networks", {{{"seconds", 1}}}}}));
  EXPECT_TRUE(refused({{"problem", 7}}, {}));
  EXPECT_TRUE(refused({{"seed", -1}}, {}));
  const test::TemporaryFolder folder;
  std::ofstream(folder / "0000000000000000.json")
      << R"({"settings": {"a": )" << std::string(300000, '[') << std::string(300000, ']') << "}}";
  EXPECT_THROW((void)ResultStore(folder / "").all(), Error);
}

}  // namespace
}  // namespace nouq::paper

// nouq suggest: which runs of the solver to do next, as a batch.
#include <algorithm>

#include <nouq/suggest.h>

#include "asked_ranges.h"
#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "plot/table.h"
#include "question.h"

namespace nouq::cli {
namespace {

struct SuggestCommand {
  std::filesystem::path model;
  std::filesystem::path candidates;
  std::filesystem::path runs;
  std::vector<std::string> ranges;
  Index count = 8;
  Index among = 512;
  std::string design = "suggest";
  std::uint64_t seed = 0;
  std::filesystem::path output;
  int threads = 0;
};

std::vector<std::string> designs() {
  std::vector<std::string> names = design_names();
  names.insert(names.begin(), "suggest");
  return names;
}

OptionTable suggest_table(SuggestCommand& o) {
  OptionTable table(
      "suggest", "which runs of the solver to do next, spread out as a batch",
      "Suggests the runs that are expected to lower the error most over what is asked: the sized standard "
      "deviation says where it is large, the law and the novelty of the input where it is larger than that, and "
      "each run is taken to teach about its neighbours, so that a batch spreads out. 'gain' is the share of the "
      "sum of expected relative errors that a run takes away after those above it.");
  table.add("model", o.model, "the model file").as_positional().as_required();
  table.group("Among what");
  table
      .add("candidates", o.candidates,
           "file with the inputs that could be run, as for 'predict': NPZ, NPY or HDF5")
      .shown_as("FILE");
  table.add("ranges", o.ranges, "ranges of the model's parameters instead, e.g. m=1:6; of each of them one")
      .shown_as("NAME=A:B");
  table.add("runs", o.runs, "the data set with the runs that there are, which need not be done again")
      .shown_as("FILE");
  table.add("among", o.among, "how many points of the ranges are looked at").between(1, 4096);
  table.group("Which");
  table.add("count", o.count, "how many runs").with_letter('n').between(1, 4096);
  table
      .add(
          "design", o.design,
          "how they are chosen; random and sobol fill the ranges without a look at the model, for comparison")
      .one_of(designs());
  table.add("seed", o.seed, "of random points, and of the shift of a Sobol' sequence unless 0").at_least(0);
  table.add("output", o.output, "the values of the parameters as a table: NAME.csv")
      .with_letter('o')
      .shown_as("FILE");
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.example("nouq suggest mine.nouq --ranges k=1:6,q=0:2 -n 8 -o next.csv", "The next eight runs");
  table.example("nouq suggest mine.nouq --candidates pool.npz -n 4", "Which of these fields to solve");
  return table;
}

// The candidates, and the values of parameters they are made of, where they are.
struct Pool {
  DataSet data;
  Array<double> values;
  std::vector<std::string> names;
};

Pool pool_of(const SuggestCommand& o, const Model& model) {
  require(o.candidates.empty() != o.ranges.empty(), "give either --candidates FILE or --ranges NAME=A:B");
  Pool pool;
  if (!o.candidates.empty()) {
    require(o.design == "suggest", "--design {}: fills --ranges, not a file of candidates", o.design);
    Question question = question_of(o.candidates, {}, model, {});
    if (question.data) {
      pool.data = std::move(*question.data);
    } else {
      pool.data.inputs = std::move(question.inputs);
      pool.data.grid = question.grid;
    }
    return pool;
  }
  const InputParameters parameters(model);
  const bool look = o.design == "suggest";
  require(!look || o.count <= o.among, "--count {}: expected at most --among, {}", o.count, o.among);
  pool.values = points_in(parameters, asked_ranges(o.ranges), look ? o.among : o.count,
                          look ? "sobol" : o.design, o.seed);
  pool.data = parameters.question(pool.values);
  for (const InputParameter& one : parameters.list()) pool.names.push_back(one.name);
  return pool;
}

std::vector<Suggestion> chosen(const SuggestCommand& o, const Model& model, const Pool& pool) {
  std::optional<DataSet> runs;
  if (!o.runs.empty()) runs = read(o.runs.string());
  std::vector<Suggestion> list = suggest(model, pool.data, {o.count, o.threads, runs ? &*runs : nullptr});
  if (o.design != "suggest")  // the points as they come, with what is expected of them
    std::sort(list.begin(), list.end(),
              [](const Suggestion& a, const Suggestion& b) { return a.candidate < b.candidate; });
  return list;
}

void print(const std::vector<Suggestion>& list, const Pool& pool, const Output& output) {
  plot::Table table;
  table.columns = {{.header = "run"}, {.header = "candidate"}};
  for (const std::string& name : pool.names) table.columns.push_back({.header = name, .digits = 6});
  table.columns.push_back({.header = "expected error"});
  table.columns.push_back({.header = "gain"});
  table.columns.push_back({.header = "trust"});
  table.groups.emplace_back();
  for (std::size_t i = 0; i < list.size(); ++i) {
    plot::Row row = {std::to_string(i + 1), std::to_string(list[i].candidate)};
    for (Index c = 0; c < std::ssize(pool.names); ++c)
      row.emplace_back(pool.values.row(list[i].candidate).span()[static_cast<std::size_t>(c)]);
    row.emplace_back(list[i].error);
    row.emplace_back(list[i].gain);
    row.emplace_back(std::string(name(list[i].verdict)));
    table.groups.front().rows.push_back(std::move(row));
  }
  output.print("{}", plot::table_text(table));
}

Json json_of(const std::vector<Suggestion>& list, const Pool& pool) {
  Json json = Json::array();
  for (const Suggestion& s : list) {
    Json one = {{"candidate", s.candidate}};
    for (std::size_t c = 0; c < pool.names.size(); ++c)
      one[pool.names[c]] = pool.values.row(s.candidate).span()[c];
    one["error"] = s.error;
    one["gain"] = s.gain;
    one["verdict"] = name(s.verdict);
    json.push_back(std::move(one));
  }
  return {{"suggestions", std::move(json)}};
}

void write_table(const std::filesystem::path& path, const std::vector<Suggestion>& list, const Pool& pool) {
  std::string text;
  for (std::size_t c = 0; c < pool.names.size(); ++c) text += (c == 0 ? "" : ",") + pool.names[c];
  for (const Suggestion& s : list) {
    text += '\n';
    for (std::size_t c = 0; c < pool.names.size(); ++c)
      text += fmt::format("{}{}", c == 0 ? "" : ",", pool.values.row(s.candidate).span()[c]);
  }
  write_file_atomically(path, text + '\n');
}

void run_suggest(const SuggestCommand& o, Output& output) {
  require_free_output("--output", o.output, {o.model, o.candidates, o.runs});
  require(o.output.empty() || (o.output.extension() == ".csv" && o.candidates.empty()),
          "--output {}: a table of the parameters of --ranges, expected a name that ends in .csv",
          o.output.string());
  require_folder("--output", o.output);
  const Model model = Model::load(o.model.string());
  const Pool pool = pool_of(o, model);
  const std::vector<Suggestion> list = chosen(o, model, pool);
  if (!o.output.empty()) write_table(o.output, list, pool);
  print(list, pool, output);
  if (!o.output.empty()) output.print("wrote {}\n", o.output.string());
  output.result(json_of(list, pool));
}

}  // namespace

Command suggest_command() { return make_command(suggest_table, run_suggest); }

}  // namespace nouq::cli

// nouq report: one page about a model, or about a study.
#include "commands.h"
#include "core/error.h"
#include "core/file.h"
#include "model_page.h"
#include "output.h"
#include "study_commands.h"

namespace nouq::cli {
namespace {

struct ReportOptions {
  std::filesystem::path model;
  std::vector<std::filesystem::path> data;
  Index samples = 100;
  std::uint64_t seed = 1000;
  std::string projection = "bounded";
  std::filesystem::path output = "report.html";
  std::string preset = "paper";
  std::filesystem::path markdown;
  std::filesystem::path figures;
  int threads = 0;
  GivenOptions given;
};

OptionTable report_table(ReportOptions& o) {
  OptionTable table(
      "report", "write a page about a model or a study: errors, pictures, mass, trust, training",
      "Of a model file: without --data, test samples are drawn from the built-in problem that the training "
      "data came from, in domain and shifted. Of a folder of results, which 'nouq reproduce' fills: tables "
      "beside the paper's, figures, pictures of predictions, and the settings behind them, of the results "
      "that were made with the preset. The page is one file that needs no network.");
  table.add("model", o.model, "the model file, or a folder of results").as_positional().as_required();
  table.add("output", o.output, "the page to write").with_letter('o').shown_as("FILE");
  table.group("Of a model");
  table.add("data", o.data, "data files to test on").shown_as("FILE");
  table.add("samples", o.samples, "samples to draw from each range of a built-in problem")
      .with_letter('n')
      .between(1, 1e6);
  table.add("seed", o.seed, "of the drawn samples");
  table.add("conserve", o.projection, "projection to show beside the plain prediction")
      .one_of(projection_names());
  table.add("threads", o.threads, "0 for all cores").at_least(0);
  table.group("Of a study");
  table.add("preset", o.preset, "results with these settings").one_of(preset_names());
  table.group("In other forms");
  table.add("markdown", o.markdown, "write tables and captions as Markdown").shown_as("FILE");
  table.add("figures", o.figures, "write the figures as SVG, and as PNG where Cairo was there at build time")
      .shown_as("FOLDER");
  table.collect_given(o.given);
  table.example("nouq report pme.nouq -o pme.html", "In domain and at three shifts");
  table.example("nouq report mine.nouq --data test.h5", "On data of your own");
  table.example("nouq report results -o study.html", "All of a study that 'nouq reproduce' has run");
  return table;
}

void require_not_given(const ReportOptions& o, const std::vector<std::string>& names, const char* about) {
  for (const std::string& name : names)
    require(!o.given.changed.contains(name), "--{} is about {}, and {} is none", name, about,
            o.model.string());
}

Json report_study(const ReportOptions& o, const Output& output) {
  require_not_given(o, {"data", "samples", "seed", "conserve", "threads"}, "a model file");
  require_free_output("--output", o.output, {});
  require_free_output("--markdown", o.markdown, {});
  require_two_files("--output", o.output, "--markdown", o.markdown);
  return write_study_page({.preset = o.preset,
                           .results = o.model,
                           .page = o.output,
                           .markdown = o.markdown,
                           .figures = o.figures},
                          output);
}

// The page, and where they are asked for its figures as files and its words and tables as Markdown.
Json write_forms(const ReportOptions& o, const plot::Page& page, const Output& output) {
  Json written;
  const auto say = [&](const char* kind, const std::filesystem::path& path) {
    output.print("wrote {}\n", path.string());
    written[kind] = path.string();
  };
  plot::write_page(o.output, page);
  say("report", o.output);
  if (!o.figures.empty()) {
    plot::write_figures(o.figures, page);
    say("figures", o.figures);
  }
  if (o.markdown.empty()) return written;
  // As the reader of the text finds them.
  const auto beside = o.figures.empty() ? "" : o.figures.lexically_proximate(o.markdown.parent_path());
  write_file_atomically(o.markdown, plot::page_markdown(page, beside.string()));
  say("markdown", o.markdown);
  return written;
}

void run_report(const ReportOptions& o, Output& output) {
  if (std::filesystem::is_directory(o.model)) return output.result(report_study(o, output));
  require_not_given(o, {"preset"}, "a folder of results");
  std::vector<std::filesystem::path> inputs = o.data;
  inputs.push_back(o.model);
  require_free_output("--output", o.output, inputs);
  require_free_output("--markdown", o.markdown, inputs);
  require_two_files("--output", o.output, "--markdown", o.markdown);
  const Model model = Model::load(o.model.string());
  std::vector<TestSet> sets;
  for (const auto& path : o.data) sets.push_back({path.filename().string(), read(path.string())});
  const auto problem = problem_of(model.provenance());
  require(!sets.empty() || problem, "{}: its training data came from no built-in problem; give --data FILE",
          o.model.string());
  if (sets.empty()) sets = shifted_sets(model, *problem, o.samples, o.seed, o.threads);
  const ModelPageOptions options{o.model.filename().string(), o.projection, o.threads};
  plot::Page page = model_page(model, sets, options);
  page.footer = "Written by nouq " NOUQ_VERSION;
  output.result(write_forms(o, page, output));
}

}  // namespace

Command report_command() { return make_command(report_table, run_report); }

}  // namespace nouq::cli

#include "study/study_report.h"

#include "config/toml.h"
#include "core/error.h"
#include "core/file.h"
#include "paper/study_page.h"
#include "plot/page.h"
#include "study/presets.h"
#include "study_commands.h"

namespace nouq::cli {

void add_study_settings(OptionTable& table, paper::StudyOptions& study) {
  const paper::StudyLimits& may = paper::study_limits;
  table.add("epochs", study.epochs, "passes over the data").between(may.epochs.low, may.epochs.high);
  table.add("samples", study.samples, "samples, a fifth of them for validation")
      .between(may.samples.low, may.samples.high);
  table.add("test-samples", study.test_samples, "samples of each test range")
      .between(may.test_samples.low, may.test_samples.high);
  table.add("widths", study.grid.width, "widths to choose from").at_least(1);
  table.add("rates", study.grid.rate, "learning rates to choose from").above(0);
  table.add("dropouts", study.grid.dropout, "dropout probabilities to choose from").between(0, 1);
  table.add("strengths", study.grid.strength, "diversity strengths to choose from").at_least(0);
  table.add("count", study.count, "heads, networks, masks").between(may.count.low, may.count.high);
  table.add("schedule", study.schedule, "how the learning rate falls")
      .one_of({"step", "cosine", "one_cycle", "constant"});
  table.add("bound", study.bound, "what the diversity saturates at; 0 for no bound, as in the paper")
      .at_least(0);
  table.add("diversity", study.diversity, "what keeps the heads of diverse apart").one_of(diversity_names());
  table
      .add("diversity-through", study.diversity_through,
           "how far back a diversity of gradients or outputs reaches")
      .one_of(reach_names());
  table.add("sampled", study.sampled, "heads compared in a step; 0 for all (released: 5)")
      .between(may.sampled.low, may.sampled.high);
  table
      .add("unlabelled", study.unlabelled,
           "how many inputs a diversity of outputs looks at; 0 for a tenth of the samples (released: 200)")
      .between(may.unlabelled.low, may.unlabelled.high);
  table.add("loss", study.loss, "of the methods that have it; auto: every method's own")
      .one_of({"auto", "relative_l2", "relative_l2_squared"});
  table.add("period", study.period, "epochs after which the rate is halved; 0: a tenth of all (released: 50)")
      .between(may.period.low, may.period.high);
}

paper::StudyOptions study_preset(const std::string& name) {
  paper::StudyOptions study;
  OptionTable table("reproduce", "the settings of a study");  // the name under which presets have them
  add_study_settings(table, study);
  const std::vector<const OptionTable*> tables = {&table};
  apply_toml(presets::text(name), "preset " + name, tables);
  return study;
}

Json paper_figures(const std::filesystem::path& path) {
  if (path.empty()) return Json::parse(presets::paper_figures);
  const MappedFile file(path);
  const auto* text = reinterpret_cast<const char*>(file.bytes().data());
  Json figures = Json::parse(text, text + file.bytes().size(), nullptr, false);
  require(figures.is_object(), "{}: not a JSON object with the paper's figures", path.string());
  return figures;
}

void note_outdated(const paper::StudyResults& results, const Output& output) {
  if (results.outdated() == 0) return;
  output.say("note: left out of the store: {} made with other defaults than this version's",
             results.outdated() == 1 ? "one result" : fmt::format("{} results", results.outdated()));
}

std::vector<std::string> preset_names() { return presets::names(); }

Json write_study_page(const StudyPage& page, const Output& output) {
  return write_study_report({.study = study_preset(page.preset),
                             .results = page.results,
                             .paper = {},
                             .page = page.page,
                             .markdown = page.markdown,
                             .figures = page.figures,
                             .command = "nouq reproduce --preset " + page.preset},
                            output);
}

Json write_study_report(const StudyReport& r, const Output& output) {
  const paper::StudyResults results(paper::ResultStore(r.results).all(), r.study, paper_figures(r.paper));
  if (!r.tables_on_output) note_outdated(results, output);
  plot::Page page = paper::study_page(results, {.folder = r.results.string(), .command = r.command});
  page.footer = "Written by nouq " NOUQ_VERSION;
  Json written;
  const auto say = [&](const char* kind, const std::filesystem::path& path) {
    if (r.tables_on_output)
      output.say("wrote {}", path.string());
    else
      output.print("wrote {}\n", path.string());
    written[kind] = path.string();
  };
  if (!r.page.empty()) {
    plot::write_page(r.page, page);
    say("report", r.page);
  }
  if (!r.figures.empty()) {
    plot::write_figures(r.figures, page);
    say("figures", r.figures);
  }
  if (!r.markdown.empty()) {
    // As the reader of the text finds them.
    const auto beside = r.figures.empty() ? "" : r.figures.lexically_proximate(r.markdown.parent_path());
    write_file_atomically(r.markdown, plot::page_markdown(page, beside.string()));
    say("markdown", r.markdown);
  }
  return written;
}

}  // namespace nouq::cli

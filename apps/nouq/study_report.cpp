#include "study_report.h"

#include "config/toml.h"
#include "core/file.h"
#include "presets.h"
#include "report/page_files.h"
#include "report/study_page.h"

namespace nouq::cli {

void add_study_settings(OptionTable& table, StudyOptions& study) {
  const StudyLimits& may = study_limits;
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
  table.add("diversity", study.diversity, "what keeps the heads of diverse apart").one_of(diversity_names());
}

StudyOptions study_preset(const std::string& name) {
  StudyOptions study;
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

void note_outdated(const report::StudyResults& results, const Output& output) {
  if (results.outdated() == 0) return;
  output.say("note: left out of the store: {} made with other defaults than this version's",
             results.outdated() == 1 ? "one result" : fmt::format("{} results", results.outdated()));
}

Json write_study_report(const StudyReport& r, const Output& output) {
  const report::StudyResults results(ResultStore(r.results).all(), r.study, paper_figures(r.paper));
  if (!r.tables_on_output) note_outdated(results, output);
  report::Page page = report::study_page(results, {.folder = r.results.string(), .command = r.command});
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
    report::write_page(r.page, page);
    say("report", r.page);
  }
  if (!r.figures.empty()) {
    report::write_figures(r.figures, page);
    say("figures", r.figures);
  }
  if (!r.markdown.empty()) {
    // As the reader of the text finds them.
    const auto beside = r.figures.empty() ? "" : r.figures.lexically_proximate(r.markdown.parent_path());
    write_file_atomically(r.markdown, report::page_markdown(page, beside.string()));
    say("markdown", r.markdown);
  }
  return written;
}

}  // namespace nouq::cli

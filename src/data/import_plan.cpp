#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/file.h"
#include "data/array_file.h"
#include "data/csv.h"
#include "data/file_format.h"
#include "data/import.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

// The files of the folder that can be runs.
std::vector<fs::path> candidates(const ImportOptions& options, ImportReport& report) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& file : list_files(options.folder)) {
    if (!options.table.empty() && fs::equivalent(file, options.table, ignored)) continue;
    if (is_run_file_name(file)) {
      files.push_back(file);
    } else if (!file.filename().string().starts_with('.')) {  // hidden files are not runs
      report.notices.push_back(
          fmt::format("{} is not taken for a run: it does not end in .npy, .npz, .h5, .hdf5 or .csv",
                      file.filename().string()));
    }
  }
  require(!files.empty(), "{}: holds no files that end in .npy, .npz, .h5, .hdf5 or .csv",
          options.folder.string());
  return files;
}

// The files whose name, or name without ending, is the given one.
std::vector<fs::path> matches(const std::vector<fs::path>& files, const std::string& name) {
  std::vector<fs::path> found;
  for (const fs::path& file : files) {
    if (file.filename() == name) return {file};
    if (file.stem() == name) found.push_back(file);
  }
  return found;
}

// The rows of the table, each with its file. Rows without one are reported.
class Table {
 public:
  // With `by_file` a column names the file of each row.
  Table(const ImportOptions& options, bool by_file, ImportReport& report)
      : source_(options.table.string()),
        table_(read_csv(text_of(MappedFile(options.table).bytes()), source_)),
        file_column_(by_file ? column_of(table_, options.file_column, source_) : table_.header.size()) {
    require(!table_.header.empty(),
            "{}: the first row is all numbers; write the names of the columns above it", source_);
    for (std::size_t i = 0; i < table_.header.size() && options.parameters.empty(); ++i) {
      if (i == file_column_) continue;
      if (is_text(i))
        report.notices.push_back(fmt::format("{}: column '{}' is text ('{}', ...) and no parameter", source_,
                                             table_.header[i], table_.rows.front().cells[i]));
      else
        add(i, {table_.header[i], ""});
    }
    for (const Channel& parameter : options.parameters)
      add(column_of(table_, parameter.name, source_), parameter);
    require(!names_.empty(), "{}: has no column of numbers{}, so there are no parameters", source_,
            by_file ? fmt::format(" besides '{}'", options.file_column) : "");
  }

  [[nodiscard]] const std::vector<Channel>& names() const { return names_; }

  // The rows one after another are the samples of one file.
  [[nodiscard]] std::vector<PlannedRun> samples(Index count, const fs::path& file) const {
    require(std::ssize(table_.rows) == count, "{}: has {} rows, {} has {} samples", source_,
            table_.rows.size(), file.string(), count);
    std::vector<PlannedRun> runs;
    for (const CsvRow& row : table_.rows) runs.push_back({file, numbers(row)});
    return runs;
  }

  std::vector<PlannedRun> runs(const std::vector<fs::path>& files, ImportReport& report) const {
    std::vector<PlannedRun> runs;
    for (const CsvRow& row : table_.rows) {
      const std::string& name = row.cells[file_column_];
      const auto found = matches(files, name);
      const std::string where = fmt::format("{}:{}", source_, row.line);
      require(found.size() <= 1, "{}: '{}' fits {} and {}; write the whole name", where, name,
              found.empty() ? "" : found.front().filename().string(),
              found.empty() ? "" : found.back().filename().string());
      std::vector<double> parameters = numbers(row);
      if (found.empty()) {
        report.skipped.push_back({where, fmt::format("there is no file '{}' in the folder", name)});
        continue;
      }
      const bool taken =
          std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return run.file == found.front(); });
      require(!taken, "{}: '{}' stands in the table twice", where, name);
      runs.push_back({found.front(), std::move(parameters), found.front().filename().string(), {}});
    }
    return runs;
  }

 private:
  // Without a single number in it; a few words among numbers are a mistake, which is told where it stands.
  [[nodiscard]] bool is_text(std::size_t column) const {
    return !table_.rows.empty() &&
           std::none_of(table_.rows.begin(), table_.rows.end(),
                        [&](const CsvRow& row) { return is_csv_number(row.cells[column]); });
  }
  void add(std::size_t column, const Channel& name) {
    columns_.push_back(column);
    names_.push_back(name);
  }
  [[nodiscard]] std::vector<double> numbers(const CsvRow& row) const {
    std::vector<double> values;
    for (const std::size_t column : columns_) {
      values.push_back(csv_number(row, column, source_));
      require(std::isfinite(values.back()), "{}:{}: '{}' in column '{}' is not finite", source_, row.line,
              row.cells[column], table_.header[column]);
    }
    return values;
  }

  std::string source_;
  CsvTable table_;
  std::size_t file_column_;
  std::vector<std::size_t> columns_;
  std::vector<Channel> names_;
};

}  // namespace

namespace {

// All samples of one file.
ImportPlan plan_stacked(const ImportOptions& options, Index samples, ImportReport& report) {
  ImportPlan plan;
  plan.runs.assign(samples, {options.folder, {}});
  if (!options.table.empty()) {
    const Table table(options, false, report);
    plan.parameter_names = table.names();
    plan.runs = table.samples(samples, options.folder);
  }
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    plan.runs[i].name = fmt::format("{} sample {}", options.folder.filename().string(), i);
    plan.runs[i].row = static_cast<Index>(i);
  }
  return plan;
}

}  // namespace

ImportPlan plan_import(const ImportOptions& options, Index stacked, ImportReport& report) {
  require(!options.table.empty() || options.parameters.empty(),
          "--parameters names columns of a table: give one with --table");
  if (stacked > 0) return plan_stacked(options, stacked, report);
  const std::vector<fs::path> files = candidates(options, report);
  ImportPlan plan;
  if (options.table.empty()) {
    for (const fs::path& file : files) plan.runs.push_back({file, {}, file.filename().string(), {}});
    return plan;
  }
  const Table table(options, true, report);
  plan.parameter_names = table.names();
  plan.runs = table.runs(files, report);
  for (const fs::path& file : files) {
    const bool planned =
        std::any_of(plan.runs.begin(), plan.runs.end(), [&](const auto& run) { return run.file == file; });
    if (!planned) report.skipped.push_back({file.filename().string(), "is not in the table"});
  }
  return plan;
}

}  // namespace nouq

#include "core/error.h"
#include "core/names.h"
#include "data/array_file.h"
#include "data/import.h"

namespace nouq {

// Looks like the file of one run.
class StackedFile::Run final : public RunFile {
 public:
  Run(const StackedFile& stacked, Index sample) : stacked_(stacked), sample_(sample) {}

  [[nodiscard]] std::vector<std::string> names() const override { return stacked_.file_->names(); }
  [[nodiscard]] bool has(const std::string& name) const override { return stacked_.file_->has(name); }
  [[nodiscard]] Array<double> read(const std::string& name) const override {
    const auto found = stacked_.stacks_.find(name);
    if (found == stacked_.stacks_.end()) return stacked_.file_->read(name);
    const auto row = found->second.row(sample_);
    return {row.shape(), row.begin(), row.end()};
  }

 private:
  const StackedFile& stacked_;
  Index sample_;
};

StackedFile::StackedFile(const ImportOptions& options) : file_(open_run_file(options.folder)) {
  const std::string source = options.folder.string();
  std::vector<std::string> names;
  for (const auto* channels : {&options.outputs, &options.inputs})
    for (const Channel& channel : *channels) names.push_back(channel.name);
  if (options.outputs.empty()) {
    const auto all = file_->names();
    require(all.size() == 1, "{}: has {} arrays ({}), so the outputs must be named", source, all.size(),
            fmt::join(all, ", "));
    names.insert(names.begin(), all.front());
  }
  for (const auto& [constraint, array] : options.constraints) names.push_back(array);
  for (const std::string& name : names) {
    if (!file_->has(name)) fail_unknown_name("array", name, file_->names());
    const Array<double>& stack = stacks_.emplace(name, file_->read(name)).first->second;
    require(stack.rank() >= 1 && !stack.empty(), "{}: array '{}' of shape {} holds no samples", source, name,
            to_string(stack.shape()));
    if (samples_ == 0) samples_ = stack.extent(0);
    require(stack.extent(0) == samples_,
            "{}: array '{}' has {} samples, '{}' has {}: in one file, the first "
            "extent of every array counts the samples",
            source, name, stack.extent(0), names.front(), samples_);
  }
  const Array<double>& first = stacks_.at(names.front());
  require(first.rank() >= 2, "{}: array '{}' of shape {}: expected samples first, then at least one axis",
          source, names.front(), to_string(first.shape()));
  require(
      options.axes.empty() || first.rank() > options.axes.size(),
      "{}: array '{}' of shape {} has no extent for samples besides its {} axes: one file has all samples, "
      "a folder has a file for each",
      source, names.front(), to_string(first.shape()), options.axes.size());
}

std::unique_ptr<RunFile> StackedFile::run(Index sample) const { return std::make_unique<Run>(*this, sample); }

}  // namespace nouq

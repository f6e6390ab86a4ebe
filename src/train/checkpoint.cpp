// Saving and resuming: everything a run needs to go on as if nothing had happened. There is no random state
// to save, since random numbers are functions of (seed, epoch, step). A finished run needs no
// moments and no second copy: a quarter of the space.
#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/file.h"
#include "core/tensor_file.h"
#include "kernels/target.h"
#include "train/trainer.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

constexpr const char* kind = "nouq checkpoint 1";
constexpr const char* instruction_set = "instruction_set";

// The checkpoint before the last one: kept, so that a crash between two renames or a damaged disk block costs
// one epoch.
fs::path previous(const fs::path& path) { return fs::path(path).concat(".previous"); }

ArrayView<const float> view(const Buffer<float>& buffer) { return {buffer.data(), {std::ssize(buffer)}}; }

void restore(const TensorFile& file, const std::string& name, Buffer<float>& buffer) {
  const auto values = file.floats(name);
  require(values.size() == std::ssize(buffer), "the checkpoint's {} has {} numbers, the network {}", name,
          values.size(), buffer.size());
  std::copy(values.begin(), values.end(), buffer.begin());
}

// Empty: an older checkpoint, which does not say.
std::string instruction_set_of(const TensorFile& file) {
  const auto found = file.metadata().find(instruction_set);
  return found != file.metadata().end() ? found->second : std::string();
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Older checkpoints do not have them.
void restore_seconds(const TensorFile& file, std::vector<EpochRecord>& history) {
  if (!file.has("seconds")) return;
  const auto seconds = file.doubles("seconds");
  require(seconds.size() == std::ssize(history), "the checkpoint times {} epochs of {}", seconds.size(),
          history.size());
  for (EpochRecord& record : history) record.seconds = seconds[record.epoch];
}

}  // namespace

std::string begun_with(const fs::path& checkpoint) {
  for (const fs::path& path : {checkpoint, previous(checkpoint)}) {
    if (!file_exists(path)) continue;
    try {
      return instruction_set_of(TensorFile(path));
    } catch (const Error&) {  // damaged: the one before it counts, and the training says so
    }
  }
  return {};
}

bool Trainer::has_unsaved_epochs() const {
  return !options_.checkpoint.empty() && next_epoch_ > saved_epochs_;
}

void Trainer::save_checkpoint() {
  if (options_.checkpoint.empty()) return;
  for (auto* buffer : {&weights_, &best_weights_}) network_.collect(buffer->data());
  if (next_epoch_ < options_.epochs)
    for (auto* buffer : {&first_moment_, &second_moment_}) network_.collect(buffer->data());
  if (group_.rank() == 0) write_checkpoint();
  saved_epochs_ = next_epoch_;
  saved_at_ = std::chrono::steady_clock::now();
}

void Trainer::write_checkpoint() {
  const bool finished = next_epoch_ == options_.epochs;
  Array<double> history({std::ssize(history_), 3});
  Array<double> seconds({std::ssize(history_)});
  for (std::size_t e = 0; e < history_.size(); ++e) {
    const Index row = 3 * e;
    history[row] = history_[e].train_loss;
    history[row + 1] = history_[e].validation_loss;
    history[row + 2] = history_[e].learning_rate;
    seconds[e] = history_[e].seconds;
  }
  TensorFileWriter file;
  file.metadata = {
      {"kind", kind}, {"fingerprint", fingerprint_}, {instruction_set, std::string(name(current_target()))}};
  file.add("weights", view(weights_));
  file.add("best_weights", view(best_weights_));
  if (!finished) {
    file.add("first_moment", view(first_moment_));
    file.add("second_moment", view(second_moment_));
  }
  file.add("history", std::as_const(history).view());
  file.add("seconds", std::as_const(seconds).view());
  // The new one is safely on disk before the old ones are touched.
  const fs::path next = fs::path(options_.checkpoint).concat(".next");
  file.write(next);
  if (file_exists(options_.checkpoint)) rename_file(options_.checkpoint, previous(options_.checkpoint));
  rename_file(next, options_.checkpoint);
  std::error_code ignored;  // a file that stays does no harm
  if (finished) fs::remove(previous(options_.checkpoint), ignored);
}

// Other vectors add up in another order: the run would end with bits that no processor makes alone.
void Trainer::require_instruction_set(const std::string& begun, const fs::path& path) const {
  const std::string_view here = name(current_target());
  require(
      options_.any_processor || begun.empty() || begun == here,
      "{}: begun with {} instructions, and this process uses {}: the result would have other last digits than "
      "a run on one processor; go on where {} is in use, or set any_processor (--any-processor) to go on here",
      path.string(), begun, here, begun);
}

void Trainer::read_checkpoint(const fs::path& path) {
  const TensorFile file(path);
  require(file.text("kind") == kind, "{}: not a checkpoint of this version", path.string());
  require(file.text("fingerprint") == fingerprint_,
          "{}: written by a run with other settings or other data; remove it, name another checkpoint, or "
          "train with the settings it was written with: {}",
          path.string(), file.text("fingerprint"));
  restore(file, "weights", weights_);
  restore(file, "best_weights", best_weights_);
  const auto history = file.doubles("history");
  require(history.rank() == 2 && history.extent(1) == 3, "{}: history of shape {}", path.string(),
          to_string(history.shape()));
  history_.clear();
  for (Index e = 0; e < history.extent(0); ++e) {
    history_.push_back({e, history[3 * e], history[3 * e + 1], history[3 * e + 2], unknown});
  }
  restore_seconds(file, history_);
  require(!history_.empty(), "{}: no finished epoch", path.string());
  next_epoch_ = std::ssize(history_);
  if (next_epoch_ < options_.epochs) {
    require_instruction_set(instruction_set_of(file), path);
    restore(file, "first_moment", first_moment_);
    restore(file, "second_moment", second_moment_);
  }
}

bool Trainer::read_checkpoint() {
  const fs::path& path = options_.checkpoint;
  const bool have_last = file_exists(path);
  const bool have_previous = file_exists(previous(path));
  if (!have_last && !have_previous) return false;
  if (have_last) {
    try {
      read_checkpoint(path);
      return true;
    } catch (const Error&) {
      if (!have_previous) throw;
    }
  }
  read_checkpoint(previous(path));
  return true;
}

void Trainer::spread_state() {
  const auto all = [&](auto& values) { spread(group_, std::as_writable_bytes(std::span(values))); };
  Index epochs = next_epoch_;
  spread(group_, std::as_writable_bytes(std::span(&epochs, 1)));
  next_epoch_ = epochs;
  history_.resize(epochs);
  all(history_);
  for (auto* buffer : {&weights_, &best_weights_, &first_moment_, &second_moment_}) all(*buffer);
}

bool Trainer::load_checkpoint() {
  if (options_.checkpoint.empty() || !options_.resume || next_epoch_ > 0) return false;
  if (!agreed(group_.rank() == 0 && read_checkpoint())) return false;
  spread_state();
  const auto best = std::min_element(
      history_.begin(), history_.end(),
      [](const EpochRecord& a, const EpochRecord& b) { return a.validation_loss < b.validation_loss; });
  best_epoch_ = best->epoch;
  best_loss_ = best->validation_loss;
  return true;
}

}  // namespace nouq

#include "work_folder.h"

#include <algorithm>

#include "core/error.h"
#include "core/file.h"

namespace nouq::cli {
namespace {

namespace fs = std::filesystem;

fs::path lock_path(const fs::path& folder) { return folder / "run.lock"; }

LockFile lock_folder(const fs::path& folder) {
  make_folder(folder, "checkpoints");
  auto lock = LockFile::try_lock(lock_path(folder));
  require(lock.has_value(), "{} is in use: another run is making the same file; wait for it, or name another",
          folder.string());
  return std::move(*lock);
}

void remove_checkpoints(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".training") != std::string::npos) fs::remove(entry.path(), ignored);
  }
}

void refuse_other_runs(const fs::path& folder, const std::vector<std::string>& own) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const bool other = entry.path().extension() == ".training" &&
                       std::find(own.begin(), own.end(), entry.path().filename().string()) == own.end();
    require(!other,
            "{} holds an interrupted run with other settings or data; give the same options again to go on "
            "with it, or --fresh to forget it",
            folder.string());
  }
}

}  // namespace

fs::path work_folder(const fs::path& output_file) { return fs::path(output_file).concat(".training"); }

LockFile prepare_work_folder(const fs::path& folder, bool fresh,
                             const std::vector<std::string>& checkpoints) {
  LockFile lock = lock_folder(folder);
  if (fresh) remove_checkpoints(folder);
  refuse_other_runs(folder, checkpoints);
  return lock;
}

void remove_work_folder(const fs::path& folder) {
  std::error_code ignored;
  remove_checkpoints(folder);
  fs::remove(lock_path(folder), ignored);
  fs::remove(folder, ignored);  // fails, as it should, when something else is in there
}

}  // namespace nouq::cli

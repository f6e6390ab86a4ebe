#include "study/result_store.h"

#include "core/checksum.h"
#include "core/error.h"
#include "core/file.h"

namespace nouq {
namespace {

ResultJson read_result(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto* text = reinterpret_cast<const char*>(file.bytes().data());
  ResultJson result = ResultJson::parse(text, text + file.bytes().size(), nullptr, false);
  require(result.is_object() && result.contains("settings") && result["settings"].is_object(),
          "{}: not a result of a study; move it elsewhere", path.string());
  const std::string name = ResultStore::name_of(result["settings"]);
  require(name + ".json" == path.filename().string(),
          "{}: its name is not that of its settings ({}); was it edited?", path.string(), name);
  return result;
}

}  // namespace

ResultStore::ResultStore(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) fail_internally("cannot make the folder {} for results: {}", folder_.string(), error.message());
}

std::string ResultStore::name_of(const ResultJson& settings) {
  const std::string text = settings.dump();
  return fmt::format("{:016x}", crc64(std::as_bytes(std::span(text)), 0));
}

std::filesystem::path ResultStore::file_of(const ResultJson& settings) const {
  return folder_ / (name_of(settings) + ".json");
}

bool ResultStore::has(const ResultJson& settings) const { return std::filesystem::exists(file_of(settings)); }

void ResultStore::put(const ResultJson& settings, const ResultJson& result) const {
  ResultJson whole = {{"settings", settings}};
  for (const auto& [key, value] : result.items()) whole[key] = value;
  write_file_atomically(file_of(settings), whole.dump(1) + "\n");
}

ResultJson ResultStore::get(const ResultJson& settings) const { return read_result(file_of(settings)); }

std::vector<ResultJson> ResultStore::all() const {
  std::vector<ResultJson> results;
  for (const auto& path : list_files(folder_)) {
    if (path.extension() == ".json") results.push_back(read_result(path));
  }
  return results;
}

}  // namespace nouq

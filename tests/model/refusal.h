// What is said about a model file that is refused.
#pragma once

#include <string>

#include "model/model_file.h"

namespace nouq::test {

// The message without the file's name in front, which must be there; "accepted" when the file is loaded.
inline std::string refusal(const std::filesystem::path& path) {
  try {
    load_model(path);
  } catch (const Error& error) {
    const std::string message = error.what(), start = path.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : "unnamed: " + message;
  }
  return "accepted";
}

}  // namespace nouq::test

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <unistd.h>

#include "api/program_files.h"
#include "core/command_words.h"
#include "core/error.h"
#include "core/file.h"
#include "core/names.h"
#include "core/process.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<std::pair<std::string, std::string>>;

// What may stand beside a placeholder: a word like --in={input}, and no text of another language.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+=.,:/@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// {name} in a word becomes what `value_of` gives; other braces stay.
template <class ValueOf>
std::string filled(const std::string& word, ValueOf&& value_of) {
  std::string result;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t close = word[at] == '{' ? word.find('}', at) : std::string::npos;
    const std::string name = close == std::string::npos ? "" : word.substr(at + 1, close - at - 1);
    const bool placeholder = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '*' || c == '.' || c == ' ';
    });
    if (!placeholder) {
      result += word[at++];
      continue;
    }
    result += value_of(name);
    at = close + 1;
  }
  return result;
}

std::vector<std::string> known_names(const DataSet& data) {
  std::vector<std::string> names = {"input", "output", "folder", "run"};
  for (const Channel& parameter : data.parameter_names) names.push_back(parameter.name);
  return names;
}

void check_words(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  require(!words.empty(), "the solver's command is empty: expected a program and its words");
  for (const std::string& word : words) {
    bool some = false;
    const std::string rest = filled(word, [&](const std::string& name) {
      (void)index_of_name("placeholder", name, names);
      some = true;
      return std::string();
    });
    require(
        !some || is_plain(rest),
        "the command's word '{}': a placeholder in a text that another program reads; expected it as a word of "
        "its own, or as in --in={{input}}; within sh -c '...' take \"$NOUQ_INPUT\" and \"$NOUQ_OUTPUT\"",
        word);
  }
}

// The last line that says something.
std::string last_line(const fs::path& log) {
  const MappedFile file(log);
  std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  std::string line(begin == std::string_view::npos ? text : text.substr(begin + 1));
  constexpr std::size_t most = 200;
  return line.size() > most ? line.substr(0, most) + "..." : line;
}

class Program {
 public:
  Program(ProgramSolver program, const DataSet& data)
      : program_(std::move(program)), words_(command_words(program_.command)), like_(without_samples(data)) {
    check_words(words_, known_names(data));
    require(std::isfinite(program_.timeout) && program_.timeout >= 0 && program_.timeout < 1e8,
            "timeout = {}: expected seconds, 0 for none", program_.timeout);
    require(program_.output_ending.starts_with('.') && is_plain(program_.output_ending) &&
                program_.output_ending.find('/') == std::string::npos,
            "ending of the output = '{}': expected one as .npz", program_.output_ending);
    require(!program_.folder.empty(), "a folder for the files of the runs is needed");
    format_ = input_format(program_.input_format, data);
  }

  SolverAnswer operator()(const SolverRun& run) const {
    const fs::path folder = make_place(run);
    const fs::path input = folder / ("input." + format_),
                   output = folder / ("output" + program_.output_ending);
    write_question(input, format_, run.question, like_);
    const Values values = values_of(run, folder, input, output);
    ProcessRequest request;
    for (const std::string& word : words_)
      request.words.push_back(filled(word, [&](const std::string& name) {
        return std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; })
            ->second;
      }));
    request.environment = {{"NOUQ_INPUT", input.string()},
                           {"NOUQ_OUTPUT", output.string()},
                           {"NOUQ_FOLDER", folder.string()},
                           {"NOUQ_RUN", std::to_string(run.number)}};
    request.output = folder / "log.txt";
    request.limit = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * program_.timeout));
    const ProcessEnd end = run_process(request, run.stopped);
    if (end.how == ProcessEnd::How::stopped) throw Cancelled("stopped");
    if (const std::string what = describe(end, request.limit); !what.empty())
      fail_with_log(what, request.output);
    if (!file_exists(output))
      fail_with_log(fmt::format("wrote no {}", output.filename().string()), request.output);
    SolverAnswer answer = read_answer(output, program_, like_);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return answer;
  }

 private:
  // What the data are, without their samples.
  static DataSet without_samples(const DataSet& data) {
    DataSet like = select(data, {0});
    like.inputs = {};
    like.outputs = {};
    return like;
  }

  [[noreturn]] static void fail_with_log(const std::string& what, const fs::path& log) {
    const std::string line = last_line(log);
    fail("the solver {}{}; its words are in {}", what, line.empty() ? "" : " (" + line + ")", log.string());
  }

  // A folder that no other process has: what a killed one left behind may still be written to.
  [[nodiscard]] fs::path make_place(const SolverRun& run) const {
    const fs::path all = fs::absolute(program_.folder);
    const std::string name = fmt::format("run{:05}.attempt{}.", run.number, run.attempt);
    std::error_code ignored;
    if (file_exists(all))
      for (const auto& entry : fs::directory_iterator(all, ignored))
        if (entry.path().filename().string().starts_with(name)) fs::remove_all(entry.path(), ignored);
    const fs::path folder = all / (name + std::to_string(::getpid()));
    make_folder(folder, "files of a run");
    return folder;
  }

  [[nodiscard]] Values values_of(const SolverRun& run, const fs::path& folder, const fs::path& input,
                                 const fs::path& output) const {
    Values values = {{"input", input.string()},
                     {"output", output.string()},
                     {"folder", folder.string()},
                     {"run", std::to_string(run.number)}};
    for (std::size_t c = 0; c < like_.parameter_names.size(); ++c)
      values.emplace_back(like_.parameter_names[c].name,
                          fmt::format("{}", run.question.parameters[static_cast<Index>(c)]));
    return values;
  }

  ProgramSolver program_;
  std::vector<std::string> words_;
  std::string format_;
  DataSet like_;
};

}  // namespace

RunSolver program_solver(const ProgramSolver& program, const DataSet& data) {
  return [solver = std::make_shared<const Program>(program, data)](const SolverRun& run) {
    return (*solver)(run);
  };
}

}  // namespace nouq

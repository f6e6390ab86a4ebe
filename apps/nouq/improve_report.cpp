#include "improve_report.h"

#include "plot/table.h"

namespace nouq::cli {
namespace {

plot::Table rounds_table(const std::vector<ImproveRound>& rounds) {
  plot::Table table;
  table.columns = {{.header = "runs"},
                   {.header = "samples"},
                   {.header = "held out"},
                   {.header = "error"},
                   {.header = "of runs"},
                   {.header = "stated"},
                   {.header = "in domain", .digits = 2}};
  table.groups.emplace_back();
  for (const ImproveRound& r : rounds)
    table.groups.front().rows.push_back({std::to_string(r.runs), std::to_string(r.samples),
                                         std::to_string(r.held_out), r.error, std::to_string(r.checks),
                                         r.expected, r.in_domain});
  return table;
}

}  // namespace

plot::Figure improvement_figure(const std::vector<ImproveRound>& rounds, double target) {
  plot::Points points{.name = "held-out error", .joined = true},
      stated{.name = "stated by the model", .joined = true};
  for (const ImproveRound& r : rounds) {
    points.x.push_back(static_cast<double>(r.runs));
    points.y.push_back(r.error);
    stated.x.push_back(static_cast<double>(r.runs));
    stated.y.push_back(r.expected);
  }
  plot::Panel panel{.x = {.label = "runs of the solver"},
                    .y = {.label = "relative error", .scale = plot::Scale::log}};
  panel.series = {points, stated};
  if (target > 0) panel.references.push_back({.at = target, .label = "target"});
  return {.title = "Error against runs",
          .caption =
              "Relative error of held-out runs after each training, and the error that the model states over "
              "what is asked.",
          .panels = {panel}};
}

Json json_of(const Improved& done, const ImprovePaths& paths) {
  Json rounds = Json::array(), lost = Json::array();
  for (const ImproveRound& r : done.rounds)
    rounds.push_back({{"runs", r.runs},
                      {"samples", r.samples},
                      {"held_out", r.held_out},
                      {"error", r.error},
                      {"checks", r.checks},
                      {"expected", r.expected},
                      {"in_domain", r.in_domain}});
  for (const SetAside& one : done.set_aside)
    lost.push_back({{"run", one.run}, {"parameters", one.parameters}, {"reason", one.reason}});
  return {{"model", paths.model.string()},
          {"reached", done.reached},
          {"samples", done.data.size()},
          {"rounds", std::move(rounds)},
          {"set_aside", std::move(lost)}};
}

void say_end(const Improved& done, const ImprovePaths& paths, double target, const Output& output) {
  output.print("{}", plot::table_text(rounds_table(done.rounds)));
  for (const SetAside& one : done.set_aside) output.print("set aside    run {}: {}\n", one.run, one.reason);
  output.print("model        {}\n", paths.model.string());
  if (!paths.all_runs.empty()) output.print("all runs     {}\n", paths.all_runs.string());
  if (target > 0)
    output.print("target       {}\n",
                 done.reached ? "met" : "not met: the budget is used; a larger --budget goes on");
}

}  // namespace nouq::cli

#include "train_summary.h"

#include "model_info.h"

namespace nouq::cli {

namespace fs = std::filesystem;

void print_summary(const fs::path& path, const Model& model, const ValidationQuality& quality, double seconds,
                   const Output& output) {
  const ModelInfo info = model.info();
  output.print("model        {} ({}, {} network{})\n", path.string(), info.method, info.networks,
               info.networks == 1 ? "" : "s");
  const std::optional<double>& relative = quality.relative_l2;
  output.print("validation   relative error {}, mean squared error {:.2e}\n",
               relative ? fmt::format("{:.2e}", *relative) : "-", quality.mse);
  if (relative && !(*relative < 0.5))
    output.print(
        "             this is no use yet: train longer, or with a smaller --rate if the loss grew\n");
  output.print("calibration  {:.0f} % of the points inside mean +- 1.96 sigma (nominal 95 %)\n",
               100 * quality.coverage);
  print_calibration(describe_calibration(info), output);
  output.print("time         {:.1f} s\n", seconds);
  output.print(
      "next         nouq evaluate {0} --data FILE\n             nouq predict {0} --input FILE -o "
      "answer.npz\n",
      path.string());
}

Json summary_json(const fs::path& path, const Model& model, const ValidationQuality& quality) {
  const ModelInfo info = model.info();
  const Json relative = quality.relative_l2 ? Json(*quality.relative_l2) : Json(nullptr);
  return {{"model", path.string()},
          {"method", info.method},
          {"networks", info.networks},
          {"fingerprint", Model::fingerprint(path.string())},
          {"validation", {{"relative_l2", relative}, {"mse", quality.mse}, {"coverage", quality.coverage}}},
          {"trust", info.has_trust},
          {"conformal", info.band.has_value()}};
}

}  // namespace nouq::cli

#include "train_summary.h"

#include <algorithm>

#include "metrics/metric.h"
#include "model/model_file.h"
#include "model_info.h"
#include "physics/evaluation.h"
#include "uq/conformal.h"
#include "uq/predictor.h"
#include "uq/trust.h"

namespace nouq::cli {

namespace fs = std::filesystem;

namespace {

Quality quality_of(const Prediction& p, const DataSet& data) {
  const Array<double> truth = truth_of(data);
  const MetricInput input{p.mean.view(), p.variance.view(), truth.view(), {}};
  Quality quality{{}, metrics::mse(input).value, metrics::coverage(input).value};
  if (!zero_field(data)) quality.relative_error = metrics::relative_l2(input).value;
  return quality;
}

}  // namespace

Quality finish_model(const TrainSettings& settings, const CalibrationOptions& calibration,
                     const Array<double>& slack, const DataSet& validation, const fs::path& path,
                     Surrogate& surrogate) {
  Prediction prediction = predict(surrogate, validation.inputs.view(), {false, settings.threads});
  calibrate(calibration, slack, validation, prediction, settings.threads, surrogate);
  surrogate.facts["made_by"] = "nouq " NOUQ_VERSION;
  surrogate.facts["settings"] = to_json(settings);
  save_model(surrogate, path);
  return quality_of(prediction, validation);
}

void print_summary(const fs::path& path, const Surrogate& surrogate, const Quality& quality, double seconds,
                   const Output& output) {
  output.print("model        {} ({}, {} network{})\n", path.string(), surrogate.method,
               surrogate.weights.size(), surrogate.weights.size() == 1 ? "" : "s");
  const std::optional<double>& relative = quality.relative_error;
  output.print("validation   relative error {}, mean squared error {:.2e}\n",
               relative ? fmt::format("{:.2e}", *relative) : "-", quality.mse);
  if (relative && !(*relative < 0.5))
    output.print(
        "             this is no use yet: train longer, or with a smaller --rate if the loss grew\n");
  output.print("calibration  {:.0f} % of the points inside mean +- 1.96 sigma (nominal 95 %)\n",
               100 * quality.coverage);
  print_calibration(describe_calibration(surrogate), output);
  output.print("time         {:.1f} s\n", seconds);
  output.print(
      "next         nouq evaluate {0} --data FILE\n             nouq predict {0} --input FILE -o "
      "answer.npz\n",
      path.string());
}

Json summary_json(const fs::path& path, const Surrogate& surrogate, const Quality& quality) {
  const Json relative = quality.relative_error ? Json(*quality.relative_error) : Json(nullptr);
  return {{"model", path.string()},
          {"method", surrogate.method},
          {"networks", surrogate.weights.size()},
          {"fingerprint", model_fingerprint(path)},
          {"validation", {{"relative_l2", relative}, {"mse", quality.mse}, {"coverage", quality.coverage}}},
          {"trust", has_trust(surrogate)},
          {"conformal", has_conformal(surrogate)}};
}

}  // namespace nouq::cli

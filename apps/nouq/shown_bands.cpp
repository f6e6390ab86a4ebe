#include "shown_bands.h"

#include <fmt/format.h>

namespace nouq::cli {

ShownBands shown_bands(const Model& model, const Prediction& before, const Prediction& after,
                       bool projected) {
  ShownBands bands;
  bands.before = band(model, before);
  if (projected && !after.band.empty()) bands.after = after.band;
  const bool calibrated = bands.before && (!projected || bands.after);
  bands.brief = "three standard deviations";
  if (!bands.before && !bands.after) {
    bands.words = "Bands are three standard deviations: the model has no calibrated ones for these fields.";
    return bands;
  }
  const BandInfo info = *model.info().band;
  if (calibrated) bands.brief = fmt::format("bands of {:.3g} %", 100 * info.coverage);
  bands.words =
      fmt::format("Bands contain {} {:.3g} % of inputs like those of training{}.",
                  info.pointwise ? "each value for" : "the whole field for", 100 * info.coverage,
                  calibrated     ? ""
                  : bands.before ? "; after projection they are three standard deviations"
                                 : " after projection; before it they are three standard deviations");
  return bands;
}

std::vector<plot::FieldSample> curves_of(const std::string& name, const Prediction& before,
                                         const Prediction& after, bool projected, const ShownBands& bands,
                                         Index at) {
  const auto width = [&](const std::optional<Array<double>>& band) {
    return band ? band->data() + at : nullptr;
  };
  std::vector<plot::FieldSample> curves = {
      {name, before.mean.data() + at, before.variance.data() + at, width(bands.before)}};
  if (projected)
    curves.push_back(
        {"after projection", after.mean.data() + at, after.variance.data() + at, width(bands.after)});
  return curves;
}

}  // namespace nouq::cli

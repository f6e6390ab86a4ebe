// A trained surrogate from its file: asks it for mean, standard deviation, trust and samples.
//
// Why: this and its neighbours are all that a program needs to use a model; no header of another library
// comes with them. When: load once, predict as often as wanted:
//
//   const nouq::Model model = nouq::Model::load("pme.nouq");
//   const nouq::Answer answer = model.predict(nouq::Input(k.data(), {100, 20}));
//
// or into memory of one's own, where nothing is allocated after the first call of a shape.
//
// Contract: inputs are [samples, axes..., channels], or [axes...] alone for one sample of one channel;
// outputs likewise, samples with their members as second extent: [samples, members, axes..., channels] or
// [members, axes...]. Copies of a Model share the weights. All functions may be called from many threads at
// once, on the same Model; the answer does not depend on that. Throws nouq::Error; nothing is written then.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/error.h>
#include <nouq/export.h>
#include <nouq/grid.h>
#include <nouq/laws.h>
#include <nouq/strided.h>
#include <nouq/trust.h>

namespace nouq {

class SharedModel;

struct AxisInfo {
  std::string name;
  std::string unit;
  std::vector<double> coordinates;  // of the grid the model was trained on
  // What its values are: "points", "cells" (averages over cells, or values at their centres) or "periodic".
  std::string kind = "points";
};

// A conservation law of the outputs: the integral of a channel over some axes, at every place on the others.
struct LawInfo {
  std::string name;  // under which its right-hand sides are given: Constraints::of
  std::vector<std::string> axes;
  std::int64_t channel = 0;
};

// Bands with a stated coverage: mean +- factor * sigma (Angelopoulos and Bates, 2023).
struct BandInfo {
  bool pointwise = false;  // covers each point; otherwise a whole field
  double coverage = 0;
  double factor = 0;  // of whole fields; pointwise bands have one for every point
};

// A score above 1 is doubtful, above `far` out of domain.
struct TrustInfo {
  // Of models of before, whose score is the relative spread |sigma| / |mu| over this; else 0.
  double reference = 0;
  double far = 0;
  double level = 0;                    // share of inputs like those of training that is called in-domain
  std::int64_t held_out = 0;           // samples it was calibrated on; 0 of models of before
  std::vector<std::string> witnesses;  // that it can hear: "spread", "law", "novelty"
};

// What may be known of inputs besides their fields; the model's trust then hears more witnesses.
struct Known {
  // Of the model's laws, by name: [samples, places...], or [places...] for all samples.
  std::map<std::string, Array<double>> values;
  Array<double> parameters;  // those of the training data: [samples, parameters]
};

// The size of sigma, from held-out samples: the variance v that the method gives becomes scale (v + floor),
// one of each per output channel. With `by_law`, a prediction that violates its conservation law by more than
// held-out ones do has a larger one still, where the law's values are known (nouq/prediction.h).
struct SizingInfo {
  std::vector<double> scale;
  std::vector<double> floor;
  std::vector<double> error;  // standard error of the scale, which is part of it already
  std::int64_t held_out = 0;  // samples it comes from
  bool by_law = false;
};

// Sigma after a projection, sized as SizingInfo has it, and the factor of its band (0: none, or pointwise).
struct ProjectionInfo {
  std::string name;  // "bounded", ...
  std::vector<double> scale;
  std::vector<double> floor;
  std::vector<double> error;
  double band_factor = 0;
};

// By which channels are scaled for the networks; empty: not at all.
struct NormalisationInfo {
  std::vector<double> mean;
  std::vector<double> deviation;
};

// Of a model that learnt a time step (nouq/rollout.h).
struct RolloutInfo {
  std::int64_t block = 1;           // time points of a step
  double step = 0;                  // of time, between two points
  std::int64_t horizon = 0;         // time points of the training trajectories, after the first
  std::vector<std::string> closed;  // laws that keep the value of the initial state
  double band_coverage = 0;         // of whole roll-outs over the trained times; 0: no bands
};

struct ModelInfo {
  std::string method;
  std::vector<AxisInfo> axes;
  std::vector<std::string> inputs;  // names of the channels
  std::vector<std::string> outputs;
  std::int64_t members = 0;  // samples in an answer: heads, networks, masks; 0 when the method has none
  bool has_trust = false;    // whether it was calibrated to judge its answers
  // The probability with which a band contains a whole field, or each of its values; 0: no bands.
  double band_coverage = 0;
  std::vector<LawInfo> laws;
  std::vector<double> lower, upper;  // bounds of each output channel, infinite where there is none; or empty

  std::string architecture;
  std::int64_t width = 0;
  std::int64_t networks = 0;
  std::int64_t weights = 0;  // of each network
  std::string network;       // all options of a network, as one line of JSON (docs/model-file.md)
  int format_version = 0;    // of its file
  std::optional<BandInfo> band;
  std::optional<TrustInfo> trust;
  std::optional<SizingInfo> sizing;
  std::vector<ProjectionInfo> projections;  // that the model knows the size of sigma after
  // How "bounded" spreads its corrections: by this power of sigma, 0 evenly; 2 unless calibrated.
  double law_spread = 2;
  NormalisationInfo input_normalisation, output_normalisation;
  std::optional<RolloutInfo> rollout;
};

// What predict() returns when it is not given memory. In double, row-major.
struct Answer {
  std::vector<std::int64_t> shape;  // [samples, axes..., channels]
  std::vector<double> mean;
  std::vector<double> deviation;  // standard
  std::vector<double> samples;    // [samples, members, axes..., channels]; empty unless asked for
  std::vector<Trust> trust;       // one per sample; empty when the model is not calibrated
  std::vector<double> band;       // half widths: mean +- band; empty when the model has none for this grid
};

// Where predict() writes; what is absent or null is left out.
struct Outputs {
  Output mean;
  Output deviation;
  Output samples;
  double* score = nullptr;          // one per sample
  std::int32_t* verdict = nullptr;  // one per sample, a value of Verdict
  Output band = {};                 // half widths of bands with the model's coverage
  // Three per sample, as in Trust: spread, law, novelty; not a number where one is not heard.
  double* witnesses = nullptr;
  std::vector<Trust>* trust = nullptr;  // one per sample, with reasons
  const Known* known = nullptr;         // for trust; may be null
};

class NOUQ_API Model {
 public:
  // Files are not trusted: a damaged one is refused with the reason.
  static Model load(const std::string& path);
  explicit Model(std::shared_ptr<SharedModel> shared);
  // One file, replaced in one step: a reader sees the old one or the new one.
  void save(const std::string& path) const;
  // What tells two model files apart: the checksum in the file, 16 hexadecimal digits.
  static std::string fingerprint(const std::string& path);

  // The same model with sigma sized otherwise: "none" as the method gives it (trust and bands, which are
  // calibrated for the sized one, are then not there), "data" by held-out samples alone, "law" also by the
  // law. Throws when the model does not have what is asked for.
  [[nodiscard]] Model sized(const std::string& sizing) const;

  [[nodiscard]] ModelInfo info() const;
  // What is known about its making: settings, seeds, data.
  [[nodiscard]] const std::map<std::string, std::string>& facts() const;
  // Per network ("network.0") [epochs, 3]: training loss, validation loss, learning rate.
  [[nodiscard]] const std::map<std::string, Array<double>>& history() const;
  [[nodiscard]] const Grid& grid() const;  // it was trained on
  [[nodiscard]] const std::vector<Channel>& inputs() const;
  [[nodiscard]] const std::vector<Channel>& outputs() const;
  [[nodiscard]] const std::vector<Channel>& parameters() const;  // of the training data; may be none
  // Least and greatest values in the training data: [inputs, 2] and [parameters, 2].
  [[nodiscard]] const Array<double>& input_range() const;
  [[nodiscard]] const Array<double>& parameter_range() const;
  [[nodiscard]] Laws laws() const;                          // of its outputs, by the name of their values
  [[nodiscard]] const std::vector<Bounds>& bounds() const;  // one per output channel, or none
  [[nodiscard]] std::map<std::string, std::string> provenance() const;  // of the training data
  // What the method and the calibrations keep, by name: "trust.reference", "law.noise", ...
  [[nodiscard]] const std::map<std::string, Array<double>>& state() const;
  // For one call of predict(); 1 unless set, 0 means all cores.
  void set_threads(int threads);

  // The shape of the answer, [samples, axes..., channels]; throws as predict() would.
  [[nodiscard]] std::vector<std::int64_t> answer_shape(const Input& inputs) const;
  // Whether it has bands on the grid of these inputs; those are for as many points as the trained grid has.
  [[nodiscard]] bool has_band(const Input& inputs) const;
  [[nodiscard]] Answer predict(const Input& inputs, bool samples = false, const Known& known = {}) const;
  void predict(const Input& inputs, const Outputs& outputs) const;

  [[nodiscard]] SharedModel& shared() const { return *shared_; }

 private:
  std::shared_ptr<SharedModel> shared_;
};

}  // namespace nouq

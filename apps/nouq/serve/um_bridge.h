// UM-Bridge 1.0: the protocol by which tools of uncertainty quantification ask models
// (Seelinger et al., UM-Bridge: Uncertainty quantification and modeling bridge, JOSS 8(83), 2023).
//
// A model has one input vector: its parameters, or where it has none its input field, flat. Its output
// vectors are mean, standard deviation, trust ([score, verdict 0, 1 or 2], of models that judge) and, when
// the config asks for a coverage, the half width of the band. Contract: as ServeService. Gradients are of the
// mean as predicted.
#pragma once

#include <string>

#include "serve/request.h"
#include "serve/served_model.h"

namespace nouq::cli::um_bridge {

// Each makes the text of an answer from a request that names the model.
std::string model_info(const ServedModel& model, const Json& request);
std::string input_sizes(const ServedModel& model, const Json& request);
std::string output_sizes(const ServedModel& model, const Json& request);
std::string evaluate(const ServedModel& model, const Json& request);
std::string gradient(const ServedModel& model, const Json& request);
std::string apply_jacobian(const ServedModel& model, const Json& request);

}  // namespace nouq::cli::um_bridge

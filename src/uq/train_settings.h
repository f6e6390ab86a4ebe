// The settings of a training (nouq/settings.h) described once, and turned into what a fit takes.
//
// Why: command line, TOML, JSON in model files, Python's keywords, stubs, comparison and the docs' tables are
// made from `describe`. Options of methods and architectures are declared by them; here they are brought
// together. Contract: `resolve` refuses an option that is not declared; one that the chosen method does not
// have is no error, since a file may serve several methods: `notes_on` says so.
#pragma once

#include <nouq/settings.h>
#include <nouq/train.h>  // describe

#include "config/declared_options.h"
#include "uq/defaults.h"
#include "uq/selection.h"

namespace nouq {

// One line of JSON of what is not at its default and matters for the result.
std::string to_json(const TrainSettings& settings);

// What all methods declare, and all architectures.
const DeclaredOptions& method_options();
DeclaredOptions network_options();

// `from`: a surrogate to go on from, whose method, networks and normalisation are kept; must outlive the fit.
// Throws on options that are unknown or that the data do not allow, e.g. more modes than an axis has.
FitOptions resolve(const TrainSettings& settings, const DataSet& train, const Surrogate* from = nullptr);

// Throws when the method's options need unlabelled inputs and there are none.
void require_unlabelled(const FitOptions& fit);

// Options that were changed and do nothing, what the method has to say, that short fits will follow, and
// which of the usual calibrations so few samples do not allow.
std::vector<SettingsNote> notes_on(const TrainSettings& settings, const FitOptions& fit,
                                   const CalibrationOptions& planned, Index training, Index held_out);

std::vector<SettingsNote> notes_on(const SelectSettings& settings, const std::string& method);

SelectionGrid resolve(const SelectSettings& settings);

// What so many held-out samples allow. Throws when a level that was asked for needs more of them; the usual
// levels are left out where they do.
CalibrationOptions calibration_of(const TrainSettings& settings, Index held_out);

}  // namespace nouq

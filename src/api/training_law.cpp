#include "api/training_law.h"

#include "core/error.h"
#include "data/laws.h"
#include "physics/physics.h"

namespace nouq {
namespace {

FieldRows rows_of(const LinearConstraints& law, const Array<double>& noise) {
  FieldRows rows;
  std::vector<Index> owner(law.points, -1);
  for (Index r = 0; r < law.rows(); ++r) {
    for (const RowEntry& entry : law.row(r)) {
      Index& other = owner[entry.point];
      require(other < 0,
              "project-in-training: '{}' and '{}' sum over the same points, expected laws that share none",
              other < 0 ? "" : law.names[other], law.names[r]);
      other = r;
      rows.place.push_back(entry.point);
      rows.weight.push_back(entry.weight);
    }
    rows.begin.push_back(std::ssize(rows.place));
    rows.noise.push_back(noise[r]);
  }
  return rows;
}

}  // namespace

std::shared_ptr<const TrainingLaw> training_law(const DataSet& training) {
  TrainingLaw law;
  for (const auto& [name, words] : laws_of(training)) {
    if (training.constraint_values.contains(name)) law.names.push_back(name);
  }
  require(!law.names.empty(),
          "project-in-training: the training data have no values of a conservation law to project onto");
  law.rows = rows_of(physics_of(training).constraints, law_noise(training));
  return std::make_shared<const TrainingLaw>(std::move(law));
}

}  // namespace nouq

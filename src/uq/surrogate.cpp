#include "uq/surrogate.h"

namespace nouq {

const Array<double>& state_array(const Surrogate& surrogate, const std::string& name) {
  const auto found = surrogate.state.find(name);
  require(found != surrogate.state.end(), "the {} model lacks '{}'", surrogate.method, name);
  return found->second;
}

double state_number(const Surrogate& surrogate, const std::string& name) {
  const Array<double>& array = state_array(surrogate, name);
  require(array.size() == 1, "the {} model's '{}' has shape {}: expected one number", surrogate.method, name,
          to_string(array.shape()));
  return array[0];
}

Array<double> number(double value) { return Array<double>(Shape{1}, std::vector<double>{value}); }

}  // namespace nouq

#include "uq/method.h"

#include <algorithm>

#include <nouq/train.h>  // MethodInfo

#include "core/error.h"
#include "core/names.h"

namespace nouq {

#define NOUQ_METHOD(name) std::unique_ptr<Method> make_##name();
#include "uq/methods.def"
#undef NOUQ_METHOD

namespace {

const std::vector<std::unique_ptr<Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<Method>> list;
#define NOUQ_METHOD(name) list.push_back(make_##name());
#include "uq/methods.def"
#undef NOUQ_METHOD
    return list;
  }();
  return all;
}

}  // namespace

bool MethodOptions::set(const std::string& option, const OptionValue& value) {
  OptionTable table(name, "");
  find_method(name).describe(table, *this);
  const Option* found = table.find(option);
  if (found != nullptr) assign(*found, value.values(), option);
  return found != nullptr;
}

OptionValue MethodOptions::get(const std::string& option) const {
  MethodOptions copy = *this;
  OptionTable table(name, "");
  find_method(name).describe(table, copy);
  const Option* found = table.find(option);
  require(found != nullptr, "the method {} has no option {}", name, option);
  return found->load();
}

void Method::finish(const MethodOptions& /*options*/, const ScaledData& /*train*/, int /*threads*/,
                    Surrogate& /*surrogate*/) const {}

std::vector<SettingsNote> Method::notes(const MethodOptions& /*options*/,
                                        const TrainerOptions& /*base*/) const {
  return {};
}

MeanRule Method::mean_rule(const Surrogate& surrogate) const {
  return {surrogate.network.outputs / surrogate.channels()};
}

void Method::scale_epochs(MethodOptions& /*options*/, const std::function<Index(Index)>& /*scaled*/) const {}

UnlabelledInputs Method::unlabelled(const MethodOptions& /*options*/) const { return {}; }

void Method::recover(const Surrogate& /*surrogate*/, MethodOptions& /*options*/) const {}

std::vector<MethodInfo> method_list() {
  std::vector<MethodInfo> list;
  for (const std::string& name : method_names()) {
    const Method& method = find_method(name);
    list.push_back({name, std::string(method.summary()), std::string(method.count_means())});
  }
  return list;
}

std::vector<LossKind> Method::losses() const {
  return {LossKind::relative_l2, LossKind::relative_l2_squared};
}

std::vector<std::string> loss_labels() {
  std::vector<std::string> labels = {"auto"};
  for (const auto& method : methods()) {
    for (const LossKind kind : method->losses()) {
      if (std::find(labels.begin(), labels.end(), label(kind)) == labels.end())
        labels.emplace_back(label(kind));
    }
  }
  return labels;
}

LossKind loss_of(const Method& method, std::string_view wanted) {
  const std::vector<LossKind> kinds = method.losses();
  if (wanted == "auto") return kinds.front();
  std::vector<std::string_view> labels;
  for (const LossKind kind : kinds) {
    if (label(kind) == wanted) return kind;
    labels.push_back(label(kind));
  }
  fail("loss {}: the method {} has {}", wanted, method.name(), fmt::join(labels, ", "));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& method : methods()) names.emplace_back(method->name());
  return names;
}

const Method& find_method(std::string_view name) {
  for (const auto& method : methods()) {
    if (method->name() == name) return *method;
  }
  fail_unknown_name("method", name, method_names());
}

void check(const Surrogate& surrogate) {
  const Method& method = find_method(surrogate.method);
  validate(surrogate);
  method.check(surrogate);
}

// Steps of the golden ratio: no two networks of any two small seeds share a seed.
std::uint64_t member_seed(std::uint64_t seed, Index k) {
  return seed + static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15ULL;
}

}  // namespace nouq

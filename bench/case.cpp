#include "case.h"

#include <nouq/random.h>

#include "kernels/rows.h"
#include "nn/architecture.h"

namespace nouq::bench {

Case::Case(const NetworkOptions& options, const Shape& grid, Index batch, int threads)
    : network_(options, grid, threads), batch_(batch), loss_{LossKind::relative_l2, 1, options.outputs} {
  const std::size_t size = network_.layout().size();
  for (auto* buffer : {&weights_, &first_, &second_}) {
    buffer->resize(size);
    buffer->fill(0.0F);
  }
  initialise(network_.layout(), 1, weights_.data());
  const std::size_t values = batch * network_.points();
  const Stream stream(1, Purpose::tests);
  inputs_.resize(values);
  targets_.resize(values);
  for (std::size_t i = 0; i < values; ++i) {
    inputs_[i] = stream.uniform_float(i);
    targets_[i] = stream.uniform_float(i + values) + 0.5F;
  }
  losses_.resize(batch);
}

// As the Trainer does it.
void Case::step() {
  const AdamStep how{.step = ++steps_};
  network_.loss_gradient_in_parts(
      weights_.data(), inputs_.data(), targets_.data(), batch_, loss_, losses_,
      [&](Index first, Index count, const float* gradient) {
        const Index next = first + count, ahead = std::min(count, std::ssize(weights_) - next);
        fetch_to_write(first_.data() + next, ahead);
        fetch_to_write(second_.data() + next, ahead);
        adam(how, gradient, count, weights_.data() + first, first_.data() + first, second_.data() + first);
      });
}

void Case::run(Work work) {
  if (work == Work::step) return step();
  if (work == Work::evaluation) {
    network_.loss(weights_.data(), inputs_.data(), targets_.data(), batch_, loss_, losses_);
    return;
  }
  outputs_.resize(inputs_.size() * static_cast<std::size_t>(network_.options().outputs));
  network_.predict(weights_.data(), inputs_.data(), batch_, outputs_.data());
}

double Case::milliseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  run(work);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double Case::megabytes() const {
  return 1e-6 * (static_cast<double>(network_.memory()) + 3.0 * 4.0 * static_cast<double>(weights_.size()));
}

NetworkOptions make_options(const std::string& architecture, Index width, const std::vector<Index>& modes) {
  NetworkOptions options;
  options.architecture = architecture;
  for (const ArchitectureSetting& setting : find_architecture(architecture).settings())
    options.extra[setting.name] = setting.value;
  options.width = width;
  options.modes = modes;
  options.padding.assign(modes.size(), Padding{});
  return options;
}

}  // namespace nouq::bench

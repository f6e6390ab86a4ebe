// The architecture "axial": a small neural operator, one spectral layer per axis and a pointwise linear layer
// in each block,
//
//   h  <-  h + gelu( sum over axes of K_j h  +  h W + b )
//
// after a linear lift of the inputs alone. It pads nothing, so it suits periodic fields; it has no settings
// of its own. A trunk is: where its tensors lie, a forward pass, and the adjoint of each of its steps in
// reverse order.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <nouq/architecture.h>
#include <nouq/kernels.h>

template <class T>
class AxialTrunk final : public nouq::Trunk<T> {
 public:
  explicit AxialTrunk(const nouq::TrunkPlace& place)
      : inputs_(place.options.input_channels),
        width_(place.options.width),
        points_(1),
        threads_(place.threads),
        order_(nouq::axis_0_fastest(place.grid)),
        dense_size_(place.tensors.dense_size()),
        trunk_size_(place.tensors.trunk_dense_size()),
        lift_(place.tensors.offset("lift.weight")),
        lift_bias_(place.tensors.offset("lift.bias")) {
    for (const nouq::Index n : place.grid) points_ *= n;
    for (nouq::Index b = 0; b < place.options.blocks; ++b) {
      const std::string name = "blocks." + std::to_string(b) + ".";
      Block block{place.tensors.offset(name + "weight"), place.tensors.offset(name + "bias"), {}, {}};
      for (std::size_t axis = 0; axis < place.grid.size(); ++axis) {
        block.spectral.push_back(place.tensors.offset(name + "spectral" + std::to_string(axis)));
        block.layers.emplace_back(place.grid, axis, place.options.modes[axis], width_);
      }
      blocks_.push_back(std::move(block));
    }
    for (const auto& layer : blocks_[0].layers) {
      scratch_size_ = std::max(scratch_size_, layer.scratch_size());
      coefficient_size_ += layer.coefficient_size();
    }
  }

  void forward(const T* parameters, const T* inputs, nouq::Index batch, bool /*keep*/) override {
    reserve(batch);
    for (Block& block : blocks_) {
      for (std::size_t j = 0; j < block.layers.size(); ++j)
        block.layers[j].prepare(parameters + block.spectral[j]);
    }
    nouq::for_each_index(threads_, batch, [&](nouq::Index s) { forward_one(parameters, inputs, s); });
  }

  const T* output(nouq::Index sample) const override { return field(sample, blocks_.size()); }
  const std::vector<nouq::Index>& point_order() const override { return order_; }
  T* output_gradient(nouq::Index sample) override { return gradients_.data() + sample * points_ * width_; }
  typename nouq::Trunk<T>::Run gradient_run() const override { return {points_, points_ * width_}; }

  void backward(const T* parameters, nouq::Index batch, T* partials, T* /*gradient*/,
                T* input_gradient) override {
    nouq::for_each_index(threads_, batch, [&](nouq::Index s) {
      backward_one(parameters, s, partials + s * dense_size_,
                   input_gradient ? input_gradient + s * points_ * inputs_ : nullptr);
    });
  }

  std::size_t memory() const override {
    return sizeof(T) * (fields_.size() + derivatives_.size() + coefficients_.size() + rows_.size() +
                        gradients_.size() + scratch_.size());
  }

 private:
  struct Block {
    nouq::Index weight, bias;
    std::vector<nouq::Index> spectral;
    std::vector<nouq::AxisConvolution<T>> layers;
  };

  void reserve(nouq::Index batch) {
    const auto blocks = static_cast<nouq::Index>(blocks_.size());
    const auto grow = [](std::vector<T>& values, nouq::Index size) {
      if (static_cast<nouq::Index>(values.size()) < size) values.resize(static_cast<std::size_t>(size));
    };
    grow(fields_, batch * (blocks + 1) * points_ * width_);
    grow(derivatives_, batch * blocks * points_ * width_);
    grow(coefficients_, batch * blocks * coefficient_size_);
    grow(rows_, batch * points_ * inputs_);
    grow(gradients_, batch * points_ * width_);
    grow(scratch_, threads_ * (scratch_size_ + points_ * width_));
  }
  // The field before block b of one sample; after the last block: b = blocks.
  T* field(nouq::Index sample, std::size_t b) {
    return fields_.data() +
           (sample * static_cast<nouq::Index>(blocks_.size() + 1) + static_cast<nouq::Index>(b)) * points_ *
               width_;
  }
  const T* field(nouq::Index sample, std::size_t b) const {
    return const_cast<AxialTrunk*>(this)->field(sample, b);
  }
  T* derivative(nouq::Index sample, std::size_t b) {
    return derivatives_.data() +
           (sample * static_cast<nouq::Index>(blocks_.size()) + static_cast<nouq::Index>(b)) * points_ *
               width_;
  }
  T* coefficients(nouq::Index sample, std::size_t b) {
    return coefficients_.data() +
           (sample * static_cast<nouq::Index>(blocks_.size()) + static_cast<nouq::Index>(b)) *
               coefficient_size_;
  }
  T* scratch() { return scratch_.data() + nouq::worker_index() * (scratch_size_ + points_ * width_); }

  void forward_one(const T* parameters, const T* inputs, nouq::Index s) {
    T* rows = rows_.data() + s * points_ * inputs_;
    for (nouq::Index p = 0; p < points_; ++p)
      std::copy_n(inputs + (s * points_ + order_[static_cast<std::size_t>(p)]) * inputs_, inputs_,
                  rows + p * inputs_);
    nouq::multiply(nouq::Product<T>{points_, width_, inputs_, rows, inputs_, 1, parameters + lift_, width_,
                                    field(s, 0), width_, parameters + lift_bias_});
    T* work = scratch();
    T* sum = work + scratch_size_;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const T* before = field(s, b);
      T* after = field(s, b + 1);
      nouq::multiply(nouq::Product<T>{points_, width_, width_, before, width_, 1,
                                      parameters + blocks_[b].weight, width_, sum, width_,
                                      parameters + blocks_[b].bias});
      T* kept = coefficients(s, b);
      for (const auto& layer : blocks_[b].layers) {
        layer.forward(before, kept, sum, work);
        kept += layer.coefficient_size();
      }
      nouq::gelu_with_derivative(sum, points_ * width_, after, derivative(s, b));
      nouq::add_elements(before, points_ * width_, after);
    }
  }

  void backward_one(const T* parameters, nouq::Index s, T* partial, T* input_gradient) {
    std::fill_n(partial, trunk_size_, T(0));
    T* d = output_gradient(s);  // after block b, then before it
    T* work = scratch();
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      const Block& block = blocks_[b];
      T* dz = derivative(s, b);  // takes the gradient before the GELU
      for (nouq::Index i = 0; i < points_ * width_; ++i) dz[i] *= d[i];
      nouq::add_rows(dz, points_, width_, partial + block.bias);
      nouq::multiply(nouq::Product<T>{width_, width_, points_, field(s, b), 1, width_, dz, width_,
                                      partial + block.weight, width_, nullptr, true});
      add_through_linear(parameters + block.weight, dz, d);
      const T* kept = coefficients(s, b);
      for (std::size_t j = 0; j < block.layers.size(); ++j) {
        block.layers[j].backward(dz, kept, d, partial + block.spectral[j], work);
        kept += block.layers[j].coefficient_size();
      }
    }
    const T* rows = rows_.data() + s * points_ * inputs_;
    nouq::add_rows(d, points_, width_, partial + lift_bias_);
    nouq::multiply(nouq::Product<T>{inputs_, width_, points_, rows, 1, inputs_, d, width_, partial + lift_,
                                    width_, nullptr, true});
    if (input_gradient != nullptr) input_gradient_of(parameters, d, input_gradient);
  }

  // d += dz W'. Sums of `width` numbers: not worth a transposed copy here.
  void add_through_linear(const T* weight, const T* dz, T* d) const {
    for (nouq::Index p = 0; p < points_; ++p)
      for (nouq::Index i = 0; i < width_; ++i) {
        T sum = 0;
        for (nouq::Index o = 0; o < width_; ++o) sum += dz[p * width_ + o] * weight[i * width_ + o];
        d[p * width_ + i] += sum;
      }
  }
  void input_gradient_of(const T* parameters, const T* d, T* out) const {
    for (nouq::Index p = 0; p < points_; ++p)
      for (nouq::Index i = 0; i < inputs_; ++i) {
        T sum = 0;
        for (nouq::Index o = 0; o < width_; ++o)
          sum += d[p * width_ + o] * parameters[lift_ + i * width_ + o];
        out[order_[static_cast<std::size_t>(p)] * inputs_ + i] = sum;
      }
  }

  nouq::Index inputs_, width_, points_;
  int threads_;
  std::vector<nouq::Index> order_;
  nouq::Index dense_size_, trunk_size_, lift_, lift_bias_;
  nouq::Index scratch_size_ = 0, coefficient_size_ = 0;
  std::vector<Block> blocks_;
  std::vector<T> fields_, derivatives_, coefficients_, rows_, gradients_, scratch_;
};

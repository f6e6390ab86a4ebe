// Reads arrays and attributes from an HDF5 file that is not trusted.
//
// Why: libhdf5 allocates what a file declares and follows where its links lead. Here every array is checked
// first: only hard links inside the file; no external or virtual storage; only the filters deflate, shuffle,
// fletcher32 and LZF; only IEEE floats and plain integers; and no more bytes than the file justifies (stored
// bytes, times 1032 for deflate or 88 for LZF, and never above `largest_unpacked`; and all arrays together
// cannot claim more stored bytes than the file has, as when one array is linked under many names). Contract:
// needs a Session that outlives it. Errors name the file and the array. What remains is libhdf5's own
// robustness: see docs/data-format.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/data.h>

#include "data/file_format.h"
#include "data/hdf5_handle.h"

namespace nouq::hdf5 {

inline constexpr std::uint64_t largest_unpacked = 1ULL << 36U;  // 64 GiB of one compressed array
inline constexpr std::uint64_t largest_attribute = 1ULL << 24U;
inline constexpr std::uint64_t most_variable_texts = 1024;  // of variable length in one attribute

// IEEE float32 or float64 or a two's complement integer, of either byte order.
bool is_standard_number(hid_t type);

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path);
  // A file in memory; `source` stands for its name.
  Reader(std::span<const std::byte> image, std::string source);

  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] std::string label(const std::string& name) const;
  // Whether the object exists; throws when the way to it leads over a soft or external link.
  [[nodiscard]] bool has(const std::string& name) const;
  // The names in a group, sorted.
  [[nodiscard]] std::vector<std::string> names(const std::string& group) const;

  // The shape after all checks, without reading.
  [[nodiscard]] Shape shape(const std::string& name) const;
  template <class T>
  [[nodiscard]] Array<T> read(const std::string& name, LoadReport* report = nullptr) const;
  // `count` rows of the first axis from `first` on, into a buffer of exactly their size.
  void read_rows(const std::string& name, Index first, Index count, std::span<float> rows) const;
  // Says that float64 is rounded, when it is.
  void report_rounding(const std::string& name, LoadReport* report) const;

  // Attributes. Text may be of fixed or variable length, one value or a list.
  [[nodiscard]] std::optional<std::vector<std::string>> texts(const std::string& object,
                                                              const std::string& attribute) const;
  [[nodiscard]] std::optional<double> number(const std::string& object, const std::string& attribute) const;
  // All attributes that are one text or one number, as text.
  [[nodiscard]] std::map<std::string, std::string> scalars(const std::string& object) const;

 private:
  struct Dataset;
  [[nodiscard]] Dataset open(const std::string& name) const;
  [[nodiscard]] Handle open_object(const std::string& name) const;
  void charge(const std::string& name, std::uint64_t stored) const;
  [[nodiscard]] Handle open_attribute(const std::string& object, const std::string& attribute) const;

  Handle file_;
  std::string source_;
  std::uint64_t size_ = 0;
  mutable std::map<std::string, std::uint64_t> charged_;  // stored bytes of every array opened so far
  mutable std::uint64_t total_charged_ = 0;
};

// PDEBench's HDF5 layouts (Takamoto et al., 2022) as a data set.
//
// The mapping, in one sentence: axes are space first and time last, the inputs are the initial values (or the
// coefficient `nu` for Darcy flow) repeated along time, the outputs are the whole trajectory.

// Whether the file has one of PDEBench's layouts.
bool is_pdebench(const Reader& file);
DataSet read_pdebench(const Reader& file, LoadReport* report);

}  // namespace nouq::hdf5

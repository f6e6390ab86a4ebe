// LZF, h5py's own compression: PDEBench's files with one group per sample use it, and libhdf5 lacks it.
//
// Contract: decompression only. Every step is checked against both buffers, and the output is measured before
// it is allocated (LZF yields at most 88 bytes per byte).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace nouq::hdf5 {

inline constexpr int lzf_filter_id = 32000;  // registered with The HDF Group by h5py
inline constexpr std::size_t lzf_ratio = 88;

// Makes the decoder known to libhdf5 unless that is done already (by h5py in the same process).
void register_lzf();

// The number of bytes that come out, or nothing when the input is malformed.
std::optional<std::size_t> lzf_size(std::span<const unsigned char> packed);
// `output` must have exactly that size.
void lzf_decode(std::span<const unsigned char> packed, std::span<unsigned char> output);

}  // namespace nouq::hdf5

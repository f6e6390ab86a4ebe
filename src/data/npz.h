// NPZ: a data set as numpy arrays in one ZIP file. docs/data-format.md describes the layout.
//
// Why: numpy.savez writes it and numpy.load reads it, and our reader trusts nothing in it: prefer it for
// files from strangers. Contract: what was saved is loaded bit for bit; the same data gives the same file,
// byte for byte. A loaded set has passed `validate`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include <nouq/data.h>

#include "data/file_format.h"
#include "data/zip.h"

namespace nouq {

DataSet load_npz(const std::filesystem::path& path, LoadReport* report = nullptr);
void save_npz(const std::filesystem::path& path, const DataSet& data,
              Compression compression = Compression::none);

// The same from bytes in memory; `source` stands for the file's name in messages. Of a `mapping`, whose bytes
// these are, no more than a piece is held in memory at a time.
DataSet read_npz(std::span<const std::byte> file, const std::string& source, LoadReport* report = nullptr,
                 const MappedFile* mapping = nullptr);

}  // namespace nouq

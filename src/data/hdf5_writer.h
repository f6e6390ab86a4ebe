// Writes arrays and attributes into a new HDF5 file.
//
// Contract: needs a Session that outlives it. Little-endian, contiguous, without time stamps: the same data
// gives the same bytes with the same libhdf5. Text is UTF-8 of fixed length. The file is complete only after
// `close`, which throws when the disk was full.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/array.h"
#include "data/hdf5_handle.h"

namespace nouq::hdf5 {

class Writer {
 public:
  // `path` must not exist; `target` is the name that messages use (the file's final one).
  Writer(const std::filesystem::path& path, std::string target);
  void add_group(const std::string& name);
  template <class T>
  void add(const std::string& name, const Array<T>& array);
  // One text, a list of texts (a scalar is a list marked so), one integer, on an object that exists.
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts);
  void attribute(const std::string& object, const std::string& name, int number);
  void close();

 private:
  void put(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* values);

  Handle file_;
  std::string target_;
};

}  // namespace nouq::hdf5

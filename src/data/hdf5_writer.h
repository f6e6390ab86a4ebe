// Writes arrays and attributes into a new HDF5 file.
//
// Contract: needs a Session that outlives it. Little-endian, contiguous, without time stamps: the same data
// gives the same bytes with the same libhdf5. Text is UTF-8 of fixed length. The file is made in memory;
// `finish` gives its bytes, which live as long as the writer and go to the disk as those of every other file
// do.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nouq/array.h>

#include "core/large_memory.h"
#include "data/hdf5_handle.h"

namespace nouq::hdf5 {

class Writer {
 public:
  // The file's memory, as libhdf5 leaves it behind.
  struct Image {
    struct Free {
      void operator()(std::byte* memory) const { release_array(memory); }
    };
    std::size_t size = 0;
    std::unique_ptr<std::byte, Free> memory;
  };

  // `target` is the name that messages use.
  explicit Writer(std::string target);
  void add_group(const std::string& name);
  template <class T>
  void add(const std::string& name, const Array<T>& array);
  // One text, a list of texts (a scalar is a list marked so), one integer, on an object that exists.
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts);
  void attribute(const std::string& object, const std::string& name, int number);
  std::span<const std::byte> finish();

 private:
  void put(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* values);

  std::unique_ptr<Image> image_;
  Handle file_;
  std::string target_;
};

}  // namespace nouq::hdf5

// Builds HDF5 files, good and bad, with libhdf5 itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nouq/array.h>

#include "data/hdf5_handle.h"

namespace nouq::test {

class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose),
        links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose) {
    H5Pset_create_intermediate_group(links_.get(), 1);
  }
  [[nodiscard]] hid_t id() const { return file_.get(); }
  [[nodiscard]] hid_t links() const { return links_.get(); }

  // An array of any type without values; `list` says how it is stored.
  hdf5::Handle declare(const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                       hid_t list = H5P_DEFAULT) {
    const hdf5::Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                             H5Sclose);
    return {H5Dcreate2(id(), name.c_str(), type, space.get(), links(), list, H5P_DEFAULT), H5Dclose};
  }
  Hdf5File& add(const std::string& name, const Array<float>& array, hid_t type = H5T_IEEE_F32LE,
                hid_t list = H5P_DEFAULT) {
    const auto dataset = declare(name, type, {array.shape().begin(), array.shape().end()}, list);
    H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data());
    return *this;
  }
  // Texts of variable length, as h5py writes them.
  Hdf5File& texts(const std::string& object, const std::string& name,
                  const std::vector<const char*>& values) {
    const hdf5::Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    const hsize_t count = values.size();
    return attribute(object, name, type.get(), hdf5::Handle(H5Screate_simple(1, &count, nullptr), H5Sclose),
                     values.data());
  }
  Hdf5File& number(const std::string& object, const std::string& name, double value) {
    return attribute(object, name, H5T_NATIVE_DOUBLE, hdf5::Handle(H5Screate(H5S_SCALAR), H5Sclose), &value);
  }

 private:
  Hdf5File& attribute(const std::string& object, const std::string& name, hid_t type,
                      const hdf5::Handle& space, const void* values) {
    const hdf5::Handle id(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), type, space.get(),
                                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                          H5Aclose);
    H5Awrite(id.get(), type, values);
    return *this;
  }

  hdf5::Handle file_;
  hdf5::Handle links_;
};

}  // namespace nouq::test

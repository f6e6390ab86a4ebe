#include "data/hdf5_writer.h"

#include <algorithm>
#include <cstring>

namespace nouq::hdf5 {
namespace {

Handle create_file(const std::filesystem::path& path, const std::string& target) {
  const Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 has no file access list");
  // From format 1.8 on an attribute may exceed 64 KiB: long provenance texts.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  const Handle creation = checked(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 has no file creation list");
  H5Pset_obj_track_times(creation.get(), false);
  return checked(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose,
                 "{}: cannot be created", target);
}

hid_t stored_type(float /*value*/) { return H5T_IEEE_F32LE; }
hid_t stored_type(double /*value*/) { return H5T_IEEE_F64LE; }
hid_t native_type(float /*value*/) { return H5T_NATIVE_FLOAT; }
hid_t native_type(double /*value*/) { return H5T_NATIVE_DOUBLE; }

Handle text_type(std::size_t size) {
  Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose, "HDF5 has no text type");
  H5Tset_size(type.get(), size);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t size = 1;  // HDF5 has no text of length zero
  for (const std::string& text : texts) size = std::max(size, text.size());
  return size;
}

}  // namespace

Writer::Writer(const std::filesystem::path& path, std::string target)
    : file_(create_file(path, target)), target_(std::move(target)) {}

void Writer::add_group(const std::string& name) {
  const Handle creation = checked(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "HDF5 has no group creation list");
  H5Pset_obj_track_times(creation.get(), false);
  checked(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose,
          "{}: group '{}' cannot be created", target_, name);
}

template <class T>
void Writer::add(const std::string& name, const Array<T>& array) {
  const std::vector<hsize_t> extents(array.shape().begin(), array.shape().end());
  const Handle space = checked(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                               H5Sclose, "{}: array '{}' has a shape HDF5 does not take", target_, name);
  const Handle creation = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "HDF5 has no array creation list");
  H5Pset_obj_track_times(creation.get(), false);
  const Handle dataset = checked(H5Dcreate2(file_.get(), name.c_str(), stored_type(T{}), space.get(),
                                            H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                                 H5Dclose, "{}: array '{}' cannot be created", target_, name);
  check(H5Dwrite(dataset.get(), native_type(T{}), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data()),
        "{}: array '{}' cannot be written", target_, name);
}

template void Writer::add<float>(const std::string&, const Array<float>&);
template void Writer::add<double>(const std::string&, const Array<double>&);

void Writer::put(const std::string& object, const std::string& name, hid_t type, hid_t space,
                 const void* values) {
  const Handle attribute =
      checked(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), type, space, H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT),
              H5Aclose, "{}: attribute '{}' of '{}' cannot be created", target_, name, object);
  check(H5Awrite(attribute.get(), type, values), "{}: attribute '{}' of '{}' cannot be written", target_,
        name, object);
}

void Writer::attribute(const std::string& object, const std::string& name, const std::string& text) {
  std::vector<char> memory(longest({text}), '\0');
  std::copy(text.begin(), text.end(), memory.begin());
  const Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose, "HDF5 has no scalar space");
  put(object, name, text_type(memory.size()).get(), space.get(), memory.data());
}

void Writer::attribute(const std::string& object, const std::string& name,
                       const std::vector<std::string>& texts) {
  const std::size_t size = longest(texts);
  std::vector<char> memory(size * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::memcpy(&memory[i * size], texts[i].data(), texts[i].size());
  const hsize_t count = texts.size();
  const Handle space = checked(H5Screate_simple(1, &count, nullptr), H5Sclose, "HDF5 has no list space");
  put(object, name, text_type(size).get(), space.get(), memory.data());
}

void Writer::attribute(const std::string& object, const std::string& name, int number) {
  const Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose, "HDF5 has no scalar space");
  const std::int32_t value = number;
  put(object, name, H5T_STD_I32LE, space.get(), &value);
}

void Writer::close() {
  check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "{}: cannot be written", target_);
  if (!file_.reset()) fail_internally("{}: cannot be closed (HDF5: {})", target_, reason());
}

}  // namespace nouq::hdf5

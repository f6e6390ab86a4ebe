#include "data/hdf5_writer.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "core/error.h"
#include "core/large_memory.h"

namespace nouq::hdf5 {
namespace {

// libhdf5 allocates the file's memory through these, which keep what is there when it closes the file.
void* grow(void* buffer, std::size_t size, H5FD_file_image_op_t /*why*/, void* image) {
  auto& kept = *static_cast<Writer::Image*>(image);
  try {
    return grow_array(buffer, std::exchange(kept.size, size), size);
  } catch (const std::exception&) {  // libhdf5 knows none
    return nullptr;
  }
}
void* allocate(std::size_t size, H5FD_file_image_op_t why, void* image) {
  return grow(nullptr, size, why, image);
}
void* copy(void* to, const void* from, std::size_t size, H5FD_file_image_op_t /*why*/, void* /*image*/) {
  return std::memcpy(to, from, size);
}
herr_t release(void* buffer, H5FD_file_image_op_t why, void* image) {
  auto& kept = *static_cast<Writer::Image*>(image);
  if (why == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
    kept.memory.reset(static_cast<std::byte*>(buffer));
  } else {
    release_array(buffer);
  }
  return 0;
}
void* same(void* image) { return image; }
herr_t keep(void* /*image*/) { return 0; }

// In memory: of a full disk libhdf5 says that all went well, or does not survive it.
Handle create_file(Writer::Image& image, const std::string& target) {
  const Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 has no file access list");
  // From format 1.8 on an attribute may exceed 64 KiB: long provenance texts.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  constexpr std::size_t growth = 1U << 20U;
  check(H5Pset_fapl_core(access.get(), growth, false), "{}: HDF5 cannot write to memory", target);
  H5FD_file_image_callbacks_t callbacks = {allocate, copy, grow, release, same, keep, &image};
  check(H5Pset_file_image_callbacks(access.get(), &callbacks), "{}: HDF5 cannot write to memory", target);
  const Handle creation = checked(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 has no file creation list");
  H5Pset_obj_track_times(creation.get(), false);
  return checked(H5Fcreate("nouq.h5", H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose,
                 "{}: cannot be created", target);
}

// The memory grows in pieces; the superblock (version 2 or 3) says where the file ends.
std::size_t end_of_file(std::span<const std::byte> bytes) {
  constexpr std::size_t at = 28;
  std::uint64_t end = 0;
  if (bytes.size() >= at + sizeof end) std::memcpy(&end, bytes.data() + at, sizeof end);
  return end;
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

Writer::Writer(std::string target)
    : image_(std::make_unique<Image>()), file_(create_file(*image_, target)), target_(std::move(target)) {}

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

std::span<const std::byte> Writer::finish() {
  check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "{}: cannot be written", target_);
  if (!file_.reset()) throw_failure("{}: cannot be closed (HDF5: {})", target_, reason());
  const std::span<const std::byte> image(image_->memory.get(), image_->memory ? image_->size : 0);
  const std::size_t end = end_of_file(image);
  if (end == 0 || end > image.size()) throw_failure("{}: HDF5 left no complete file", target_);
  return image.first(end);
}

}  // namespace nouq::hdf5

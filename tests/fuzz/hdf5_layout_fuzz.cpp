// Well-formed HDF5 files with arbitrary contents, so that the fuzzer works on our reader and not on libhdf5:
// the input is a list of instructions (arrays, groups, attributes, links) that are carried out with libhdf5.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "data/hdf5.h"
#include "data/hdf5_handle.h"
#include "data/hdf5_lzf.h"
#include "fuzz/fuzz.h"
#include "fuzz/hdf5_names.h"

namespace {

using namespace nouq;
using fuzz::Instructions;
using fuzz::names;
using hdf5::Handle;

constexpr std::array attributes = {"names",   "units", "name", "unit", "periodic", "format",
                                   "version", "beta",  "kind", "law",  "axes",     "channel"};

Handle number_type(Instructions& in) {
  const std::array<hid_t, 12> types = {H5T_IEEE_F32LE, H5T_IEEE_F32LE, H5T_IEEE_F32LE,  H5T_IEEE_F32BE,
                                       H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I8LE,    H5T_STD_U64BE,
                                       H5T_STD_I32LE,  H5T_C_S1,       H5T_STD_REF_OBJ, H5T_NATIVE_LDOUBLE};
  const Handle base(H5Tcopy(types.at(in.below(types.size()))), H5Tclose);
  if (in.byte() % 16 != 15) return {H5Tcopy(base.get()), H5Tclose};
  return {H5Tvlen_create(base.get()), H5Tclose};
}

std::vector<hsize_t> extents(Instructions& in) {
  std::vector<hsize_t> result;
  for (unsigned rank = in.below(6); rank > 0; --rank) {
    const unsigned size = in.byte();
    result.push_back(size < 250 ? size % 5 : hsize_t{1} << (size - 220));
  }
  return result;
}

Handle creation_list(Instructions& in, const std::vector<hsize_t>& shape) {
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const unsigned kind = in.byte() % 12;
  if (kind >= 6 && !shape.empty()) {
    std::vector<hsize_t> chunk(shape);
    for (hsize_t& extent : chunk) extent = std::clamp<hsize_t>(extent, 1, 1U + in.byte());
    H5Pset_chunk(list.get(), static_cast<int>(chunk.size()), chunk.data());
  }
  if (kind == 5) H5Pset_layout(list.get(), H5D_COMPACT);
  if (kind == 4) H5Pset_external(list.get(), "/etc/hostname", 0, H5F_UNLIMITED);
  if (kind == 7) H5Pset_deflate(list.get(), 6);
  if (kind == 8) H5Pset_shuffle(list.get());
  if (kind == 9) H5Pset_fletcher32(list.get());
  if (kind == 10) H5Pset_filter(list.get(), hdf5::lzf_filter_id, H5Z_FLAG_OPTIONAL, 0, nullptr);
  if (kind == 11) H5Pset_scaleoffset(list.get(), H5Z_SO_INT, 0);
  return list;
}

std::size_t byte_count(hid_t type, const std::vector<hsize_t>& shape) {
  std::size_t bytes = H5Tget_size(type);
  for (const hsize_t extent : shape) bytes *= extent;
  return bytes;
}

void add_array(hid_t file, Instructions& in) {
  const char* name = names.at(in.below(names.size())).data();
  const Handle type = number_type(in);
  const std::vector<hsize_t> shape = extents(in);
  const Handle list = creation_list(in, shape);
  const bool huge = std::any_of(shape.begin(), shape.end(), [](hsize_t extent) { return extent > 5; });
  if (huge) H5Pset_alloc_time(list.get(), H5D_ALLOC_TIME_LATE);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  const Handle space(shape.empty() ? H5Screate(in.byte() % 8 == 7 ? H5S_NULL : H5S_SCALAR)
                                   : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                     H5Sclose);
  const Handle dataset(H5Dcreate2(file, name, type.get(), space.get(), links.get(), list.get(), H5P_DEFAULT),
                       H5Dclose);
  const bool flat = H5Tget_class(type.get()) == H5T_FLOAT || H5Tget_class(type.get()) == H5T_INTEGER;
  if (dataset.get() < 0 || huge || !flat || in.byte() % 8 == 7) return;
  std::vector<std::byte> values(byte_count(type.get(), shape), std::byte{0});
  const auto given = in.take(std::min<std::size_t>(values.size(), in.byte()));
  std::copy(given.begin(), given.end(), values.begin());
  if (!values.empty()) H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void add_text(hid_t object, const char* name, Instructions& in) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  const bool variable = in.byte() % 2 == 1;
  const hsize_t count = in.below(4);
  const std::size_t length = 1 + in.below(12);
  H5Tset_size(type.get(), variable ? H5T_VARIABLE : length);
  H5Tset_strpad(type.get(), static_cast<H5T_str_t>(in.below(3)));
  H5Tset_cset(type.get(), in.byte() % 2 == 0 ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  const Handle space(count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  if (attribute.get() < 0) return;
  std::vector<std::string> texts(std::max<hsize_t>(count, 1), std::string(length, '\0'));
  std::vector<const char*> pointers;
  std::string flat;
  for (std::string& text : texts) {
    const auto given = in.take(length);
    if (!given.empty()) std::memcpy(text.data(), given.data(), given.size());
    pointers.push_back(text.c_str());
    flat += text;
  }
  H5Awrite(attribute.get(), type.get(), variable ? static_cast<const void*>(pointers.data()) : flat.data());
}

void add_attribute(hid_t file, Instructions& in) {
  const unsigned at = in.below(names.size() + 1);
  const char* name = attributes.at(in.below(attributes.size()));
  const Handle object(H5Oopen(file, at < names.size() ? names.at(at).data() : "/", H5P_DEFAULT), H5Oclose);
  if (object.get() < 0) return;
  if (in.byte() % 4 != 3) return add_text(object.get(), name, in);
  const Handle type = number_type(in);
  const hsize_t count = in.below(3);
  const Handle space(count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute(H5Acreate2(object.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  std::array<double, 8> values{};
  values[0] = in.byte();
  if (attribute.get() >= 0 && H5Tget_class(type.get()) == H5T_FLOAT)
    H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, values.data());
}

void add_link(hid_t file, Instructions& in) {
  const char* from = names.at(in.below(names.size())).data();
  const char* to = names.at(in.below(names.size())).data();
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  switch (in.below(4)) {
    case 0:
      H5Lcreate_soft(from, file, to, links.get(), H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_external("other.h5", from, file, to, links.get(), H5P_DEFAULT);
      break;
    case 2:
      H5Lcreate_hard(file, from, file, to, links.get(), H5P_DEFAULT);
      break;
    default:
      Handle(H5Gcreate2(file, to, links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }
}

std::vector<std::byte> build(Instructions in) {
  const hdf5::Session session;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), 1U << 14U, false);
  const Handle file(H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  while (!in.empty()) {
    switch (in.below(8)) {
      case 0:
        add_link(file.get(), in);
        break;
      case 1:
      case 2:
        add_attribute(file.get(), in);
        break;
      default:
        add_array(file.get(), in);
    }
  }
  H5Fflush(file.get(), H5F_SCOPE_LOCAL);
  std::vector<std::byte> image(std::max<ssize_t>(0, H5Fget_file_image(file.get(), nullptr, 0)));
  H5Fget_file_image(file.get(), image.data(), image.size());
  return image;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> image = build(Instructions(std::as_bytes(std::span(data, size))));
  fuzz::refuse_or_accept([&] { read_hdf5(image, "input"); });
  return 0;
}

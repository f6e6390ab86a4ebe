#include "data/hdf5_reader.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/error.h"
#include "core/file.h"
#include "data/hdf5_input.h"
#include "data/hdf5_lzf.h"
#include "data/zip.h"

namespace nouq::hdf5 {
namespace {

constexpr std::size_t chunk_cache = 64U << 20U;

Handle open_file(const std::string& name, hid_t access, const std::string& source) {
  return checked(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "{}: cannot be opened as HDF5",
                 source);
}

Handle file_access() {
  Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 has no file access list");
  H5Pset_cache(access.get(), 0, 521, chunk_cache, 0.75);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access.get(), false, true);  // files on read-only or network storage
#endif
  return access;
}

bool is_any(hid_t type, std::initializer_list<hid_t> known) {
  return std::any_of(known.begin(), known.end(), [&](hid_t one) { return H5Tequal(type, one) > 0; });
}

Shape read_extents(hid_t space, const std::string& label) {
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  require(kind == H5S_SIMPLE || kind == H5S_SCALAR, "{} is empty (it has no dataspace)", label);
  const int rank = H5Sget_simple_extent_ndims(space);
  require(rank >= 0 && rank <= H5S_MAX_RANK, "{} has an unreadable shape", label);
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  check(H5Sget_simple_extent_dims(space, extents.data(), nullptr), "{} has an unreadable shape", label);
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    require(extents[i] <= static_cast<hsize_t>(std::numeric_limits<Index>::max()),
            "{} has an extent too large to count", label);
    shape.push_back(static_cast<Index>(extents[i]));
  }
  return shape;
}

std::uint64_t byte_count(const Shape& shape, std::uint64_t item, const std::string& label) {
  std::uint64_t bytes = item;
  for (const Index extent : shape) {
    require(!__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes),
            "{} of shape {} has more bytes than can be counted", label, to_string(shape));
  }
  return bytes;
}

// How many bytes a stored byte may become; refuses filters that are not ours to run.
std::uint64_t unpacking_ratio(hid_t creation, const std::string& label) {
  const int filters = H5Pget_nfilters(creation);
  require(filters >= 0, "{} has an unreadable filter list", label);
  std::uint64_t ratio = 1;
  for (unsigned i = 0; i < static_cast<unsigned>(filters); ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, i, &flags, &values, nullptr, 0, nullptr, &config);
    if (filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32) continue;
    require(filter == H5Z_FILTER_DEFLATE || filter == lzf_filter_id,
            "{} uses HDF5 filter {}, expected deflate, shuffle, fletcher32 or LZF (plugins are not loaded)",
            label, static_cast<int>(filter));
    require(ratio == 1, "{} is compressed twice", label);
    ratio = filter == H5Z_FILTER_DEFLATE ? zip_format::deflate_ratio : lzf_ratio;
  }
  return ratio;
}

std::uint64_t chunk_bytes(hid_t creation, std::uint64_t item, const std::string& label) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, extents.data());
  require(rank >= 0 && rank <= H5S_MAX_RANK, "{} has an unreadable chunk shape", label);
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(static_cast<Index>(extents[i] & 0x7FFFFFFFFFFFFFFFU));
  return byte_count(shape, item, label + " (its chunks)");
}

void require_inside(hid_t creation, const std::string& label) {
  const H5D_layout_t layout = H5Pget_layout(creation);
  require(layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED,
          "{} is virtual: its values lie in other files, which are not opened", label);
  require(H5Pget_external_count(creation) == 0, "{} keeps its values in another file, which is not opened",
          label);
}

// Nothing may be read (and so allocated) beyond what the bytes in the file can account for.
void require_justified(hid_t dataset, hid_t creation, std::uint64_t bytes, std::uint64_t item,
                       std::uint64_t file, const std::string& label) {
  if (bytes == 0) return;
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  require(stored <= file, "{} claims {} stored bytes in a file of {}", label, stored, file);
  const bool chunked = H5Pget_layout(creation) == H5D_CHUNKED;
  const std::uint64_t ratio = chunked ? unpacking_ratio(creation, label) : 1;
  require(bytes / ratio <= stored, "{} declares {} bytes of values, but only {} are stored", label, bytes,
          stored);
  require(ratio == 1 || bytes <= largest_unpacked, "{} unpacks to {} bytes, more than the limit of {}", label,
          bytes, largest_unpacked);
  if (!chunked) return;
  const std::uint64_t chunk = chunk_bytes(creation, item, label);
  require(chunk / ratio <= stored && chunk <= largest_unpacked,
          "{} declares chunks of {} bytes, but only {} are stored", label, chunk, stored);
}

hid_t memory_type(float /*value*/) { return H5T_NATIVE_FLOAT; }
hid_t memory_type(double /*value*/) { return H5T_NATIVE_DOUBLE; }

}  // namespace

// libhdf5's conversions of invented formats are not worth their risk.
bool is_standard_number(hid_t type) {
  return is_any(type, {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I8LE,
                       H5T_STD_I8BE,   H5T_STD_U8LE,   H5T_STD_U8BE,   H5T_STD_I16LE,  H5T_STD_I16BE,
                       H5T_STD_U16LE,  H5T_STD_U16BE,  H5T_STD_I32LE,  H5T_STD_I32BE,  H5T_STD_U32LE,
                       H5T_STD_U32BE,  H5T_STD_I64LE,  H5T_STD_I64BE,  H5T_STD_U64LE,  H5T_STD_U64BE});
}

struct Reader::Dataset {
  Handle id;
  Handle type;
  Handle space;
  Shape shape;
};

Reader::Reader(const std::filesystem::path& path) : source_(path.string()) {
  require_file_name(path);
  std::error_code error;
  size_ = std::filesystem::file_size(path, error);
  require(!error, "cannot open {}: {}", source_, error.message());
  const Handle access = file_access();
  read_through_us(access.get());
  file_ = open_file(source_, access.get(), source_);
}

Reader::Reader(std::span<const std::byte> image, std::string source)
    : source_(std::move(source)), size_(image.size()) {
  const Handle access = file_access();
  check(H5Pset_fapl_core(access.get(), 1U << 16U, false), "{}: cannot be read from memory", source_);
  check(H5Pset_file_image(access.get(), const_cast<std::byte*>(image.data()), image.size()),
        "{}: cannot be read from memory", source_);
  file_ = open_file("image", access.get(), source_);
}

std::string Reader::label(const std::string& name) const {
  return fmt::format("{}: array '{}'", source_, name);
}

bool Reader::has(const std::string& name) const {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    const htri_t there = H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT);
    check(there, "{}: link '{}' is unreadable", source_, part);
    if (there == 0) return false;
    H5L_info_t link{};
    check(H5Lget_info(file_.get(), part.c_str(), &link, H5P_DEFAULT), "{}: link '{}' is unreadable", source_,
          part);
    require(link.type == H5L_TYPE_HARD, "{}: '{}' is a soft or external link; links are not followed",
            source_, part);
  }
  return true;
}

Handle Reader::open_object(const std::string& name) const {
  require(name == "/" || has(name), "{}: array '{}' is missing", source_, name);
  return checked(H5Oopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Oclose, "{}: '{}' cannot be opened",
                 source_, name);
}

std::vector<std::string> Reader::names(const std::string& group) const {
  const Handle id = open_object(group);
  require(H5Iget_type(id.get()) == H5I_GROUP, "{}: '{}' is not a group", source_, group);
  std::vector<std::string> result;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* to) noexcept -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  check(H5Literate(id.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &result),
        "{}: group '{}' cannot be listed", source_, group);
  std::sort(result.begin(), result.end());
  return result;
}

Reader::Dataset Reader::open(const std::string& name) const {
  const std::string text = label(name);
  Dataset dataset;
  dataset.id = open_object(name);
  require(H5Iget_type(dataset.id.get()) == H5I_DATASET, "{}: '{}' is not an array", source_, name);
  dataset.type = checked(H5Dget_type(dataset.id.get()), H5Tclose, "{} has an unreadable type", text);
  require(is_standard_number(dataset.type.get()),
          "{} has a type that is neither float32, float64 nor an integer", text);
  dataset.space = checked(H5Dget_space(dataset.id.get()), H5Sclose, "{} has an unreadable shape", text);
  dataset.shape = read_extents(dataset.space.get(), text);
  const std::uint64_t item = H5Tget_size(dataset.type.get());
  const std::uint64_t bytes = byte_count(dataset.shape, item, text);
  const Handle creation = checked(H5Dget_create_plist(dataset.id.get()), H5Pclose, "{} has no layout", text);
  require_inside(creation.get(), text);
  require_justified(dataset.id.get(), creation.get(), bytes, item, size_, text);
  charge(name, H5Dget_storage_size(dataset.id.get()));
  return dataset;
}

void Reader::charge(const std::string& name, std::uint64_t stored) const {
  if (!charged_.emplace(name, stored).second) return;
  total_charged_ += stored;
  require(total_charged_ <= size_, "{} and the arrays before it claim {} stored bytes in a file of {}",
          label(name), total_charged_, size_);
}

Shape Reader::shape(const std::string& name) const { return open(name).shape; }

template <class T>
Array<T> Reader::read(const std::string& name, LoadReport* report) const {
  const Dataset dataset = open(name);
  if (std::is_same_v<T, float>) report_rounding(name, report);
  Array<T> result(dataset.shape);
  if (result.empty()) return result;
  check(H5Dread(dataset.id.get(), memory_type(T{}), H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()),
        "{} cannot be read", label(name));
  return result;
}

template Array<float> Reader::read<float>(const std::string&, LoadReport*) const;
template Array<double> Reader::read<double>(const std::string&, LoadReport*) const;

void Reader::read_rows(const std::string& name, Index first, Index rows, std::span<float> values) const {
  const Dataset dataset = open(name);
  Shape block = dataset.shape;
  require(!block.empty() && first >= 0 && rows >= 1 && rows <= block[0] - first,
          "{} of shape {} has no samples {} to {}", label(name), to_string(dataset.shape), first,
          first + rows - 1);
  block[0] = rows;
  require(element_count(block) == std::ssize(values),
          "{} of shape {} has {} values in {} samples, expected {}", label(name), to_string(dataset.shape),
          element_count(block), rows, values.size());
  std::vector<hsize_t> start = {static_cast<hsize_t>(first)};
  start.resize(block.size(), 0);
  const std::vector<hsize_t> count(block.begin(), block.end());
  check(
      H5Sselect_hyperslab(dataset.space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
      "{}: sample {} cannot be selected", label(name), first);
  const hsize_t size = values.size();
  const Handle memory =
      checked(H5Screate_simple(1, &size, nullptr), H5Sclose, "{}: no memory space", label(name));
  check(H5Dread(dataset.id.get(), H5T_NATIVE_FLOAT, memory.get(), dataset.space.get(), H5P_DEFAULT,
                values.data()),
        "{} cannot be read from sample {} on", label(name), first);
}

void Reader::report_rounding(const std::string& name, LoadReport* report) const {
  if (is_any(open(name).type.get(), {H5T_IEEE_F64LE, H5T_IEEE_F64BE})) {
    notice(report, fmt::format("{}: float64 values were rounded to float32", label(name)));
  }
}

}  // namespace nouq::hdf5

#include "data/hdf5_input.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <new>

#include <sys/stat.h>

#include "core/descriptor.h"

namespace nouq::hdf5 {
namespace {

int last_error = 0;  // behind the Session's lock, as all of this

struct Input {
  H5FD_t library;  // first: the library knows no more of it
  Descriptor descriptor;
  haddr_t end_of_file = 0, end_of_addresses = 0;
};

Input& input_of(H5FD_t* file) { return *reinterpret_cast<Input*>(file); }
const Input& input_of(const H5FD_t* file) { return *reinterpret_cast<const Input*>(file); }

H5FD_t* open_input(const char* name, unsigned /*flags*/, hid_t /*access*/, haddr_t /*most*/) {
  Descriptor descriptor(name, O_RDONLY);
  struct stat status {};
  if (!descriptor.valid() || ::fstat(descriptor.get(), &status) != 0) return last_error = errno, nullptr;
  std::unique_ptr<Input> input(new (std::nothrow) Input{{}, std::move(descriptor)});
  if (input == nullptr) return last_error = ENOMEM, nullptr;
  input->end_of_file = static_cast<haddr_t>(status.st_size);
  return &input.release()->library;
}

herr_t close_input(H5FD_t* file) {
  delete &input_of(file);
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t /*type*/) { return input_of(file).end_of_addresses; }

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  input_of(file).end_of_addresses = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return input_of(file).end_of_file; }

// The library asks for what lies behind the end as well, and takes it for zeros.
herr_t read_input(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, std::size_t size,
                  void* to) {
  const Input& input = input_of(file);
  auto* bytes = static_cast<char*>(to);
  while (size > 0 && address < input.end_of_file) {
    const std::size_t part = std::min<haddr_t>(size, input.end_of_file - address);
    const ssize_t got = ::pread(input.descriptor.get(), bytes, part, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return last_error = got < 0 ? errno : ENODATA, -1;  // shorter than it was when it was opened
    bytes += got;
    address += static_cast<haddr_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  std::fill_n(bytes, size, '\0');
  return 0;
}

herr_t refuse_to_write(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t /*address*/,
                       std::size_t /*size*/, const void* /*from*/) {
  return -1;
}

hid_t register_driver() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // of those that the library does not use itself
#endif
  driver.name = "nouq input";
  driver.maxaddr = std::numeric_limits<off_t>::max();
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = open_input;
  driver.close = close_input;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read_input;
  driver.write = refuse_to_write;
  std::fill(std::begin(driver.fl_map), std::end(driver.fl_map), H5FD_MEM_SUPER);
  return H5FDregister(&driver);
}

}  // namespace

void read_through_us(hid_t access) {
  static hid_t driver = H5I_INVALID_HID;
  if (driver < 0 || H5Iis_valid(driver) <= 0) driver = register_driver();
  H5Pset_driver(access, driver, nullptr);
}

int input_error() { return last_error; }

void clear_input_error() { last_error = 0; }

}  // namespace nouq::hdf5

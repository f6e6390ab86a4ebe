#include "data/hdf5_handle.h"

#include <system_error>

#include "data/hdf5_input.h"
#include "data/hdf5_lzf.h"

namespace nouq::hdf5 {
namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  H5open();
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLget_loading_state(&plugins_);
  H5PLset_loading_state(0);
  register_lzf();
  clear_input_error();
}

Session::~Session() {
  H5PLset_loading_state(plugins_);
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

void fail_with_reason(const std::string& what) {
  if (input_error() != 0) throw_failure("{}: {}", what, std::generic_category().message(input_error()));
  fail("{} (HDF5: {})", what, reason());
}

std::string reason() {
  std::string text = "no reason given";
  const auto note = [](unsigned /*depth*/, const H5E_error2_t* error, void* result) noexcept -> herr_t {
    if (error->desc != nullptr) *static_cast<std::string*>(result) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note, &text);
  return text;
}

}  // namespace nouq::hdf5

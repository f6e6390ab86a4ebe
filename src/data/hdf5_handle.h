// The HDF5 C library, made safe to hold: handles that close themselves, and a session around every use.
//
// Why: libhdf5 is not thread-safe as packaged, prints its errors and may load plugins that a file asks for.
// When: make a Session first, in every entry point that touches HDF5; wrap every id in a Handle. Contract:
// within a Session this process's other threads wait, error printing and plugin loading are off, and both are
// put back as they were. Failures become nouq::Error with HDF5's own innermost reason.
#pragma once

#include <mutex>
#include <string>
#include <utility>

#include <hdf5.h>

#include "core/error.h"

namespace nouq::hdf5 {

class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
  unsigned plugins_ = 0;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] hid_t get() const { return id_; }
  // True when closing worked: for files being written it is the last chance to see that the disk is full.
  bool reset() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// Throws "<what> (<reason>)": the system's, where a file that is read could not be (a failure), or HDF5's
// innermost one (of the file, which the user may mend).
[[noreturn]] void fail_with_reason(const std::string& what);
std::string reason();

// Wraps an id; throws "<what>: <reason>" when the call failed.
template <class... Arguments>
Handle checked(hid_t id, Handle::Close close, fmt::format_string<Arguments...> what,
               Arguments&&... arguments) {
  if (id < 0) fail_with_reason(fmt::format(what, std::forward<Arguments>(arguments)...));
  return {id, close};
}

// The same for calls that return a status.
template <class... Arguments>
void check(herr_t status, fmt::format_string<Arguments...> what, Arguments&&... arguments) {
  if (status < 0) fail_with_reason(fmt::format(what, std::forward<Arguments>(arguments)...));
}

}  // namespace nouq::hdf5

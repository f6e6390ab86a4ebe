// How libhdf5 reads a file: through calls of ours.
//
// Why: of its own way, a read or a close that fails leaves the library in a state that ends the process at
// exit, and a failed read says the time of day instead of a reason. When: every file that is read. Contract:
// needs a Session. Closing does not fail. input_error() is the system's reason for the last failure to open
// or read, 0 where the system did all that was asked.
#pragma once

#include <hdf5.h>

namespace nouq::hdf5 {

// Has files of this access list read through our calls.
void read_through_us(hid_t access);

int input_error();
void clear_input_error();

}  // namespace nouq::hdf5

// What a loader did beyond reading: conversions, defaults and things it passed over.
//
// Why: the library never prints, yet a user must learn that float64 was rounded or that an array was ignored.
// When: pass a LoadReport to any loader; the command line shows the notices. Contract: a notice is one
// sentence that names the file and the array.
#pragma once

#include <nouq/data.h>  // LoadReport

namespace nouq {

inline void notice(LoadReport* report, std::string text) {
  if (report != nullptr) report->notices.push_back(std::move(text));
}

}  // namespace nouq

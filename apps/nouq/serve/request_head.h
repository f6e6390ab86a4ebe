// How many bytes the first request of a connection has, as far as its head says it.
//
// Why besides the HTTP library's own reading: it reads while it waits, and only whole requests are handed to
// it. Contract: a head that is too long, a body that is too long or of unknown length counts as complete
// after what is there: whoever answers refuses it, unread.
#pragma once

#include <cstddef>
#include <string_view>

namespace nouq::cli {

struct RequestExtent {
  bool complete = false;
  std::size_t head = 0;            // bytes up to and with the empty line; 0 while that has not come
  std::size_t size = 0;            // of the request, once it is complete
  bool wants_to_be_asked = false;  // Expect: 100-continue
};

RequestExtent extent_of(std::string_view bytes, std::size_t longest_head, std::size_t longest_body);

}  // namespace nouq::cli

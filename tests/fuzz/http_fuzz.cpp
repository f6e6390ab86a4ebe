// Requests of arbitrary bytes: the head says how long they are, and the body is JSON or refused.
#include <cstdlib>

#include "core/json_types.h"
#include "fuzz/fuzz.h"
#include "serve/request.h"
#include "serve/request_head.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nouq;
  constexpr std::size_t longest_head = 8192, longest_body = 100'000;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const cli::RequestExtent extent = cli::extent_of(bytes, longest_head, longest_body);
  if (extent.head > longest_head || extent.size > bytes.size() + longest_head + longest_body) std::abort();
  if (extent.complete && extent.head > 0 && extent.size > bytes.size()) std::abort();
  // What has come decides once it is complete: what comes behind it is the next request.
  if (extent.complete && extent.head > 0) {
    const auto alone = cli::extent_of(bytes.substr(0, extent.size), longest_head, longest_body);
    if (!alone.complete || alone.size != extent.size) std::abort();
  }
  const std::string_view body = bytes.substr(std::min(extent.head, bytes.size()));
  fuzz::refuse_or_accept([&] {
    try {
      (void)cli::parse_request(body);
    } catch (const cli::ProtocolError&) {  // refused with the name of the protocol
    }
  });
  return 0;
}

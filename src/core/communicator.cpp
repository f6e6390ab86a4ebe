#include "core/communicator.h"

#include <chrono>
#include <thread>

#include "core/error.h"

namespace nouq {
namespace {

Communicator one_process;
Communicator* present = &one_process;

}  // namespace

std::string Communicator::name_of(int rank) const { return fmt::format("rank {}", rank); }

void Communicator::post(int to, Bytes /*message*/) { throw_failure("there is no rank {} to write to", to); }

Communicator& ranks() { return *present; }

void use_ranks(Communicator* communicator) {
  present = communicator != nullptr ? communicator : &one_process;
}

bool leads(const Communicator& communicator) {
  return communicator.rank() == 0 && communicator.part().count == 1;
}

void release_others(const Communicator& communicator) {
  if (leads(communicator)) return;
  const Part part = communicator.part();
  throw Released(part.count == 1 ? ""
                                 : fmt::format("part {}/{} is done; when all parts are, the same command "
                                               "without --part puts them together",
                                               part.index, part.count));
}

std::string agreed(Communicator& communicator, std::string own) {
  if (communicator.rank() == 0) {
    for (int rank = 1; rank < communicator.size(); ++rank) communicator.post(rank, Packer().add(own).take());
    return own;
  }
  while (!communicator.dismissed()) {
    if (const auto mail = communicator.poll()) return Unpacker(mail->bytes).text();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  throw Released("");
}

}  // namespace nouq

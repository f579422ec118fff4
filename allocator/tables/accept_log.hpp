// The answers to a framework's newest ACCEPTs, so that one which is sent again is not carried out again
// (docs/PROTOCOL.md, "What must arrive").
#pragma once

#include <cstdint>
#include <map>

#include "proffer/messages/framework.hpp"

namespace proffer::allocator {

class AcceptLog {
 public:
  /// Null when it has no answer (any more).
  const Accepted* find(std::uint64_t accept) const;
  /// Older than all that are remembered, when the memory is full: nobody knows whether it was carried out.
  bool too_old(std::uint64_t accept) const;
  void remember(Accepted answer);
  void clear() { answers_.clear(); }

 private:
  std::map<std::uint64_t, Accepted> answers_;
};

}  // namespace proffer::allocator

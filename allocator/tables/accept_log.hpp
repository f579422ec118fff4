// The answers to a framework's newest ACCEPTs, so that an ACCEPT which is sent again is answered again, and
// not carried out again.
#pragma once

#include <cstdint>
#include <map>

#include "proffer/messages/framework.hpp"

namespace proffer::allocator {

class AcceptLog {
 public:
  /// Returns the answer to the ACCEPT of that number, or null when there is none (any more).
  const Accepted* find(std::uint64_t accept) const;
  /// Returns whether the ACCEPT is older than all that are remembered while the log is full: nobody knows
  /// then whether it was carried out.
  bool too_old(std::uint64_t accept) const;
  void remember(Accepted answer);
  void clear() { answers_.clear(); }

 private:
  std::map<std::uint64_t, Accepted> answers_;
};

}  // namespace proffer::allocator

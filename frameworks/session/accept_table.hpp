// ACCEPTs that wait for their ACCEPTED.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/session/resend.hpp"

namespace proffer::frameworks {

/// Numbers rise, and one is never used for two accepts.
class AcceptTable {
 public:
  struct Open {
    Accept accept;
    session::Resend resend;
    bool older_session = false;  ///< first sent in a session that is over; may have been carried out there
  };

  /// Gives an accept its number.
  const Accept& open(Accept accept, Duration retry, Time now);
  /// Takes out an accept that was answered. None when there is no such accept (any more).
  std::optional<Open> close(std::uint64_t number);
  /// Returns the accepts that are to be sent again now, in order, and sets their next time.
  std::vector<const Accept*> take_due(Time now);
  /// Makes all due at once, since a new session has begun.
  void new_session(Time now);
  void clear() { open_.clear(); }

  std::optional<Time> next_deadline() const;
  const std::map<std::uint64_t, Open>& all() const { return open_; }

 private:
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, Open> open_;
};

}  // namespace proffer::frameworks

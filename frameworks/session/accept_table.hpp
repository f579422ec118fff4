// ACCEPTs that wait for their ACCEPTED.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "frameworks/session/backoff.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer {

/// Numbers rise, and one is never used for two accepts.
class AcceptTable {
 public:
  struct Open {
    Accept accept;
    Resend resend;
    bool older_session = false;  ///< first sent in a session that is over; may have been carried out there
  };

  /// Gives it its number.
  const Accept& open(Accept accept, Duration retry, Time now);
  /// Answered: takes it out. None when there is no such accept (any more).
  std::optional<Open> close(std::uint64_t number);
  /// Those whose time to be sent again has come, in order; their next time is set.
  std::vector<const Accept*> take_due(Time now);
  /// A new session: all are to be sent again at once.
  void new_session(Time now);
  void clear() { open_.clear(); }

  std::optional<Time> next_deadline() const;
  const std::map<std::uint64_t, Open>& all() const { return open_; }

 private:
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, Open> open_;
};

}  // namespace proffer

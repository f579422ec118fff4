// SIGHUP as daemons take it: read the configuration again.
#pragma once

#include "live/os/event_fd.hpp"

namespace proffer::live {

/// Takes the SIGHUPs of this process for as long as it lives. At most one a process.
class Hangup {
 public:
  Hangup();
  ~Hangup();
  Hangup(const Hangup&) = delete;
  Hangup& operator=(const Hangup&) = delete;

  /// Readable from a signal on until received() is called.
  int fd() const { return event_.fd(); }
  /// Returns whether there were signals since the last call, however many.
  bool received() const { return event_.clear(); }

 private:
  EventFd event_;
};

}  // namespace proffer::live

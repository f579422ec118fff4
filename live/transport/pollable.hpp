// The view of a port that Poller needs. Port::native() points to one.
#pragma once

#include <optional>

#include "proffer/time.hpp"

namespace proffer::live {

class Pollable {
 public:
  virtual void* socket() const = 0;
  /// Tells of connections; wakes the loop as the socket does.
  virtual void* monitor() const = 0;
  /// True to wake when the socket can be written to.
  virtual bool wants_writable() const = 0;
  /// Returns when flush() is to be called again even if nothing happens.
  virtual std::optional<Duration> retry_after() const = 0;

 protected:
  ~Pollable() = default;
};

}  // namespace proffer::live

// A signal from one thread, or from a signal handler, to a thread that waits for descriptors.
#pragma once

#include "live/os/descriptor.hpp"

namespace proffer::live {

/// A descriptor (an eventfd) that is readable from notify() to clear(). It never blocks, and programs that
/// are started do not inherit it.
class EventFd {
 public:
  /// Check open() before use: this process may have no descriptor left.
  EventFd();
  bool open() const { return fd_.open(); }
  int fd() const { return fd_.get(); }
  /// May be called from any thread and within a signal handler; changes errno.
  void notify() const;
  /// Returns whether there was a notification since the last call.
  bool clear() const;

 private:
  Descriptor fd_;
};

}  // namespace proffer::live

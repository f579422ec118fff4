// The request that a loop ends in good order: from another thread, or by SIGTERM and SIGINT.
#pragma once

#include <atomic>
#include <memory>

namespace proffer::live {

class EventFd;

class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  /// May be called from any thread and in a signal handler; a second call changes nothing.
  void request();
  bool requested() const { return requested_.load(); }
  /// Readable from the request on.
  int fd() const;

  /// Lets SIGTERM and SIGINT of this process request the stop from now on, and makes SIGPIPE harmless. One
  /// Stop a process may do so. Uses handlers, since what is blocked or ignored would be so in every program
  /// that is started, too.
  void on_signals();

 private:
  std::atomic<bool> requested_{false};
  std::unique_ptr<EventFd> event_;
};

}  // namespace proffer::live

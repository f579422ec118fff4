// How a loop is asked to end in good order: from another thread, or by SIGTERM and SIGINT.
#pragma once

#include <atomic>

namespace proffer::live {

class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  /// From any thread; idempotent.
  void request();
  bool requested() const { return requested_.load(); }
  /// Readable from the request on.
  int fd() const { return fd_; }

  /// From now on SIGTERM and SIGINT of this process request it, and SIGPIPE is harmless. One Stop a process
  /// may do so. Uses handlers, since what is blocked or ignored would be so in every program that is started,
  /// too.
  void on_signals();
  /// The first signal that requested it; 0: none did.
  int signal_number() const;

 private:
  std::atomic<bool> requested_{false};
  int fd_ = -1;
};

}  // namespace proffer::live

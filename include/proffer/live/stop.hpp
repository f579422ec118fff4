// The request that a loop ends in good order: from another thread, or by SIGTERM and SIGINT.
#pragma once

#include <atomic>

namespace proffer::live {

class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  /// Requests the stop; from any thread; idempotent.
  void request();
  bool requested() const { return requested_.load(); }
  /// Readable from the request on.
  int fd() const { return fd_; }

  /// Makes SIGTERM and SIGINT of this process request it from now on, and SIGPIPE harmless. Only one Stop a
  /// process may do so. Uses handlers, since blocked or ignored signals would stay so in every program that
  /// is started.
  void on_signals();
  /// The first signal that requested the stop; 0: none did.
  int signal_number() const;

 private:
  std::atomic<bool> requested_{false};
  int fd_ = -1;
};

}  // namespace proffer::live

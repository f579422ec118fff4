#include "live/host/hangup.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::live {
namespace {

std::atomic<int> signalled_fd{-1};

// Only what may be done within a signal handler.
void on_hangup(int) {
  const int error = errno;
  const std::uint64_t one = 1;
  if (const int fd = signalled_fd.load(); fd >= 0) {
    [[maybe_unused]] const auto written = ::write(fd, &one, sizeof one);
  }
  errno = error;
}

}  // namespace

Hangup::Hangup(std::function<void()> heard)
    : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), heard_(std::move(heard)) {
  PROFFER_CHECK(fd_ >= 0, "making a descriptor for SIGHUP");
  signalled_fd.store(fd_);
  struct sigaction action {};
  action.sa_handler = on_hangup;
  action.sa_flags = SA_RESTART;
  PROFFER_CHECK(sigaction(SIGHUP, &action, nullptr) == 0, "setting a signal's handler");
}

Hangup::~Hangup() {
  int own = fd_;
  signalled_fd.compare_exchange_strong(own, -1);
  ::close(fd_);
}

void Hangup::turn(const Readiness& ready, Time) {
  std::uint64_t signals = 0;
  if (ready.fd(fd_) && ::read(fd_, &signals, sizeof signals) > 0) heard_();
}

}  // namespace proffer::live

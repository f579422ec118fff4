#include "live/os/hangup.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include "proffer/check.hpp"

namespace proffer::live {
namespace {

std::atomic<const EventFd*> on_hangup_event{nullptr};

// Only what may be done within a signal handler: atomics and write().
void on_hangup(int) {
  const int error = errno;
  if (const auto* event = on_hangup_event.load()) event->notify();
  errno = error;
}

}  // namespace

Hangup::Hangup() {
  PROFFER_CHECK(event_.open(), "making a descriptor for SIGHUP");
  // The event is stored before the handler is set: a signal that comes in between would be lost.
  on_hangup_event.store(&event_);
  struct sigaction action {};
  action.sa_handler = on_hangup;
  action.sa_flags = SA_RESTART;
  PROFFER_CHECK(sigaction(SIGHUP, &action, nullptr) == 0, "setting a signal's handler");
}

Hangup::~Hangup() {
  const EventFd* own = &event_;
  on_hangup_event.compare_exchange_strong(own, nullptr);
}

}  // namespace proffer::live

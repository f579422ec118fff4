#include "proffer/live/stop.hpp"

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <csignal>

#include "live/os/event_fd.hpp"
#include "proffer/check.hpp"

namespace proffer::live {
namespace {

std::atomic<Stop*> signalled{nullptr};

// Only what may be done within a signal handler: atomics and write().
void on_signal(int) {
  const int error = errno;
  if (auto* stop = signalled.load()) stop->request();
  errno = error;
}

void on_broken_pipe(int) {}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  PROFFER_CHECK(sigaction(number, &action, nullptr) == 0, "setting a signal's handler");
}

}  // namespace

Stop::Stop() : event_(std::make_unique<EventFd>()) {
  PROFFER_CHECK(event_->open(), "making a descriptor for stopping");
}

Stop::~Stop() {
  Stop* self = this;
  signalled.compare_exchange_strong(self, nullptr);
}

void Stop::request() {
  requested_.store(true);
  event_->notify();
}

void Stop::wait(Duration at_most) const {
  pollfd wanted{fd(), POLLIN, 0};
  ::poll(&wanted, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(at_most).count()));
}

int Stop::fd() const { return event_->fd(); }

void Stop::on_signals() {
  Stop* none = nullptr;
  PROFFER_CHECK(signalled.compare_exchange_strong(none, this), "one Stop a process takes the signals");
  handle(SIGTERM, on_signal);
  handle(SIGINT, on_signal);
  // A terminal that is closed ends what runs in it, unless nohup has said otherwise.
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) handle(SIGHUP, on_signal);
  handle(SIGPIPE, on_broken_pipe);
}

}  // namespace proffer::live

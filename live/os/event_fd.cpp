#include "live/os/event_fd.hpp"

#include <sys/eventfd.h>

#include <cstdint>

namespace proffer::live {

EventFd::EventFd() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void EventFd::notify() const {
  const std::uint64_t one = 1;
  // Writing can only fail when the count is about to overflow, and then the descriptor is readable anyway.
  [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);
}

bool EventFd::clear() const {
  std::uint64_t count = 0;
  return ::read(fd_.get(), &count, sizeof count) > 0;
}

}  // namespace proffer::live

// A wall clock that jumps ten years ahead and back each half second, for a program into which this object is
// preloaded (LD_PRELOAD). Its monotonic clock goes on as it is.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr time_t kTenYears = 10L * 365 * 24 * 3600;

/// By system calls alone: the functions of the C library are those that stand below.
timespec read_clock(clockid_t clock) {
  timespec now{};
  ::syscall(SYS_clock_gettime, clock, &now);
  return now;
}

timespec jumping_clock() {
  const auto real = read_clock(CLOCK_REALTIME);
  const auto steady = read_clock(CLOCK_MONOTONIC);
  const bool ahead = (steady.tv_sec * 2 + steady.tv_nsec / 500'000'000) % 2 == 0;
  return {real.tv_sec + (ahead ? kTenYears : -kTenYears), real.tv_nsec};
}

}  // namespace

#define PRELOADED extern "C" __attribute__((visibility("default")))

PRELOADED int clock_gettime(clockid_t clock, timespec* time) {
  const bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (!wall) return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  *time = jumping_clock();
  return 0;
}

PRELOADED int gettimeofday(timeval* time, void*) {
  const auto now = jumping_clock();
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

PRELOADED time_t time(time_t* time) {
  const auto now = jumping_clock().tv_sec;
  if (time != nullptr) *time = now;
  return now;
}

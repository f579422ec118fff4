#include "live/host/daemon.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "live/os/descriptor_limit.hpp"
#include "proffer/live/daemons.hpp"

namespace proffer::live {
namespace {

// The time that queued messages have to leave when a daemon stops.
constexpr Duration kDrainAtStop = std::chrono::seconds(1);
// The time that tasks have to end when they are to end with their agent: the grace between SIGTERM and
// SIGKILL, and some more for a busy machine.
constexpr Duration kTasksEndAtStop = std::chrono::seconds(15);

Result<> end_in_order(Loop& loop, Host& host, const EndOfMachine& end) {
  const auto until = steady_now() + kTasksEndAtStop;
  host.deliver(end.how);
  loop.turn(Duration::zero());
  while (end.done && !end.done() && steady_now() < until) loop.turn(until - steady_now());
  host.settle();
  return loop.take_failure();
}

}  // namespace

Result<> serve_until(Stop& stop, Loop& loop, Host& host, const EndOfMachine& end) {
  auto ended = loop.run(stop);
  if (ended) ended = end_in_order(loop, host, end);
  host.drain(kDrainAtStop);
  return ended;
}

void raise_file_limit() { raise_descriptor_limit(std::numeric_limits<std::uint64_t>::max()); }

std::string program_beside_us(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? name : (self.parent_path() / name).string();
}

void print_ready(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace proffer::live

#include "live/os/load.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <numeric>
#include <sstream>

namespace proffer::live {

Result<Load> read_load() {
  Load load;
  std::ifstream averages("/proc/loadavg");
  std::ifstream stat("/proc/stat");
  std::string cpu;
  // user, nice, system, idle, iowait, irq, softirq, steal
  std::array<std::uint64_t, 8> ticks{};
  averages >> load.average;
  stat >> cpu;
  for (auto& each : ticks) stat >> each;
  if (!averages || !stat || cpu != "cpu") {
    return Error{ErrorCode::io, "cannot read the load of this machine in /proc/loadavg and /proc/stat"};
  }
  load.processors = static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  load.all = std::accumulate(ticks.begin(), ticks.end(), std::uint64_t{0});
  load.stolen = ticks[7];
  load.busy = load.all - ticks[3] - ticks[4] - ticks[7];
  return load;
}

std::string to_line(const Load& load) {
  return fmt::format("{:.2f} {} {} {} {}", load.average, load.processors, load.busy, load.stolen, load.all);
}

Result<Load> load_of(const std::string& line) {
  Load load;
  std::istringstream words(line);
  if (words >> load.average >> load.processors >> load.busy >> load.stolen >> load.all) return load;
  return Error{ErrorCode::corrupt, "no load: " + line};
}

}  // namespace proffer::live

#include "live/run/process_facts.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "live/os/spawning.hpp"

namespace proffer::live {
namespace {
namespace fs = std::filesystem;

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  if (file) all << file.rdbuf();
  return all.str();
}

/// Returns whether a process lives (a zombie does not) and was started with that line in its environment.
bool has_mark(pid_t pid, const std::string& mark) {
  const auto all = contents_of("/proc/" + std::to_string(pid) + "/environ");
  for (std::size_t at = all.find(mark); at != std::string::npos; at = all.find(mark, at + 1)) {
    const auto end = at + mark.size();
    if ((at == 0 || all[at - 1] == '\0') && (end == all.size() || all[end] == '\0')) return true;
  }
  return false;
}

int send_to(const Descriptor& process, int signal) {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0));
}

/// Returns how many were found.
int kill_once(const std::string& mark) {
  int found = 0;
  std::error_code failure;
  for (fs::directory_iterator it("/proc", failure), end; !failure && it != end; it.increment(failure)) {
    const auto name = it->path().filename().string();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc()) continue;
    if (pid == ::getpid() || !has_mark(pid, mark)) continue;
    const auto process = watch_process(pid);
    // The environment is read again now that the pid cannot pass to another process unnoticed.
    if (!process.open() || !has_mark(pid, mark)) continue;
    ++found;
    send_to(process, SIGKILL);
  }
  return found;
}

}  // namespace

std::string boot_of_host() {
  auto boot = contents_of("/proc/sys/kernel/random/boot_id");
  while (!boot.empty() && boot.back() == '\n') boot.pop_back();
  return boot;
}

std::uint64_t start_time_of(pid_t pid) {
  const auto stat = contents_of("/proc/" + std::to_string(pid) + "/stat");
  // The name, which is in brackets, may hold anything; field 3 follows it, and the start is field 22.
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

Duration age_since(std::uint64_t start_time) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto since_boot = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  const auto began = std::chrono::milliseconds(start_time * 1000 / per_second);
  return std::max(Duration::zero(), std::chrono::duration_cast<Duration>(since_boot - began));
}

bool kill_marked(const std::string& mark) {
  const auto give_up_at = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (kill_once(mark) > 0) {
    if (std::chrono::steady_clock::now() > give_up_at) return false;
    const timespec moment{0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
  return true;
}

}  // namespace proffer::live

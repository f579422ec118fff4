#include "live/host/daemon.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <filesystem>

#include "proffer/live/daemons.hpp"

namespace proffer::live {

void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);  // where it is refused, the limit that there is has to do
}

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

#include "live/host/daemon.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "live/os/descriptor_limit.hpp"
#include "proffer/live/daemons.hpp"

namespace proffer::live {

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

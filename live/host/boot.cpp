#include "live/host/boot.hpp"

#include <fstream>

namespace proffer::live {

Result<std::string> this_boot() {
  constexpr const char* kFile = "/proc/sys/kernel/random/boot_id";
  std::ifstream file(kFile);
  std::string boot;
  if (file >> boot) return boot;
  return Error{ErrorCode::io,
               std::string("cannot read ") + kFile +
                   ": without it nobody can tell whether tasks have outlived a restart of the host"};
}

}  // namespace proffer::live

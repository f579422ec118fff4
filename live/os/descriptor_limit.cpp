#include "live/os/descriptor_limit.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace proffer::live {

void raise_descriptor_limit(std::uint64_t least) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= least) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, least);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::uint64_t descriptor_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

}  // namespace proffer::live

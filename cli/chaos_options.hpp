// The options of `proffer study chaos`.
#pragma once

#include <cstdint>
#include <string>

namespace proffer::cli {

struct ChaosOptions {
  std::string dir;
  std::uint64_t kills = 100;
  std::uint64_t pauses = 5;
  std::string pause_for = "20s";
  std::string every = "1s";
  std::uint32_t agents = 4;
  std::uint32_t frameworks = 4;
  std::uint64_t seed = 1;
  bool quiet = false;
};

}  // namespace proffer::cli

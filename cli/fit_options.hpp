// The options of `proffer study fit`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proffer::cli {

struct FitOptions {
  std::vector<std::string> experiments;
  std::uint32_t seeds = 3;
  unsigned jobs = 0;  ///< runs at a time; 0: one a processor
  bool search = true;
  double sensitivity = 0.2;  ///< the part by which each constant is varied; 0: it is not
  bool json = false;
  bool quiet = false;
};

}  // namespace proffer::cli

// The options of `proffer study calibrate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace proffer::cli {

struct CalibrateOptions {
  std::string file;
  std::optional<double> time_scale;
  std::optional<std::uint32_t> seeds;
  std::vector<std::string> overrides;
  std::vector<std::string> plugins;
  bool json = false;
  bool rows = false;
  bool quiet = false;
};

}  // namespace proffer::cli

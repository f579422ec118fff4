// The options of `proffer policy`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace proffer::cli {

struct PolicyOptions {
  std::string verb;                  // list, show, new or bench
  std::vector<std::string> plugins;  // list, show, bench
  std::vector<std::string> names;    // the name for show and new; for bench, policies with their settings
  bool json = false;                 // list, show
  std::string dir;                   // new: the folder to make; empty: NAME

  // bench
  std::string on;                      // the experiment
  std::optional<std::uint32_t> seeds;  // number of seeds, instead of the file's
  std::vector<std::string> overrides;
  unsigned jobs = 0;  // runs at a time; 0: one a processor
  bool quiet = false;
};

}  // namespace proffer::cli

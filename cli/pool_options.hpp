// The options of `proffer pool`, `proffer framework` and `proffer job`.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct PoolOptions {
  std::string verb;  // import, list, set, create, rm, reload, move-framework, kill-job, move-job
  std::string file;  // a fair-scheduler.xml
  std::string out;   // the TOML file to write; empty: stdout
  std::string allocator;
  std::string pool;
  std::string framework;              // the framework to move
  std::string job;                    // FRAMEWORK/JOB
  std::string why;                    // the reason for killing it
  std::vector<std::string> settings;  // weight=2
  bool json = false;
};

}  // namespace proffer::cli

// The options of `proffer pool`, `proffer framework` and `proffer job`.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct PoolOptions {
  // one of: import, list, set, create, rm, reload, move-framework, kill-job, move-job, list-job, attach-job
  std::string verb;
  std::string file;  // a fair-scheduler.xml
  std::string out;   // the TOML file to write; empty: stdout
  std::string allocator;
  std::string pool;
  std::string framework;              // the framework to move
  std::string job;                    // FRAMEWORK/JOB, or the id of a detached job
  std::string why;                    // the reason for killing it
  std::vector<std::string> settings;  // weight=2
  bool json = false;
};

}  // namespace proffer::cli

// What `proffer pool`, `proffer framework` and `proffer job` were asked for.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct PoolOptions {
  std::string verb;  // import, list, set, create, rm, reload, move-framework, kill-job, move-job
  std::string file;  // a fair-scheduler.xml
  std::string out;   // where it goes as TOML; empty: stdout
  std::string allocator;
  std::string pool;
  std::string framework;              // to be moved there
  std::string job;                    // FRAMEWORK/JOB
  std::string why;                    // it is killed
  std::vector<std::string> settings;  // weight=2
  bool json = false;
};

}  // namespace proffer::cli

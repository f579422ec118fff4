// What `proffer pool` and `proffer framework` were asked for.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct PoolOptions {
  std::string verb;  // import, list, set, create, rm, reload, move-framework
  std::string file;  // a fair-scheduler.xml
  std::string allocator;
  std::string pool;
  std::string framework;              // to be moved there
  std::vector<std::string> settings;  // weight=2
  bool json = false;
};

}  // namespace proffer::cli

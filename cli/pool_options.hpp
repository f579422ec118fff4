// What `proffer pool` was asked for.
#pragma once

#include <string>

namespace proffer::cli {

struct PoolOptions {
  std::string verb;  // import
  std::string file;  // a fair-scheduler.xml
};

}  // namespace proffer::cli

// What `proffer why` was asked for.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct WhyOptions {
  std::string kind;  // job, task, framework or pool
  std::string id;
  std::vector<std::string> events;  // event logs; none: the running cluster's
  std::string allocator;            // where that is
  std::string at;                   // a duration since the first framework came; empty: the log's end
  bool json = false;
};

}  // namespace proffer::cli

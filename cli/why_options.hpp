// The options of `proffer why`.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct WhyOptions {
  std::string kind;  // one of: job, task, framework, pool
  std::string id;
  std::vector<std::string> events;  // event logs; none: the running cluster's
  std::string allocator;            // address of the running cluster's allocator
  std::string at;                   // a duration since the first framework came; empty: the end of the log
  bool json = false;
};

}  // namespace proffer::cli

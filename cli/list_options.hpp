// The options of `proffer agents|frameworks|pools|tasks list|show`, and of `proffer status`.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct ListOptions {
  std::string list;  // agents, frameworks, pools, tasks; empty: all of them
  std::string id;    // show: a name, or what an id begins with; empty: list all
  std::string allocator;
  std::string format = "table";      // one of kListFormats
  std::vector<std::string> columns;  // empty: the usual ones
};

}  // namespace proffer::cli

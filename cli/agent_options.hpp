// The options of `proffer agent drain|undrain|gone`.
#pragma once

#include <string>

namespace proffer::cli {

struct AgentOptions {
  std::string verb;  // drain, undrain, gone
  std::string allocator;
  std::string agent;       // its name or id
  std::string kill_after;  // a duration; empty: tasks run to their end
  std::string timeout;     // of the wait, a duration; empty: none
  bool wait = false;
  bool yes = false;
  bool json = false;
};

}  // namespace proffer::cli

// Somebody who types commands into a shell, one after the other, in a fresh folder that looks like a
// checkout.
#pragma once

#include <string>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::testing {

struct Typed {
  std::string text;
  bool begins = false;  ///< in the folder of the checkout, wherever those before it went
};

struct Seen {
  int exit = -1;  ///< -1: it did not end
  std::string out;
  std::string err;
};

/// `proffer` is that of this build, and commands find their cluster at a free port, where `proffer dev` puts
/// it. What is left in the background at the end is ended.
std::vector<Seen> type_all(const std::vector<Typed>& commands, Duration within);

}  // namespace proffer::testing

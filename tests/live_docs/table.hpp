// The table of a page's commands: the file of its name beside this one.
//
//   > COMMAND            as the page has it, in one line and without its comment; then, as far as needed,
//   before: COMMAND      typed before it; ends with 0
//   type: COMMAND        typed in its place, since it would take too long or leave the folder
//   out: REGEX           a line on standard output has it; may be repeated
//   err: REGEX           a line on standard error has it; may be repeated
//   exit: CODE           how it ends, if not with 0
//   skip: REASON         it is not typed at all
#pragma once

#include <string>
#include <vector>

namespace proffer::testing {

struct Known {
  std::string key;
  std::vector<std::string> before;
  std::string type;
  std::vector<std::string> out;
  std::vector<std::string> err;
  int exit = 0;
  std::string skip;
};

/// Throws std::runtime_error with the place of what is wrong in it.
std::vector<Known> read_table(const std::string& path);

}  // namespace proffer::testing

// The commands that a page of the documentation or a help text tells its reader to type.
#pragma once

#include <string>
#include <vector>

namespace proffer::testing {

struct Command {
  std::string text;     ///< as it stands there, of several lines where it is
  std::string key;      ///< the same in one line, without comments
  bool begins = false;  ///< a block: its reader is in the checkout again
};

/// Returns the commands in code blocks that are indented, or fenced without a language or with `sh`; what is
/// no command stands in a fence with another word. A line that is indented further goes on with the command
/// before it.
std::vector<Command> commands_of_page(const std::string& markdown);

/// Lines of a help text that begin with `proffer`, after "Example:" or not.
std::vector<Command> examples_of_help(const std::string& help);

/// Commands below the one whose help it is.
std::vector<std::string> commands_below(const std::string& help);

}  // namespace proffer::testing

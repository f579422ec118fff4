// The command line as data: what each command takes, and what its help says. Mistakes, completion and man
// pages are made from it.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

struct CommandWords {
  struct Option {
    std::vector<std::string> names;  ///< names with their dashes
    bool has_value = false;
    std::string value = {};                 ///< what its value is, in a word: N, TEXT, a|b
    std::vector<std::string> choices = {};  ///< all values that there are; empty: not known
    std::string usual = {};                 ///< its value where it is not given
    std::string variable = {};              ///< the environment variable that may set it
    std::string help = {};
  };
  struct Argument {
    std::string name;  ///< in capital letters
    std::string help = {};
    bool required = false;
    bool repeats = false;
  };
  std::string name;
  std::vector<Option> options;
  std::vector<CommandWords> commands;
  bool hidden = false;  ///< true: not shown to people
  bool alone = false;   ///< true: a command by itself, whatever is below it
  std::vector<Argument> arguments = {};
  std::string help = {};
  std::string footer = {};  ///< what stands below its help

  /// True: a word that names no command below it is an argument.
  bool takes_words() const { return !arguments.empty(); }
};

}  // namespace proffer::cli

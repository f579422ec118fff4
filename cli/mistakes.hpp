// Words of a command line that no command knows, and the nearest that there are.
#pragma once

#include <string>
#include <vector>

namespace proffer::cli {

/// What a command takes: options, and the commands below it.
struct CommandWords {
  struct Option {
    std::vector<std::string> names;  ///< with their dashes
    bool has_value = false;
  };
  std::string name;
  std::vector<Option> options;
  std::vector<CommandWords> commands;
  bool hidden = false;  ///< not for people
};

/// A command line as far as its words are known.
struct ReadWords {
  std::vector<std::string> command;  ///< the names of commands in it, from the first one on
  bool whole = false;                ///< no further command is wanted
  std::string mistake;               ///< a sentence about the first word that is unknown; empty: none is
  std::string line() const;          ///< "policy new", or "proffer" without a command
};

/// `typed`: the same words as they were written, with one dash where that is allowed; sentences have these.
ReadWords read_words(const CommandWords& root, const std::vector<std::string>& words,
                     const std::vector<std::string>& typed);

/// "there are on, off; did you mean on?", the question only where one of them is near.
std::string there_are(const std::string& text, const std::vector<std::string>& known);

}  // namespace proffer::cli

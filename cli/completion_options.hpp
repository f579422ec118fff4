// The options of `proffer completion`, and what shells and `make install` ask of the program.
#pragma once

#include <string>
#include <vector>

#include "cli/command_words.hpp"

namespace proffer::cli {

struct CompletionOptions {
  std::string shell;  ///< bash, zsh or fish
};

/// "__complete": the words of a line as far as the cursor, of which the last may be empty or half typed.
struct CompleteOptions {
  CommandWords known;
  std::vector<std::string> words;
};

/// "__man": the folder into which the man pages are written.
struct ManOptions {
  CommandWords known;
  std::string dir;
};

}  // namespace proffer::cli

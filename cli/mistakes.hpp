// Unknown words of a command line, and the nearest known ones.
#pragma once

#include <string>
#include <vector>

#include "cli/command_words.hpp"

namespace proffer::cli {

/// The known words at the beginning of a command line.
struct ReadWords {
  std::vector<std::string> command;  ///< the names of commands in the line, from the first one on
  bool whole = false;                ///< true: no further command is wanted
  std::string mistake;               ///< a sentence about the first unknown word; empty: there is none
  std::string line() const;          ///< "policy new", or "proffer" without a command
};

/// Reads words up to the first unknown one. `typed`: the same words as the user wrote them, with one dash
/// where that is allowed; sentences quote these.
ReadWords read_words(const CommandWords& root, const std::vector<std::string>& words,
                     const std::vector<std::string>& typed);

/// Returns "there are on, off; did you mean on?"; the question only where one of the words is near.
std::string there_are(const std::string& text, const std::vector<std::string>& known);

}  // namespace proffer::cli

// The words that may stand at the end of a command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_words.hpp"

namespace proffer::cli {

struct Candidate {
  std::string word;
  std::string help;  ///< one line; may be empty
  bool operator==(const Candidate&) const = default;
};

/// What a word is a name of, where only the cluster or the disk knows which there are.
enum class Noun : std::uint8_t { none, agent, framework, pool, store };

struct Completion {
  std::vector<Candidate> candidates;  ///< those that begin with the last word
  Noun noun = Noun::none;             ///< the last word may also be the name of such a thing
};

/// `words`: those of the line without "proffer", as far as the cursor; the last is the one to complete. "="
/// may stand alone, as bash has it. Completes nothing behind "--".
Completion complete(const CommandWords& root, std::vector<std::string> words);

}  // namespace proffer::cli

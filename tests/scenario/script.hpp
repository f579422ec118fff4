// A scenario: blocks of commands, each followed by what they print.
//
//   # Sentences that tell the story; kept as they are.
//   agent a1 rack=r1 map=2
//   ----
//   a1 -> allocator REGISTER rack=r1 slots=map:2
//
// A block ends at an empty line. PROFFER_REWRITE=1 in the environment writes what was printed into the file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::scenario {

/// "agent a1 rack=r1 map=2": a verb, plain words, and options.
struct Command {
  std::string text;
  std::string verb;
  std::vector<std::string> words;
  std::map<std::string, std::string> options;

  /// Ends the test with what is missing when there is no such word.
  const std::string& word(std::size_t index) const;
  std::string option(const std::string& name, const std::string& otherwise = "") const;
};

struct Block {
  int line = 0;      ///< where it begins, from 1
  std::string head;  ///< comments and commands, as they stand in the file
  std::vector<Command> commands;
  std::string expected;  ///< with a newline after each line
};

std::vector<Block> parse_script(std::string_view text);
/// The file again, with `printed` in place of what was expected.
std::string render(const std::vector<Block>& blocks, const std::vector<std::string>& printed);

/// "250ms", "5s", "2m".
Duration parse_duration(const std::string& text);
/// The shortest of these that is exact.
std::string print_duration(Duration duration);
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace proffer::scenario

#include "table.hpp"

#include <fstream>
#include <stdexcept>

namespace proffer::testing {
namespace {

/// False for a word that is not one of them.
bool set(Known& known, const std::string& word, const std::string& text) {
  if (word == "before") return known.before.push_back(text), true;
  if (word == "out") return known.out.push_back(text), true;
  if (word == "err") return known.err.push_back(text), true;
  if (word == "type") return known.type = text, true;
  if (word == "skip") return known.skip = text, true;
  if (word == "exit") return known.exit = std::stoi(text), true;
  return false;
}

}  // namespace

std::vector<Known> read_table(const std::string& path) {
  std::vector<Known> table;
  std::ifstream in(path);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const auto colon = line.find(": ");
    if (line.starts_with("> ")) {
      table.push_back({line.substr(2), {}, "", {}, {}, 0, ""});
    } else if (table.empty() || colon == line.npos ||
               !set(table.back(), line.substr(0, colon), line.substr(colon + 2))) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + line);
    }
  }
  return table;
}

}  // namespace proffer::testing

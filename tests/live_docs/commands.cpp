#include "commands.hpp"

#include <regex>
#include <sstream>
#include <utility>

namespace proffer::testing {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// In one line with single spaces, as two ways to break a line do not differ.
std::string key_of(const std::string& text) {
  static const std::regex comment("\\s{2,}#.*"), broken("\\s*\\\\?\\n\\s*"), spaces("\\s+");
  std::string lines;
  for (const auto& line : lines_of(text)) {
    lines += (lines.empty() ? "" : "\n") + std::regex_replace(line, comment, "");
  }
  return std::regex_replace(std::regex_replace(lines, broken, " "), spaces, " ");
}

/// Adds the lines of one block, without what they are indented by.
void add_block(std::vector<Command>& commands, const std::vector<std::string>& block) {
  bool begins = true;
  for (const auto& line : block) {
    if (line.empty()) continue;
    if (line[0] == ' ' && !commands.empty() && !begins) {
      commands.back().text += "\n" + line;
    } else {
      commands.push_back({line, "", begins});
      begins = false;
    }
  }
}

void set_keys(std::vector<Command>& commands) {
  for (auto& command : commands) command.key = key_of(command.text);
}

}  // namespace

std::vector<Command> commands_of_page(const std::string& markdown) {
  std::vector<Command> commands;
  std::vector<std::string> block;
  std::string before;
  bool fenced = false, typed = false;
  for (const auto& line : lines_of(markdown + "\n\n.")) {
    const bool is_fence = line.starts_with("```");
    const bool indented = !fenced && line.starts_with("    ") && (before.empty() || !block.empty());
    if (is_fence && !fenced) typed = line == "```" || line == "```sh";
    if (indented) block.push_back(line.substr(4));
    if (fenced && typed && !is_fence) block.push_back(line);
    if (!fenced && !indented && !line.empty()) add_block(commands, std::exchange(block, {}));
    if (is_fence) fenced = !fenced;
    before = line;
  }
  set_keys(commands);
  return commands;
}

std::vector<Command> examples_of_help(const std::string& help) {
  static const std::regex example("^(?:Examples?:)?\\s*(proffer .*)$"), remark("\\s{3,}\\S.*$");
  std::vector<Command> commands;
  bool goes_on = false;
  for (const auto& line : lines_of(help)) {
    std::smatch found;
    if (goes_on) {
      commands.back().text += "\n" + line;
    } else if (std::regex_match(line, found, example) && line.find("proffer - ") == line.npos) {
      commands.push_back({std::regex_replace(found.str(1), remark, ""), "", false});
    } else {
      continue;
    }
    goes_on = line.ends_with("\\");
  }
  set_keys(commands);
  return commands;
}

std::vector<std::string> commands_below(const std::string& help) {
  static const std::regex command("^  ([a-z]+)\\s{2,}\\S.*$");
  std::vector<std::string> names;
  if (help.find(" SUBCOMMAND\n") == std::string::npos) return names;
  for (const auto& line : lines_of(help)) {
    std::smatch found;
    if (std::regex_match(line, found, command)) names.push_back(found.str(1));
  }
  return names;
}

}  // namespace proffer::testing

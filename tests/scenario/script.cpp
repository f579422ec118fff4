#include "tests/scenario/script.hpp"

#include <sstream>
#include <stdexcept>

namespace proffer::scenario {
namespace {

Command parse_command(const std::string& line) {
  Command command;
  command.text = line;
  std::istringstream in(line);
  in >> command.verb;
  for (std::string word; in >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
      command.words.push_back(word);
    } else {
      command.options[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  return command;
}

}  // namespace

const std::string& Command::word(std::size_t index) const {
  if (index >= words.size()) throw std::invalid_argument("too few words in: " + text);
  return words[index];
}

std::string Command::option(const std::string& name, const std::string& otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

std::vector<Block> parse_script(std::string_view text) {
  std::vector<Block> blocks;
  std::istringstream in{std::string(text)};
  Block block;
  bool in_output = false;
  int number = 0;
  const auto finish = [&] {
    if (!block.head.empty()) blocks.push_back(std::move(block));
    block = {};
    in_output = false;
  };
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) {
      finish();
    } else if (line == "----") {
      in_output = true;
    } else if (in_output) {
      block.expected += line + "\n";
    } else {
      if (block.head.empty()) block.line = number;
      block.head += line + "\n";
      if (!line.starts_with('#')) block.commands.push_back(parse_command(line));
    }
  }
  finish();
  return blocks;
}

std::string render(const std::vector<Block>& blocks, const std::vector<std::string>& printed) {
  std::string text;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0) text += "\n";
    text += blocks[i].head;
    if (!blocks[i].commands.empty()) text += "----\n" + printed[i];
  }
  return text;
}

Duration parse_duration(const std::string& text) {
  std::size_t used = 0;
  const auto number = std::stoll(text, &used);
  const auto unit = text.substr(used);
  if (unit == "ms") return std::chrono::milliseconds(number);
  if (unit == "s") return std::chrono::seconds(number);
  if (unit == "m") return std::chrono::minutes(number);
  throw std::invalid_argument("no duration: " + text);
}

std::string print_duration(Duration duration) {
  const auto us = duration.count();
  if (us % 1'000'000 == 0) return std::to_string(us / 1'000'000) + "s";
  if (us % 1'000 == 0) return std::to_string(us / 1'000) + "ms";
  return std::to_string(us) + "us";
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace proffer::scenario

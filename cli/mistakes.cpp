#include "cli/mistakes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "proffer/nearest.hpp"

namespace proffer::cli {
namespace {

std::optional<std::string> nearest_of(const std::string& text, const std::vector<std::string>& known) {
  const auto nearest = nearest_word(text, std::vector<std::string_view>(known.begin(), known.end()));
  return nearest ? std::optional<std::string>(*nearest) : std::nullopt;
}

std::string unknown_command(const CommandWords& at, const ReadWords& read, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& command : at.commands) {
    if (!command.hidden) names.push_back(command.name);
  }
  const auto nearest = nearest_of(word, names);
  if (read.command.empty()) {
    return fmt::format("there is no command {}; {}", word,
                       nearest ? fmt::format("did you mean {}?", *nearest) : "see proffer --help");
  }
  return fmt::format("{} has no command {}; {}", read.line(), word, there_are(word, names));
}

const CommandWords::Option* option_of(const CommandWords& at, const std::string& name) {
  for (const auto& option : at.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

std::string unknown_option(const CommandWords& at, const ReadWords& read, const std::string& name,
                           const std::string& typed) {
  std::vector<std::string> names;
  for (const auto& option : at.options) {
    for (const auto& known : option.names) {
      if (known.size() > 2) names.push_back(known);
    }
  }
  const bool one_dash = !typed.starts_with("--");
  const auto command = read.line();
  const auto spelled = typed.substr(0, typed.find('='));
  if (command == "mr" && spelled.starts_with("-D")) {
    return "mr has no option -D: reduces are set by -numReduceTasks, variables of tasks by -cmdenv "
           "NAME=VALUE";
  }
  const auto nearest = name.size() > 2 ? nearest_of(name, names) : std::nullopt;
  if (!nearest) {
    return fmt::format("{} has no option {}; see {} --help", command, spelled,
                       read.command.empty() ? command : "proffer " + command);
  }
  return fmt::format("{} has no option {}; did you mean {}?", command, spelled,
                     nearest->substr(one_dash ? 1 : 0));
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
}

/// Returns "--name" of "--name=x", "-n" of "-n4".
std::string name_of(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

}  // namespace

std::string ReadWords::line() const {
  return command.empty() ? "proffer" : fmt::format("{}", fmt::join(command, " "));
}

ReadWords read_words(const CommandWords& root, const std::vector<std::string>& words,
                     const std::vector<std::string>& typed) {
  ReadWords read;
  const auto* at = &root;
  bool past_commands = false;  // an argument has come: no word behind it names a command
  for (std::size_t i = 0; i < words.size() && read.mistake.empty() && words[i] != "--"; ++i) {
    const auto& word = words[i];
    if (is_option(word)) {
      const auto name = name_of(word);
      const auto* option = option_of(*at, name);
      if (option == nullptr) {
        read.mistake = unknown_option(*at, read, name, typed[i]);
      } else if (option->has_value && name == word) {
        ++i;  // whatever it is
      }
    } else if (!at->commands.empty() && !past_commands) {
      const auto named = [&](const CommandWords& command) { return command.name == word; };
      const auto next = std::find_if(at->commands.begin(), at->commands.end(), named);
      if (next == at->commands.end() && at->takes_words()) {
        past_commands = true;
      } else if (next == at->commands.end()) {
        read.mistake = unknown_command(*at, read, word);
      } else {
        read.command.push_back(word);
        at = &*next;
      }
    }
  }
  read.whole = at->commands.empty() || at->alone;
  return read;
}

std::string there_are(const std::string& text, const std::vector<std::string>& known) {
  const auto nearest = nearest_of(text, known);
  return fmt::format("there are {}{}", fmt::join(known, ", "),
                     nearest ? fmt::format("; did you mean {}?", *nearest) : "");
}

}  // namespace proffer::cli

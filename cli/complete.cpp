#include "cli/complete.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace proffer::cli {
namespace {

using Option = CommandWords::Option;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

const Option* find_option(const CommandWords& command, std::string_view name) {
  for (const auto& option : command.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

const CommandWords* find_command(const CommandWords& above, std::string_view name) {
  const auto at = std::find_if(above.commands.begin(), above.commands.end(),
                               [&](const CommandWords& command) { return command.name == name; });
  return at == above.commands.end() ? nullptr : &*at;
}

Noun noun_of(std::string_view name) {
  static const std::map<std::string_view, Noun> kNouns{
      {"AGENT", Noun::agent},   {"--prefer", Noun::agent}, {"FRAMEWORK", Noun::framework},
      {"POOL", Noun::pool},     {"--pool", Noun::pool},    {"STORE", Noun::store},
      {"--input", Noun::store}, {"--output", Noun::store}, {"--cacheFile", Noun::store},
  };
  const auto at = kNouns.find(name);
  return at == kNouns.end() ? Noun::none : at->second;
}

/// Hadoop Streaming's options have one dash, and may be typed so.
bool has_one_dash(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

/// Where a command line stands before its last word.
struct Place {
  const CommandWords* command = nullptr;
  const Option* wants_value = nullptr;  ///< the option whose value comes next
  std::size_t arguments = 0;            ///< arguments so far
  bool streaming = false;               ///< `proffer mr`, which takes options with one dash
  bool ended = false;                   ///< "--" has come: what follows is somebody else's
};

void read_word(Place& place, const std::string& word) {
  if (place.wants_value != nullptr) {
    place.wants_value = nullptr;
  } else if (word == "--") {
    place.ended = true;
  } else if (word.starts_with("-") && word.size() > 1) {
    const auto name = place.streaming && has_one_dash(word) ? "-" + word : word;
    const auto* option = find_option(*place.command, name);
    if (option == nullptr) option = find_option(*place.command, word);
    if (option != nullptr && option->has_value) place.wants_value = option;
  } else if (const auto* next = find_command(*place.command, word); next != nullptr && place.arguments == 0) {
    place.command = next;
    place.streaming = place.streaming || word == "mr";
  } else {
    ++place.arguments;
  }
}

void offer(Completion& completion, const std::string& word, const std::string& help, std::string_view begun) {
  if (word.starts_with(begun)) completion.candidates.push_back({word, first_line(help)});
}

void offer_value(Completion& completion, const Option& option, const std::string& begun) {
  for (const auto& choice : option.choices) offer(completion, choice, "", begun);
  for (const auto& name : option.names) {
    if (completion.noun == Noun::none) completion.noun = noun_of(name);
  }
}

void offer_options(Completion& completion, const Place& place, const std::string& begun) {
  const bool one_dash = place.streaming && has_one_dash(begun);
  for (const auto& option : place.command->options) {
    for (const auto& name : option.names) {
      const bool is_long = name.size() > 2;
      if (is_long || begun.size() < 2) offer(completion, name.substr(one_dash ? 1 : 0), option.help, begun);
    }
  }
}

void offer_argument(Completion& completion, const Place& place, const std::string& begun) {
  if (place.arguments == 0) {
    for (const auto& command : place.command->commands) {
      if (!command.hidden) offer(completion, command.name, command.help, begun);
    }
  }
  const auto& arguments = place.command->arguments;
  if (arguments.empty()) return;
  const bool more = place.arguments >= arguments.size();
  if (more && !arguments.back().repeats) return;
  completion.noun = noun_of(more ? arguments.back().name : arguments[place.arguments].name);
}

}  // namespace

Completion complete(const CommandWords& root, std::vector<std::string> words) {
  Completion completion;
  if (words.empty()) words.emplace_back();
  if (words.back() == "=") words.back().clear();
  const auto begun = words.back();
  words.pop_back();
  Place place{.command = &root};
  const bool asks_for_help = !words.empty() && words[0] == "help";
  if (asks_for_help) words.erase(words.begin());
  for (const auto& word : words) {
    if (word != "=") read_word(place, word);
  }
  if (place.ended) return completion;
  const auto equals = begun.find('=');
  if (place.wants_value != nullptr) {
    offer_value(completion, *place.wants_value, begun);
  } else if (begun.starts_with("--") && equals != begun.npos) {
    const auto* option = find_option(*place.command, begun.substr(0, equals));
    if (option == nullptr) return completion;
    offer_value(completion, *option, begun.substr(equals + 1));
    completion.noun = Noun::none;  // the shell would take the whole word for a name
    for (auto& candidate : completion.candidates) candidate.word.insert(0, begun.substr(0, equals + 1));
  } else if (begun.starts_with("-")) {
    offer_options(completion, place, begun);
  } else {
    offer_argument(completion, place, begun);
    if (place.command == &root && words.empty()) offer(completion, "help", "The help of a command", begun);
  }
  return completion;
}

}  // namespace proffer::cli

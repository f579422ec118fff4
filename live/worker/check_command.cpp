// Finds commands that cannot run before anything is started for them.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "proffer/live/local_mapreduce.hpp"

namespace proffer::live {
namespace {

/// Words that are not looked up on PATH, or whose meaning depends on what follows.
constexpr std::array<std::string_view, 55> kShellWords{
    "!",       "(",        ".",     ":",      "[",    "alias", "bg",       "break",  "case",  "cd",
    "command", "continue", "do",    "done",   "echo", "elif",  "else",     "esac",   "eval",  "exec",
    "exit",    "export",   "false", "fg",     "fi",   "for",   "getopts",  "hash",   "if",    "in",
    "jobs",    "kill",     "local", "printf", "pwd",  "read",  "readonly", "return", "set",   "shift",
    "test",    "then",     "time",  "times",  "trap", "true",  "type",     "ulimit", "umask", "unalias",
    "unset",   "until",    "wait",  "while",  "{"};

/// Empty when the shell would change the word, so that only it can tell.
std::string_view first_word(std::string_view command) {
  const auto begin = command.find_first_not_of(" \t\n");
  if (begin == command.npos) return {};
  command.remove_prefix(begin);
  const auto word = command.substr(0, command.find_first_of(" \t\n;|&<>()"));
  return word.find_first_of("'\"\\$`*?[]~#={}") == word.npos ? word : std::string_view{};
}

Result<> check_path(const std::string& what, const std::string& path) {
  struct stat about {};
  const auto named = "the " + what + " " + path;
  if (::stat(path.c_str(), &about) != 0) return Error{ErrorCode::not_found, named + " does not exist"};
  if (S_ISDIR(about.st_mode)) return Error{ErrorCode::refused, named + " is a folder"};
  if (::access(path.c_str(), X_OK) != 0) return Error{ErrorCode::refused, named + " is not executable"};
  return {};
}

bool is_on_path(const std::string& name) {
  const char* set = std::getenv("PATH");
  std::string_view path = set ? set : "/usr/local/bin:/usr/bin:/bin";
  while (true) {
    const auto folder = path.substr(0, path.find(':'));
    const auto full = (folder.empty() ? std::string(".") : std::string(folder)) + "/" + name;
    struct stat about {};
    if (::stat(full.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(full.c_str(), X_OK) == 0)
      return true;
    if (folder.size() == path.size()) return false;
    path.remove_prefix(folder.size() + 1);
  }
}

}  // namespace

Result<> check_command(const std::string& what, const std::string& command,
                       const std::vector<ShippedFile>& files) {
  const std::string word(first_word(command));
  if (word.empty() || std::find(kShellWords.begin(), kShellWords.end(), word) != kShellWords.end()) return {};
  auto name = word;
  if (name.starts_with("./")) name.erase(0, 2);
  const auto shipped =
      std::find_if(files.begin(), files.end(), [&](const ShippedFile& file) { return file.name == name; });
  if (shipped != files.end()) {
    if (shipped->executable) return {};
    return Error{ErrorCode::refused, "the " + what + " " + word + " is shipped, but is not executable"};
  }
  if (word.starts_with('/')) return check_path(what, word);
  if (word.find('/') != std::string::npos) {
    if (auto there = check_path(what, word); !there) return there;
    return Error{ErrorCode::refused, "the " + what + " " + word +
                                         " is not there where tasks run: ship it with -file " + word +
                                         ", and call it by its plain name"};
  }
  if (is_on_path(word)) return {};
  return Error{ErrorCode::not_found, "the " + what + " " + word + " is not a command on PATH"};
}

}  // namespace proffer::live

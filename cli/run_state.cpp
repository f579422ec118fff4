#include "cli/run_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/output.hpp"
#include "proffer/formats/text.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/live/entropy.hpp"

namespace proffer::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommandFile = "command";
constexpr std::string_view kMagic = "proffer command 1";

/// Below the user's state home; empty when there is none.
std::string states_home() {
  const auto* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string(state) + "/proffer";
  const auto* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.local/state/proffer" : "";
}

/// Makes a folder, for this user alone, that is not there or is empty.
Result<> make_folder(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error)) {
    if (fs::is_directory(path, error) && fs::is_empty(path, error)) return {};
    return Error{ErrorCode::exists,
                 fmt::format("the state folder {} is in use: go on with it by --resume {}, or "
                             "name another one",
                             path, path)};
  }
  fs::create_directories(fs::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  return Error{ErrorCode::io, fmt::format("the state folder {} cannot be made: {}", path,
                                          std::generic_category().message(errno))};
}

/// The texts, each with a zero byte behind it: none of them has one.
std::string text_of(const SavedCommand& saved) {
  std::string text(kMagic);
  const auto add = [&text](const std::string& one) { (text += '\0') += one; };
  add(saved.folder);
  add(saved.allocator);
  add(saved.token);
  for (const auto& word : saved.words) add(word);
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find('\0', from), text.size());
    parts.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

Result<SavedCommand> read_command(const std::string& folder) {
  const auto file = folder + "/" + kCommandFile;
  const auto text = formats::read_text_file(file);
  if (!text) return text.error();
  auto parts = split(*text);
  if (parts.size() < 5 || parts[0] != kMagic) {
    return Error{ErrorCode::corrupt, file + " is not what proffer has written there"};
  }
  return SavedCommand{parts[1], parts[2], parts[3], {parts.begin() + 4, parts.end()}};
}

/// The folders of commands of that verb.
std::vector<std::string> folders_of(const std::string& home, const std::string& verb) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(home, error)) {
    const auto saved = read_command(entry.path().string());
    if (saved && saved->words.front() == verb) found.push_back(entry.path().string());
  }
  return found;
}

}  // namespace

Result<std::optional<RunState>> RunState::begin(const FrameworkOptions& options, const SavedCommand& saved) {
  const bool own = options.state_dir.empty();
  const auto home = states_home();
  if (own && home.empty()) return std::optional<RunState>();
  auto path = own ? fmt::format("{}/{}-{}", home, options.name, live::random_token().substr(0, 8))
                  : fs::absolute(options.state_dir).string();
  auto made = make_folder(path);
  if (made) made = write_whole(path + "/" + kCommandFile, text_of(saved));
  if (made) return std::optional(RunState(std::move(path)));
  if (!own) return made.error();
  std::fprintf(stderr, "proffer: nothing can go on with this if it is killed: %s\n",
               made.error().message.c_str());
  return std::optional<RunState>();
}

Result<RunState> RunState::find(const FrameworkOptions& options, const std::string& verb) {
  if (!options.resume_dir.empty()) return RunState(fs::absolute(options.resume_dir).string());
  const auto home = states_home();
  const auto found = folders_of(home, verb);
  if (found.size() == 1) return RunState(found.front());
  if (found.empty()) {
    return Error{
        ErrorCode::not_found,
        fmt::format("there is nothing to go on with in {}; a folder elsewhere is named by --resume DIR",
                    home)};
  }
  return Error{ErrorCode::not_found, fmt::format("--resume DIR: say which, of {}", fmt::join(found, ", "))};
}

Result<SavedCommand> RunState::command(const std::string& verb) const {
  auto saved = read_command(path_);
  if (saved && saved->words.front() != verb) {
    return Error{ErrorCode::invalid, fmt::format("{} is of a command `proffer {}`: go on with it by that",
                                                 path_, saved->words.front())};
  }
  return saved;
}

// What `run` says is mostly of its tasks: who does not watch is not told.
void RunState::tell(const std::string& verb) const {
  if (verb == "run" && ::isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "if this ends before its time: proffer %s --resume %s\n", verb.c_str(), path_.c_str());
}

void RunState::remove() const {
  std::error_code ignored;  // whatever stays is of no use to anybody, and harms nobody
  fs::remove_all(path_, ignored);
}

Result<> enter_folder(const std::string& folder) {
  if (::chdir(folder.c_str()) == 0) return {};
  return Error{ErrorCode::not_found,
               fmt::format("the folder {} in which the command was typed cannot be used: {}", folder,
                           std::generic_category().message(errno))};
}

std::string current_folder() {
  std::error_code error;
  const auto path = fs::current_path(error);
  return error ? "/" : path.string();
}

// Who was ousted, or has met another cluster, has work somewhere. A time limit ends all; other refusals come
// before anything was begun, unless a former process has begun it.
bool is_over(const std::optional<Error>& why, bool resumed) {
  if (!why || why->code == ErrorCode::timed_out) return true;
  const bool stays = why->code == ErrorCode::fenced || why->code == ErrorCode::wrong_cluster ||
                     why->code == ErrorCode::split_brain || why->code == ErrorCode::io ||
                     why->code == ErrorCode::no_space || why->code == ErrorCode::disk ||
                     why->code == ErrorCode::corrupt;
  return !stays && !resumed;
}

}  // namespace proffer::cli

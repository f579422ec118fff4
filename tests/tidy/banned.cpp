// Calls that machines and vocabulary (floors 0 and 1) must not make, why, and what to use instead.
#include <algorithm>
#include <array>
#include <string>

#include "tests/tidy/floors.hpp"
#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

struct Reason {
  std::string_view why;
  std::string_view instead;
};

constexpr Reason kClock{"a machine that reads a clock cannot be replayed", "the `now` that step() was given"};
constexpr Reason kRandom{"it differs between compilers or runs",
                         "the Random that was handed in (proffer/random.hpp)"};
constexpr Reason kThread{"a machine is serial; threads belong to live/", "events and actions"};
constexpr Reason kStream{"a machine has no input or output", "an Emit action, or fmt to make text"};
constexpr Reason kEnvironment{"the environment is a hidden input", "a field of the machine's configuration"};
constexpr Reason kSleep{"a machine never waits", "next_deadline() and TimePassed"};
constexpr Reason kProcess{"a machine has no effects of its own", "an action, carried out by the world"};
constexpr Reason kFloat{"rounding would decide, differently from machine to machine",
                        "integers, compared by cross-multiplication"};

struct BannedName {
  std::string_view name;
  Reason reason;
};

/// Types and objects: wherever they are named.
constexpr std::array kNames{
    BannedName{"steady_clock", kClock},
    BannedName{"system_clock", kClock},
    BannedName{"high_resolution_clock", kClock},
    BannedName{"utc_clock", kClock},
    BannedName{"file_clock", kClock},
    BannedName{"random_device", kRandom},
    BannedName{"default_random_engine", kRandom},
    BannedName{"this_thread", kThread},
    BannedName{"float", kFloat},
    BannedName{"double", kFloat},
};

/// Functions: when they are called, plainly or from std.
constexpr std::array kCalls{
    BannedName{"time", kClock},
    BannedName{"clock", kClock},
    BannedName{"gettimeofday", kClock},
    BannedName{"clock_gettime", kClock},
    BannedName{"localtime", kClock},
    BannedName{"gmtime", kClock},
    BannedName{"rand", kRandom},
    BannedName{"srand", kRandom},
    BannedName{"getenv", kEnvironment},
    BannedName{"setenv", kEnvironment},
    BannedName{"secure_getenv", kEnvironment},
    BannedName{"sleep", kSleep},
    BannedName{"usleep", kSleep},
    BannedName{"nanosleep", kSleep},
    BannedName{"sleep_for", kSleep},
    BannedName{"sleep_until", kSleep},
    BannedName{"system", kProcess},
    BannedName{"fork", kProcess},
    BannedName{"popen", kProcess},
    BannedName{"async", kThread},
    BannedName{"printf", kStream},
    BannedName{"puts", kStream},
    BannedName{"fopen", kStream},
};

/// As kCalls, but only with std:: in front: short names that others use too.
constexpr std::array kStdCalls{
    BannedName{"shuffle", kRandom},
    BannedName{"sample", kRandom},
};

constexpr std::array kHeaders{
    BannedName{"random", kRandom},
    BannedName{"ctime", kClock},
    BannedName{"time.h", kClock},
    BannedName{"thread", kThread},
    BannedName{"mutex", kThread},
    BannedName{"shared_mutex", kThread},
    BannedName{"condition_variable", kThread},
    BannedName{"future", kThread},
    BannedName{"atomic", kThread},
    BannedName{"stop_token", kThread},
    BannedName{"semaphore", kThread},
    BannedName{"pthread.h", kThread},
    BannedName{"iostream", kStream},
    BannedName{"fstream", kStream},
    BannedName{"filesystem", kStream},
    BannedName{"unistd.h", kProcess},
    BannedName{"fcntl.h", kProcess},
    BannedName{"signal.h", kProcess},
    BannedName{"csignal", kProcess},
    BannedName{"spawn.h", kProcess},
};

/// Floating point that decides nothing by itself: the analysis of SEMANTICS §7, whose result is a setting.
constexpr std::array<std::string_view, 1> kMayUseFloat{"delay_formula"};

bool may_use_float(std::string_view path) {
  return std::any_of(kMayUseFloat.begin(), kMayUseFloat.end(),
                     [&](auto name) { return path.find(name) != std::string_view::npos; });
}

template <class Table>
const BannedName* find(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string sentence(std::string_view what, const Reason& reason) {
  return std::string(what) + ": " + std::string(reason.why) + "; use " + std::string(reason.instead);
}

bool has_std_in_front(std::string_view code, std::size_t offset) {
  return offset >= 5 && code.substr(offset - 5, 5) == "std::";
}

/// A call of the function of that name, and neither a member of something else nor its declaration.
bool is_plain_call(const std::vector<Word>& all, std::size_t index, std::string_view code) {
  const auto& word = all[index];
  if (first_from(code, word.offset + word.text.size()) != '(') return false;
  if (has_std_in_front(code, word.offset)) return true;
  const char before = last_before(code, word.offset);
  if (before == '.' || before == '>' || before == '&' || before == '*') return false;
  if (before == ':') {  // ::name, the global one; or somebody's own scope; or a member that is initialised
    const auto colons = code.rfind(':', word.offset);
    if (colons == 0 || code[colons - 1] != ':') return false;
    const char scope = last_before(code, colons - 1);
    return std::isalnum(static_cast<unsigned char>(scope)) == 0 && scope != '_' && scope != '>';
  }
  const bool after_word = std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_';
  return !after_word || (index > 0 && all[index - 1].text == "return");
}

const Reason* banned_word(const Source& source, const std::vector<Word>& all, std::size_t index) {
  const auto& word = all[index];
  const auto& code = source.code();
  if (const auto* row = find(kNames, word.text)) {
    const bool is_float = word.text == "float" || word.text == "double";
    return is_float && may_use_float(source.path()) ? nullptr : &row->reason;
  }
  if (word.text.ends_with("_distribution") && has_std_in_front(code, word.offset)) return &kRandom;
  if (const auto* row = find(kStdCalls, word.text)) {
    return has_std_in_front(code, word.offset) ? &row->reason : nullptr;
  }
  if (const auto* row = find(kCalls, word.text))
    return is_plain_call(all, index, code) ? &row->reason : nullptr;
  return nullptr;
}

void check_headers(const Source& source, Findings& findings) {
  for (const auto& include : source.includes()) {
    if (!include.angled) continue;
    const auto* row = find(kHeaders, include.path);
    const bool is_system = include.path.starts_with("sys/") || include.path.starts_with("netinet/");
    if (row == nullptr && !is_system) continue;
    const auto& reason = row != nullptr ? row->reason : kProcess;
    findings.push_back({source.path(), include.line, sentence("<" + include.path + ">", reason)});
  }
}

}  // namespace

Findings check_banned_calls(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    const auto* room = room_of_file(source.path());
    if (room == nullptr || room->floor > 1 || !source.is_cpp()) continue;
    check_headers(source, findings);
    const auto all = words(source);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (const auto* reason = banned_word(source, all, i)) {
        findings.push_back({source.path(), source.line_of(all[i].offset), sentence(all[i].text, *reason)});
      }
    }
  }
  return findings;
}

}  // namespace proffer::tidy

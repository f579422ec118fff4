// The commands `proffer agent drain|undrain|gone`: agents of a running cluster. `proffer agent` alone is
// the daemon (daemons.cpp).
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/agent_wait.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/live/operate.hpp"

namespace proffer::cli {
namespace {

/// Reads a duration of the command line; none for an empty text.
Result<std::optional<Duration>> duration_of(const char* flag, const std::string& text) {
  if (text.empty()) return std::optional<Duration>{};
  const auto read = parse_duration(text);
  if (!read) return Error{ErrorCode::invalid, fmt::format("--{} {}: {}", flag, text, read.error().message)};
  return std::optional(*read);
}

/// What a drain waits for, as it was asked for.
struct Times {
  std::optional<Duration> kill_after;
  std::optional<Duration> timeout;
};

Result<Times> times_of(const AgentOptions& options) {
  const auto kill_after = duration_of("kill-after", options.kill_after);
  if (!kill_after) return kill_after.error();
  const auto timeout = duration_of("timeout", options.timeout);
  if (!timeout) return timeout.error();
  if (*timeout && !options.wait) {
    return Error{ErrorCode::invalid, "--timeout is the longest time of --wait, which is not there"};
  }
  return Times{*kill_after, *timeout};
}

void print_done(const AgentOptions& options, const AdminDone& done) {
  if (options.json) {
    std::puts(nlohmann::ordered_json{{"agent", options.agent}, {"verb", options.verb}, {"done", done.text}}
                  .dump()
                  .c_str());
  } else {
    std::puts(done.text.c_str());
  }
}

/// Asks a person whether the agent's tasks are to be given up. Nobody there to ask: no.
Result<> confirm(const AgentOptions& options) {
  if (options.yes) return {};
  const Error stays{ErrorCode::refused, fmt::format("agent {} stays as it is", options.agent)};
  if (::isatty(STDIN_FILENO) == 0) {
    return Error{ErrorCode::invalid, fmt::format("agent gone {0}: its tasks end as GONE, and agent {0} can "
                                                 "never come back; write --yes to confirm it",
                                                 options.agent)};
  }
  fmt::print(stderr, "Agent {} can never come back, and its tasks end as GONE. Go on? [y/N] ", options.agent);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "yes") return {};
  return stays;
}

}  // namespace

int run_agent_command(const AgentOptions& options) {
  const auto times = times_of(options);
  if (!times) return report(times.error());
  if (options.verb == "gone") {
    if (const auto sure = confirm(options); !sure) return report(sure.error());
  }
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  if (const auto state = reach(context, where->allocator, kAnswerTimeout); !state)
    return report(state.error());
  const auto done =
      live::operate(context, where->allocator, ChangeAgent{0, options.agent, options.verb, times->kill_after},
                    kAnswerTimeout);
  if (!done) return report(done.error());
  if (options.wait && !options.json) fmt::print(stderr, "{}\n", done->text);
  if (!options.wait) return print_done(options, *done), kOk;
  const auto waited = wait_for_drain(context, {where->allocator, options.agent, times->timeout});
  if (!waited) return report(waited.error());
  print_done(options, AdminDone{0, {}, *waited});
  return kOk;
}

}  // namespace proffer::cli

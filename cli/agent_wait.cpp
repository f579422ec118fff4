#include "cli/agent_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "proffer/ids.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(300);
constexpr Duration kAnswer = std::chrono::seconds(2);

const AgentState* find(const ClusterState& state, const std::string& agent) {
  const auto named = [&](const AgentState& one) {
    return one.name == agent || to_hex(one.id.value) == agent;
  };
  const auto found = std::find_if(state.agents.begin(), state.agents.end(), named);
  return found == state.agents.end() ? nullptr : &*found;
}

/// The progress of a drain, each change of which is one line on stderr.
class WaitProgress {
 public:
  explicit WaitProgress(std::string agent) : agent_(std::move(agent)) {}

  void show(const AgentState& state) {
    if (told_ == state.tasks && !away_) return;
    told_ = state.tasks;
    away_ = false;
    fmt::print(stderr, "{}: {} task{} left\n", agent_, state.tasks, state.tasks == 1 ? "" : "s");
  }
  void show_no_answer() {
    if (!away_) fmt::print(stderr, "no answer from the allocator; waiting for it\n");
    away_ = true;
  }
  Error timed_out() const {
    const auto left = told_ ? fmt::format("still runs {} task{}", *told_, *told_ == 1 ? "" : "s")
                            : std::string("was not heard of");
    return {ErrorCode::timed_out,
            fmt::format("agent {0} {1}; it stays drained: proffer agent undrain {0} takes it back", agent_,
                        left)};
  }

 private:
  std::string agent_;
  std::optional<std::uint64_t> told_;
  bool away_ = false;
};

/// Returns what the wait comes to by what is seen; nothing: it goes on.
std::optional<Result<std::string>> outcome(const ClusterState& state, const std::string& agent) {
  const auto* seen = find(state, agent);
  if (seen == nullptr) {
    // After a restart an allocator may not list an agent before that is back.
    if (state.recovers_for || state.agents_back < state.agents_known) return {};
    return Error{ErrorCode::agent_gone, fmt::format("agent {} is not there any more", agent)};
  }
  if (seen->wish.empty()) {
    return Error{ErrorCode::refused, fmt::format("agent {} serves again: somebody has undrained it", agent)};
  }
  if (seen->wish == "drained") return fmt::format("agent {} is drained", agent);
  return {};
}

}  // namespace

Result<std::string> wait_for_drain(live::Context& context, const DrainWait& wait) {
  WaitProgress progress(wait.agent);
  const auto began = live::steady_now();
  while (true) {
    const auto state = live::describe(context, wait.allocator, kAnswer);
    if (!state && state.error().code != ErrorCode::unreachable) return state.error();
    if (state) {
      if (auto over = outcome(*state, wait.agent)) return std::move(*over);
      if (const auto* seen = find(*state, wait.agent)) progress.show(*seen);
    } else {
      progress.show_no_answer();
    }
    if (wait.timeout && live::steady_now() - began >= *wait.timeout) return progress.timed_out();
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace proffer::cli

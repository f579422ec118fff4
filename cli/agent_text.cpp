#include "cli/agent_text.hpp"

#include <fmt/format.h>

#include <chrono>

namespace proffer::cli {
namespace {

std::string tasks_text(std::uint64_t tasks) { return fmt::format("{} task{}", tasks, tasks == 1 ? "" : "s"); }

std::string wish_text(const AgentState& agent) {
  return agent.wish == "draining" ? fmt::format("draining {}", tasks_text(agent.tasks)) : agent.wish;
}

/// Returns whole seconds, rounded up: "0 s" would say that it is over.
std::int64_t seconds_left(Duration time) { return std::chrono::ceil<std::chrono::seconds>(time).count(); }

std::string time_left(Duration time) {
  const auto seconds = seconds_left(time);
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m {}s", seconds / 60, seconds % 60);
  return fmt::format("{}h {}m", seconds / 3600, seconds % 3600 / 60);
}

}  // namespace

std::string state_of(const AgentState& agent) {
  const auto wish = wish_text(agent);
  if (agent.reach != "up") return wish.empty() ? agent.reach : fmt::format("{}, {}", wish, agent.reach);
  if (!wish.empty()) return wish;
  return agent.trouble.empty() ? "up" : "trouble";
}

std::string state_of(const FrameworkState& framework) {
  if (framework.connected) return "up";
  return framework.given_up_in ? fmt::format("away, {} left", time_left(*framework.given_up_in)) : "ending";
}

std::string warnings_of(const ClusterState& state) {
  std::string lines;
  if (state.agents_back < state.agents_known || state.recovers_for) {
    lines += fmt::format("recovering: {} of {} agents", state.agents_back, state.agents_known);
    if (state.recovers_for) lines += fmt::format(", {} s", seconds_left(*state.recovers_for));
    lines += '\n';
  }
  if (!state.degraded.empty()) lines += fmt::format("degraded: {}\n", state.degraded);
  return lines;
}

}  // namespace proffer::cli

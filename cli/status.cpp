// The command `proffer status`.
#include <fmt/format.h>

#include <cstdio>

#include "cli/agent_text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/api_json.hpp"
#include "proffer/formats/units.hpp"

namespace proffer::cli {
namespace {

template <class Bag>
std::string text_of(const Bag& bag) {
  std::string text;
  for (const auto& [kind, n] : bag) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", kind.name(),
                        n >= kUnbounded ? "any" : format_quantity(kind, n));
  }
  return text.empty() ? "-" : text;
}

std::string declines_text(const FrameworkState& framework) {
  std::string text;
  for (std::size_t i = 0; i < framework.offers_declined.size(); ++i) {
    const auto n = framework.offers_declined[i];
    if (n == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(static_cast<DeclineReason>(i)), n);
  }
  return text.empty() ? "-" : text;
}

std::string offers_per_task_text(const FrameworkState& framework) {
  const auto offers = offers_per_task(framework);
  return offers ? fmt::format("{:.1f}", *offers) : "-";
}

std::string answer_time(const FrameworkState& framework) {
  const auto seconds = answered_after(framework);
  return seconds ? fmt::format("{:.1f} ms", *seconds * 1e3) : "-";
}

void print_tables(const ClusterState& state) {
  Table agents({"AGENT", "RACK", "STATE", "SLOTS", "USED", "OFFERED", "TROUBLE"});
  for (const auto& agent : state.agents) {
    agents.add({agent.name, agent.rack, state_of(agent), text_of(agent.total), text_of(agent.used),
                text_of(agent.offered), agent.trouble.empty() ? "-" : agent.trouble});
  }
  Table pools({"POOL", "WEIGHT", "FRAMEWORKS", "WAITING", "USED", "DEMAND", "FAIR"});
  for (const auto& pool : state.pools) {
    pools.add({pool.name.empty() ? "(root)" : pool.name,
               fmt::format("{:.1f}", static_cast<double>(pool.weight_milli) / 1000),
               std::to_string(pool.frameworks), std::to_string(pool.waiting), text_of(pool.used),
               text_of(pool.demand), text_of(pool.fair)});
  }
  Table frameworks(
      {"FRAMEWORK", "POOL", "STATE", "USED", "DEMAND", "OFFERS", "TASKS", "PER TASK", "ANSWER", "DECLINED"});
  for (const auto& framework : state.frameworks) {
    frameworks.add({framework.name, framework.pool.empty() ? "(root)" : framework.pool, state_of(framework),
                    text_of(framework.used), text_of(framework.demand), std::to_string(framework.offers_sent),
                    std::to_string(framework.tasks_launched), offers_per_task_text(framework),
                    answer_time(framework), declines_text(framework)});
  }
  std::fputs(warnings_of(state).c_str(), stdout);
  std::fputs((agents.text() + "\n" + pools.text() + "\n" + frameworks.text()).c_str(), stdout);
}

}  // namespace

int run_status(const StatusOptions& options) {
  const auto where = find_cluster(options.where);
  if (!where) return report(where.error());
  live::Context context;
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return report(state.error());
  if (options.format == Format::json) {
    std::puts(state_json(*state).c_str());
  } else {
    print_tables(*state);
  }
  return kOk;
}

}  // namespace proffer::cli

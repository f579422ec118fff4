#include "study/report/lanes.hpp"

#include <algorithm>

#include "study/report/natural.hpp"

namespace proffer::study::reporting {
namespace {

constexpr double kSameInstant = 1e-6;
constexpr std::size_t kTicks = 12;

}  // namespace

std::vector<LaidTask> lay_out(const RunResult& run, const std::string& kind) {
  std::vector<LaidTask> laid;
  for (const auto& task : run.tasks) {
    if (task.kind == kind) laid.push_back({&task, 0});
  }
  std::stable_sort(laid.begin(), laid.end(),
                   [](const auto& a, const auto& b) { return a.task->placed < b.task->placed; });
  std::map<std::string, std::vector<double>> free_from;
  for (auto& each : laid) {
    auto& lanes = free_from[each.task->agent];
    const auto lane = std::find_if(lanes.begin(), lanes.end(),
                                   [&](double free) { return free <= each.task->placed + kSameInstant; });
    each.lane = static_cast<std::size_t>(lane - lanes.begin());
    if (lane == lanes.end()) lanes.push_back(0);
    lanes[each.lane] = each.task->ended.value_or(run.run_seconds);
  }
  return laid;
}

LaneAxis::LaneAxis(const std::vector<std::vector<LaidTask>>& layouts, std::size_t limit) {
  std::map<std::string, std::pair<std::string, std::size_t>> needs;  // rack and lanes of an agent
  for (const auto& layout : layouts) {
    for (const auto& each : layout) {
      auto& need = needs[each.task->agent];
      need = {each.task->rack, std::max(need.second, each.lane + 1)};
    }
  }
  std::vector<std::string> agents;
  for (const auto& [agent, need] : needs) agents.push_back(agent);
  std::sort(agents.begin(), agents.end(), [&](const auto& a, const auto& b) {
    const auto& rack_a = needs[a].first;
    const auto& rack_b = needs[b].first;
    return rack_a == rack_b ? natural_less(a, b) : natural_less(rack_a, rack_b);
  });
  for (const auto& agent : agents) {
    if (left_out_ > 0 || (lanes_ > 0 && lanes_ + needs[agent].second > limit)) {
      ++left_out_;
      continue;
    }
    first_[agent] = lanes_;
    lanes_ += needs[agent].second;
  }
}

std::vector<std::pair<std::size_t, std::string>> LaneAxis::ticks() const {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (const auto& [agent, lane] : first_) all.emplace_back(lane, agent);
  std::sort(all.begin(), all.end());
  const auto step = (all.size() + kTicks - 1) / kTicks;
  std::vector<std::pair<std::size_t, std::string>> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

}  // namespace proffer::study::reporting

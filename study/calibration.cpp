#include "proffer/study/calibration.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

namespace proffer::study {
namespace {

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

/// "j1-m-00002-0" is map 2 of its job.
std::optional<std::size_t> map_index(std::string_view task) {
  constexpr std::string_view kMark = "-m-";
  const auto at = task.find(kMark);
  if (at == std::string_view::npos) return {};
  task.remove_prefix(at + kMark.size());
  std::size_t index = 0;
  const auto [end, failed] = std::from_chars(task.data(), task.data() + task.size(), index);
  return failed == std::errc() ? std::optional(index) : std::nullopt;
}

using JobsByName = std::map<std::string_view, const WorkloadJob*>;

std::optional<double> planned_time(const Plan& plan, const JobsByName& jobs, const TaskRow& task) {
  const auto job = jobs.find(task.job);
  const auto index = map_index(task.task);
  if (job == jobs.end() || !index || *index >= job->second->maps.size()) return {};
  return seconds_of(plan.cost.start_up + job->second->maps[*index].compute);
}

/// The times from the end of a map to the next placement on its agent, oldest end first, of jobs that were
/// there before that end and did not wait.
void add_turns(const RunResult& result, std::vector<double>& turns) {
  std::map<std::string_view, double> submitted;
  for (const auto& job : result.jobs) submitted[job.name] = job.submitted;
  std::vector<const TaskRow*> maps;
  for (const auto& task : result.tasks) {
    if (task.ended && map_index(task.task)) maps.push_back(&task);
  }
  std::stable_sort(maps.begin(), maps.end(), [](auto* a, auto* b) { return a->placed < b->placed; });
  using Ends = std::priority_queue<double, std::vector<double>, std::greater<>>;
  std::map<std::string_view, Ends> ends;  // of an agent's slots
  for (const auto* map : maps) {
    auto& of_agent = ends[map->agent];
    if (!of_agent.empty() && of_agent.top() <= map->placed) {
      const auto job = submitted.find(map->job);
      const bool wanted = map->waited == 0 && job != submitted.end() && job->second <= of_agent.top();
      if (wanted) turns.push_back(map->placed - of_agent.top());
      of_agent.pop();
    }
    of_agent.push(*map->ended);
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

MapTimes map_times(std::span<const MeasuredRun> runs) {
  MapTimes times;
  std::vector<double> turns;
  for (const auto& [plan, result] : runs) {
    JobsByName jobs;
    for (const auto& job : plan.workload.jobs) jobs[job.name] = &job;
    for (const auto& task : result.tasks) {
      const auto planned = planned_time(plan, jobs, task);
      if (!planned || !task.ended || task.state != "FINISHED") continue;
      const bool local = !task.preferred || task.locality == Locality::node;
      ++(local ? times.local : times.remote);
      (local ? times.local_took : times.remote_took) += *task.ended - task.placed;
      if (local) times.local_planned += *planned;
    }
    add_turns(result, turns);
  }
  times.local_took /= std::max(1u, times.local);
  times.local_planned /= std::max(1u, times.local);
  times.remote_took /= std::max(1u, times.remote);
  times.turns = static_cast<std::uint32_t>(turns.size());
  times.turn = median(std::move(turns));
  return times;
}

Plan calibrated(Plan plan, const Calibration& calibration) {
  CostModel cost;
  cost.start_up = calibration.start_up;
  cost.nic_rate = calibration.bandwidth;
  cost.disk_rate = 0;
  cost.remote_rate = 0;
  plan.cost = cost;
  return plan;
}

}  // namespace proffer::study

#include "frameworks/mapreduce/speculating.hpp"

#include <algorithm>
#include <vector>

#include "frameworks/mapreduce/pending.hpp"
#include "frameworks/mapreduce/stragglers.hpp"

namespace proffer::mapreduce {
namespace {

/// The maps of a job that must have ended before its median says anything of agents.
constexpr std::size_t kKnown = 3;

/// True when all maps of the job run or are done, and the times of half of them are known: then the median
/// of all its maps is no longer than what is known. Never of a rigid job: a map of it that begins later than
/// the others cannot take the place of one of them.
bool is_in_its_last_wave(const Job& job) {
  const auto& maps = job.tasks.maps;
  return !job.spec.rigid() && job.phase == JobPhase::running && !maps.all_done() && maps.waiting().empty() &&
         maps.open_tasks().empty() && 2 * job.tasks.map_times.count() >= maps.size();
}

std::vector<RunningMap> without_backup(const TaskTable& maps) {
  std::vector<RunningMap> running;
  for (const auto& [id, attempt] : maps.attempts()) {
    if (attempt.current && maps.backup(attempt.index).value.empty()) {
      running.push_back({attempt.index, attempt.agent, attempt.since});
    }
  }
  return running;
}

/// The agents on which a backup is not to run: that of the first attempt, and slow ones.
std::vector<AgentId> unsuited(const State& state, AgentId of_first) {
  auto agents = state.pace.slower_than(state.backups.rules().slowness_milli);
  if (std::find(agents.begin(), agents.end(), of_first) == agents.end()) agents.push_back(of_first);
  return agents;
}

bool leaves_any(const KnownAgents& known, const std::vector<AgentId>& without) {
  return std::any_of(known.all().begin(), known.all().end(), [&](const auto& agent) {
    return !known.gone().contains(agent.first) &&
           std::find(without.begin(), without.end(), agent.first) == without.end();
  });
}

void look(const Turn& turn, Job& job) {
  auto& state = turn.state;
  auto& backups = state.backups;
  if (!is_in_its_last_wave(job)) return;
  while (true) {
    const auto& maps = job.tasks.maps;
    const auto found = find_stragglers(without_backup(maps), job.tasks.map_times.median(), state.pace,
                                       backups.rules(), turn.now);
    if (found.worst && !backups.has_room()) return backups.wait_for_room(job.id);
    if (!found.worst) {
      if (found.next) backups.look_at(job.id, *found.next);
      return;
    }
    const auto agents = unsuited(state, maps.attempts().at(maps.current(*found.worst)).agent);
    if (!leaves_any(state.agents, agents)) return;  // an agent that comes offers slots: another look
    put_up_backup(turn, job, *found.worst, agents);
  }
}

}  // namespace

void note_map_time(State& state, Job& job, AgentId agent, Duration took) {
  if (!state.backups.rules().on || took <= Duration::zero()) return;
  auto& times = job.tasks.map_times;
  if (times.count() >= kKnown) state.pace.ended(agent, took, times.median());
  times.add(took);
}

void back_up_stragglers(const Turn& turn) {
  auto& state = turn.state;
  while (const auto job = state.backups.take_due(turn.now)) look(turn, state.jobs.at(*job));
}

}  // namespace proffer::mapreduce

#include "frameworks/mapreduce/offers.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "frameworks/mapreduce/hot_blocks.hpp"
#include "frameworks/mapreduce/notes.hpp"
#include "frameworks/mapreduce/tally.hpp"
#include "frameworks/mapreduce/work_maker.hpp"

namespace proffer::mapreduce {
namespace {

/// No more slots than tasks that fit into one message; what is left over is declined, and offered again.
Offer trimmed(const State& state, const Offer& offer) {
  auto fitting = offer;
  for (const bool map : {true, false}) {
    const auto kind = state.kind(map);
    fitting.resources = state.pool.trimmed(fitting.resources, kind, state.sizes.per_message(map));
  }
  return fitting;
}

void count_launch(const Turn& turn, Job& job, bool map, const Placement& placed) {
  if (!job.times.started) job.times.started = turn.now;
  ++(map ? job.counters.launched_maps : job.counters.launched_reduces);
  if (map) ++maps_at(job.counters, placed.locality);
}

/// Launches a task that the pool has placed: what it is told to do.
TaskSpec launch(const Turn& turn, const Placement& placed, const Offer& offer) {
  auto& state = turn.state;
  auto& job = state.jobs.at(placed.job);
  auto& tasks = job.tasks;
  const bool map = tasks.maps.opened().contains(placed.task);
  const auto index = tasks.table(map).opened().at(placed.task);
  tasks.table(map).launch(placed.task, offer.agent.id, placed.locality, turn.now);
  state.launches.launched(placed.task, {job.id, map, offer.agent.id});
  if (map) state.backups.launched(job.id);
  note_agent(turn, offer.agent);
  if (!map && !tasks.maps.all_done()) {
    tasks.early.launched(placed.task, offer.agent.id);
    note_early(turn, job, placed.task, false);
  }
  count_launch(turn, job, map, placed);
  const bool backup = state.backups.contains(placed.task);
  if (backup) ++job.counters.backups.launched;
  if (map && !backup) note_use(state, job, index, placed, offer.agent.id);
  const auto& catalog = state.connection.catalog_endpoint;
  auto work = map ? map_work(job, index, placed.task, offer.agent, catalog)
                  : reduce_work(job, index, placed.task, offer.agent, state.agents.all(), catalog);
  return {placed.task, state.pool.need(job.id, state.kind(map)), job.id, std::move(work)};
}

/// Has `answer` answer offers with what launches the tasks that are placed.
void answer_launching(const Turn& turn,
                      const std::function<void(const frameworks::OfferReplies::Describe&)>& answer) {
  std::set<JobId> launched;
  answer([&](const Placement& placed, const Offer& offer) {
    launched.insert(placed.job);
    return launch(turn, placed, offer);
  });
  for (const auto id : launched) note_counters(turn, turn.state.jobs.at(id));
}

}  // namespace

void take_offers(const Turn& turn, const Offers& offers) {
  auto& state = turn.state;
  Offers fitting{{}, offers.standings};
  // All agents are noted before one offer is answered: tasks are spread, and described, by those that are
  // known.
  for (const auto& offer : offers.offers) {
    state.agents.offered(offer.agent);
    state.launches.offered(offer.agent.id, turn.now);
    fitting.offers.push_back(trimmed(state, offer));
  }
  answer_launching(turn, [&](const auto& describe) { state.replies.answer(turn.driver, fitting, describe); });
}

void let_go(const Turn& turn) {
  answer_launching(turn, [&](const auto& describe) { turn.state.replies.let_go(turn.driver, describe); });
}

}  // namespace proffer::mapreduce

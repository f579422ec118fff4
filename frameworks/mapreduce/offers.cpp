// Offers: which are accepted for which task is for the pool and the policy to say; here tasks get described.
#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "frameworks/mapreduce/tally.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

/// What a task reads first where nothing of it is kept.
std::uint64_t read_first(const mapreduce::Job& job) {
  std::uint64_t bytes = 0;
  for (const auto& file : job.cached) bytes += file.bytes();
  return bytes;
}

void count(OfferTotals& totals, std::span<const Driver::Call> calls) {
  for (const auto& call : calls) {
    if (const auto* accept = std::get_if<Driver::AcceptCall>(&call)) {
      totals.accepted += accept->offers.size();
      totals.tasks_launched += accept->tasks.size();
    } else if (const auto* decline = std::get_if<Driver::DeclineCall>(&call)) {
      ++totals.declined[static_cast<std::size_t>(decline->reason)];
    }
  }
}

}  // namespace

void MapReduce::Impl::take_offers(Driver& driver, const Offers& offers) {
  const auto before = driver.calls().size();
  totals.received += offers.offers.size();
  Offers plain{{}, offers.standings};
  std::vector<Offer> apart;
  for (const auto& offer : offers.offers) {
    agents[offer.agent.id] = offer.agent;
    gone.erase(offer.agent.id);
    if (config.balance_long_tasks) recent.offered(offer.agent.id, driver.now());
    const bool is_avoided = !avoided.on(offer.agent.id).empty();
    (is_avoided ? apart : plain.offers).push_back(trimmed(offer));
  }
  const auto describe_one = [&](const Placement& placed, const Offer& offer) {
    return describe(driver, placed, offer);
  };
  answer->answer(driver, plain, describe_one);
  for (const auto& offer : apart) answer_avoided(driver, offers, offer);
  count(totals, driver.calls().subspan(before));
}

/// No more slots than tasks that fit into one message; what is left over is declined, and offered again.
Offer MapReduce::Impl::trimmed(const Offer& offer) const {
  auto fitting = offer;
  for (const bool map : {true, false}) {
    const auto largest = map ? largest_map_bytes : largest_reduce_bytes;
    const auto most =
        std::clamp<std::size_t>(mapreduce::kTaskBytesPerMessage / largest, 1, limits::kTasksPerAccept);
    const auto units = std::min(offer.resources[kind(map)], static_cast<std::int64_t>(most));
    fitting.resources.set(kind(map), units);
  }
  return fitting;
}

/// An offer on an agent where pending attempts have failed before: they are out of the pool while it is
/// answered.
void MapReduce::Impl::answer_avoided(Driver& driver, const Offers& offers, const Offer& offer) {
  std::vector<std::pair<JobId, PendingTask>> withheld;
  for (const auto& [id, entry] : avoided.on(offer.agent.id)) {
    auto task = pool.remove(entry.job, id);
    PROFFER_CHECK(task, "an avoiding attempt is not in the pool");
    withheld.emplace_back(entry.job, std::move(*task));
  }
  answer->answer_more(driver, {{offer}, offers.standings}, [&](const Placement& placed, const Offer& with) {
    return describe(driver, placed, with);
  });
  for (auto& [job, task] : withheld) pool.add(job, std::move(task));  // it has waited all the time
  answer->declare(driver);  // the answer spoke for a pool without them; other agents' slots are wanted
}

TaskSpec MapReduce::Impl::describe(Driver& driver, const Placement& placed, const Offer& offer) {
  auto& job = jobs.at(placed.job);
  const bool map = job.maps.is_open(placed.task);
  auto& table = job.table(map);
  const auto index = table.index_of_open(placed.task);
  table.launch(placed.task, offer.agent.id, placed.locality);
  avoided.remove(placed.task);
  owners[placed.task] = {job.id, map};
  if (config.balance_long_tasks) long_tasks.launched(job.id, offer.agent.id);
  balanced = true;
  if (!map && !job.maps.all_done()) job.early.launched(placed.task, offer.agent.id);
  if (!job.started) job.started = driver.now();
  auto& counters = job.launches;
  ++(map ? counters.launched_maps : counters.launched_reduces);
  if (map) {
    ++mapreduce::maps_at(counters, placed.locality);
    note_use(job, index, placed, offer.agent.id);
  }
  auto work = map ? map_work(job, index, placed.task, offer.agent, catalog_endpoint)
                  : reduce_work(job, index, placed.task, offer.agent, agents, catalog_endpoint);
  return {placed.task, Resources{{kind(map), 1}}, job.id, std::move(work)};
}

PendingTask MapReduce::Impl::pending_map(const Job& job, std::uint32_t index) const {
  PendingTask task{job.maps.current(index), kind(true), {}, {}, read_first(job)};
  if (job.inputs.at(index).blocks.empty()) return task;
  const auto& block = job.inputs.at(index).blocks.front();
  task.bytes = block.length;
  for (const auto& replica : block.replicas) {
    task.nodes.push_back(replica.agent);
    const bool is_new = std::find(task.racks.begin(), task.racks.end(), replica.rack) == task.racks.end();
    if (is_new && !replica.rack.empty()) task.racks.push_back(replica.rack);
  }
  return task;
}

/// For logs, which would grow with tasks times agents.
std::vector<AgentId> MapReduce::Impl::first_holders(const Job& job) const {
  constexpr std::size_t kShown = 20;
  auto all = holders.of_all(job.cached);
  all.resize(std::min(all.size(), kShown));
  return all;
}

void MapReduce::Impl::put_up(Driver& driver, Job& job, bool map, std::uint32_t index) {
  const auto id = job.table(map).open(index);
  auto task = map ? pending_map(job, index) : PendingTask{id, kind(false), {}, {}, read_first(job)};
  task.since = driver.now();
  driver.trace(TaskQueued{job.id, id, kind(map), task.nodes.empty() ? first_holders(job) : task.nodes});
  pool.add(job.id, std::move(task));
}

void MapReduce::Impl::open(Driver& driver, Job& job, bool map, std::uint32_t index) {
  put_up(driver, job, map, index);
  answer->tasks_added(driver, kind(map));
}

bool MapReduce::Impl::too_many_long(JobId job, AgentId agent, std::size_t placed) {
  if (!config.balance_long_tasks || !long_tasks.crowded(job, agent, placed, recent.count())) return false;
  crowded = true;
  return true;
}

void MapReduce::Impl::close_all(Job& job, bool map) {
  auto& table = job.table(map);
  while (!table.open_tasks().empty()) {
    const auto id = table.current(*table.open_tasks().begin());
    PROFFER_CHECK(pool.remove(job.id, id), "an open attempt is not in the pool");
    avoided.remove(id);
    table.close(id);
  }
}

}  // namespace proffer

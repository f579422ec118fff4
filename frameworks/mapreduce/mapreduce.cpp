// The MapReduce framework: checks what it is configured with, and dispatches the scheduler's callbacks.
#include "proffer/frameworks/mapreduce.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "frameworks/mapreduce/formers.hpp"
#include "frameworks/mapreduce/hot_blocks.hpp"
#include "frameworks/mapreduce/notes.hpp"
#include "frameworks/mapreduce/offers.hpp"
#include "frameworks/mapreduce/operating.hpp"
#include "frameworks/mapreduce/phases.hpp"
#include "frameworks/mapreduce/queue.hpp"
#include "frameworks/mapreduce/resuming.hpp"
#include "frameworks/mapreduce/statuses.hpp"
#include "proffer/check.hpp"
#include "proffer/pool_settings.hpp"

namespace proffer {

struct MapReduce::Impl {
  mapreduce::State state;

  /// Runs one callback: first what it brings about at once, then what that means for the line of jobs.
  template <class Callback>
  auto step(Driver& driver, Callback&& callback) {
    const mapreduce::Turn turn(state, driver);
    if constexpr (std::is_void_v<decltype(callback(turn))>) {
      callback(turn);
      settle(turn);
    } else {
      auto result = callback(turn);
      settle(turn);
      return result;
    }
  }
};

MapReduce::MapReduce(MapReduceConfig config, JobObserver* observer)
    : impl_(new Impl{mapreduce::State(std::move(config), observer)}) {}
MapReduce::~MapReduce() = default;

Result<std::unique_ptr<MapReduce>> MapReduce::make(MapReduceConfig config, JobObserver* observer) {
  auto policy = make_policy(config.policy);
  if (!policy) return policy.error();
  if (auto given = give_foresight(**policy, config.policy, config.foresight); !given) return given.error();
  if (config.map_kind == config.reduce_kind) {
    return Error{ErrorCode::invalid, "maps and reduces need slots of different kinds"};
  }
  if (config.slow_start_milli > 1000) return Error{ErrorCode::invalid, "a slow start is a part of all maps"};
  if (config.gather_for <= Duration::zero()) return Error{ErrorCode::invalid, "gather_for must be above 0"};
  if (config.max_attempts == 0) return Error{ErrorCode::invalid, "a task needs at least one attempt"};
  if (auto rules = check_speculation(config.speculation); !rules) return rules.error();
  if (auto pools = check_pools(config.sharing.pools); !pools) return pools.error();
  const std::array kinds{config.map_kind, config.reduce_kind};
  if (auto found = find_contradiction(config.sharing.pools, config.sharing.mode, kinds)) {
    return Error{ErrorCode::invalid, std::move(found->sentence)};
  }
  if (config.sharing.preemption.fair_share_timeout &&
      *config.sharing.preemption.fair_share_timeout <= Duration::zero()) {
    return Error{ErrorCode::invalid, "the fair_share_timeout must be above 0"};
  }
  const auto refused = refuse_preemption(config.sharing.preemption, config.sharing.share_by);
  if (!refused.empty()) return Error{ErrorCode::invalid, refused};
  std::unique_ptr<MapReduce> made(new MapReduce(std::move(config), observer));
  made->impl_->state.replies.use(std::move(*policy));
  return made;
}

Result<JobId> MapReduce::submit(JobSpec spec) {
  if (auto checked = check_job(spec); !checked) return checked.error();
  auto& state = impl_->state;
  const JobId id{static_cast<std::uint32_t>(state.jobs.size() + 1)};
  auto formers = mapreduce::find_formers(state.jobs, id, spec);
  if (!formers) return formers.error();
  state.jobs.emplace(id, mapreduce::Job(id, std::move(spec))).first->second.formers = std::move(*formers);
  state.line.add(id);
  return id;
}

void MapReduce::cancel() { impl_->state.line.cancel(); }

void MapReduce::resumed(Driver& driver, std::span<const ResumedTask> tasks,
                        const std::map<std::string, std::string>& notes) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) { mapreduce::resume(turn, tasks, notes); });
}

void MapReduce::started(Driver& driver) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) {
    tell_rules(turn);
    turn.state.replies.requests().declare(driver);
  });
}

void MapReduce::subscribed(Driver& driver, const Subscribed& subscribed) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) {
    auto& state = turn.state;
    auto& framework = state.connection.framework;
    state.connection.catalog_endpoint = subscribed.catalog_endpoint;
    if (!framework) {
      // Only now is the cluster's heartbeat known, on which a policy's usual waits depend.
      auto policy = make_policy(state.config.policy, subscribed.heartbeat).value();
      PROFFER_CHECK(give_foresight(*policy, state.config.policy, state.config.foresight).ok(),
                    "as in make()");
      state.replies.use(std::move(policy));
    }
    const auto former = framework ? framework : state.connection.former_framework;
    if (former && *former != subscribed.framework) lose_all_outputs(turn);
    if (framework != subscribed.framework) note_framework(turn, subscribed.framework);
    framework = subscribed.framework;
    state.line.note_chance();
    state.replies.requests().declare(driver);
  });
}

void MapReduce::resource_offers(Driver& driver, const Offers& offers) {
  if (impl_->state.replies.keeps(offers, driver.now())) return;
  impl_->step(driver, [&](const mapreduce::Turn& turn) { take_offers(turn, offers); });
}

void MapReduce::offers_rescinded(Driver&, std::span<const OfferId> offers) {
  impl_->state.replies.rescind(offers);
}

void MapReduce::disconnected(Driver&) { impl_->state.replies.disconnected(); }

void MapReduce::status_update(Driver& driver, const TaskStatus& status) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) {
    turn.state.launches.owner_of(status.task) ? update(turn, status) : hold_back(turn, status);
  });
}

std::vector<TaskId> MapReduce::choose_victims(Driver&, Kind kind, std::int64_t slots,
                                              std::span<const HeldTask> newest_first) {
  auto victims = impl_->state.pool.choose_losses(kind, slots, newest_first);
  const auto left = slots - static_cast<std::int64_t>(victims.size());
  std::vector<HeldTask> others(newest_first.begin(), newest_first.end());
  std::erase_if(others, [&](const HeldTask& held) {
    return std::find(victims.begin(), victims.end(), held.task) != victims.end();
  });
  // A rigid job loses all that runs of it with one task.
  std::ranges::stable_partition(others, [&](const HeldTask& held) {
    const auto owner = impl_->state.launches.owner_of(held.task);
    return !owner || !impl_->state.jobs.at(owner->job).spec.rigid();
  });
  for (auto& task : newest_victims(left, others)) victims.push_back(std::move(task));
  return victims;
}

void MapReduce::task_said(Driver& driver, const TaskId& task, const std::string& payload) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) { said(turn, task, payload); });
}

void MapReduce::catalog_answered(Driver& driver, const Message& answer) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) { answered(turn, answer); });
}

void MapReduce::replicas_changed(Driver& driver, const ReplicasChanged& changed) {
  impl_->step(driver, [&](const mapreduce::Turn& turn) { note_replicas(turn, changed); });
}

Result<std::string> MapReduce::kill_job(Driver& driver, const KillJob& kill) {
  return impl_->step(driver,
                     [&](const mapreduce::Turn& turn) { return mapreduce::kill_job(turn.state, kill); });
}

Result<std::string> MapReduce::move_job(Driver& driver, const MoveJob& move) {
  return impl_->step(driver, [&](const mapreduce::Turn& turn) { return mapreduce::move_job(turn, move); });
}

void MapReduce::failed(Driver& driver, const Error& error) {
  auto& state = impl_->state;
  const mapreduce::Turn turn(state, driver);
  state.connection.refused = error;
  for (auto& [id, job] : state.jobs) {
    if (job.ended()) continue;
    const bool published = job.output.published;
    if (!published && job.why.empty()) job.why = error.message;
    end(turn, job, published ? JobPhase::succeeded : JobPhase::failed);
  }
  state.connection.stopped = true;
}

std::optional<Time> MapReduce::next_deadline() const { return mapreduce::next_deadline(impl_->state); }

void MapReduce::deadline(Driver& driver) {
  impl_->step(driver, [](const mapreduce::Turn& turn) { mapreduce::deadline(turn); });
}

bool MapReduce::all_ended() const { return impl_->state.line.active().empty(); }

bool MapReduce::all_succeeded() const {
  const auto& jobs = impl_->state.jobs;
  return std::all_of(jobs.begin(), jobs.end(),
                     [](const auto& entry) { return entry.second.phase == JobPhase::succeeded; });
}

std::vector<JobReport> MapReduce::reports() const {
  std::vector<JobReport> reports;
  for (const auto& [id, job] : impl_->state.jobs) reports.push_back(job.report());
  return reports;
}

const OfferTotals& MapReduce::offer_totals() const { return impl_->state.replies.totals(); }

const std::optional<Error>& MapReduce::refused() const { return impl_->state.connection.refused; }

void MapReduce::check_invariants() const { impl_->state.check_invariants(); }

std::string_view to_string(JobPhase phase) {
  switch (phase) {
    case JobPhase::queued:
      return "queued";
    case JobPhase::planning:
      return "planning";
    case JobPhase::running:
      return "running";
    case JobPhase::committing:
      return "committing";
    case JobPhase::failing:
      return "failing";
    case JobPhase::succeeded:
      return "succeeded";
    case JobPhase::failed:
      break;
  }
  return "failed";
}

}  // namespace proffer

// The MapReduce framework: dispatches the scheduler's callbacks.
#include "proffer/frameworks/mapreduce.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "proffer/pool_settings.hpp"

namespace proffer {

MapReduce::MapReduce(MapReduceConfig config, JobObserver* observer)
    : impl_(std::make_unique<Impl>(std::move(config), observer)) {}
MapReduce::~MapReduce() = default;

Result<std::unique_ptr<MapReduce>> MapReduce::make(MapReduceConfig config, JobObserver* observer) {
  auto policy = make_policy(config.policy);
  if (!policy) return policy.error();
  if (auto given = give_foresight(**policy, config.policy, config.foresight); !given) return given.error();
  if (config.map_kind == config.reduce_kind) {
    return Error{ErrorCode::invalid, "maps and reduces need slots of different kinds"};
  }
  if (config.slow_start_milli > 1000) return Error{ErrorCode::invalid, "a slow start is a part of all maps"};
  if (config.max_attempts == 0) return Error{ErrorCode::invalid, "a task needs at least one attempt"};
  if (auto pools = check_pools(config.pools); !pools) return pools.error();
  const std::array kinds{config.map_kind, config.reduce_kind};
  if (auto found = find_contradiction(config.pools, config.mode, kinds)) {
    return Error{ErrorCode::invalid, std::move(found->sentence)};
  }
  if (config.preemption.fair_share_timeout && *config.preemption.fair_share_timeout <= Duration::zero()) {
    return Error{ErrorCode::invalid, "the fair_share_timeout must be above 0"};
  }
  const auto refused = refuse_preemption(config.preemption, config.share_by);
  if (!refused.empty()) return Error{ErrorCode::invalid, refused};
  std::unique_ptr<MapReduce> made(new MapReduce(std::move(config), observer));
  made->impl_->use(std::move(*policy));
  return made;
}

Result<JobId> MapReduce::submit(JobSpec spec) {
  if (auto checked = check_job(spec); !checked) return checked.error();
  const JobId id{static_cast<std::uint32_t>(impl_->jobs.size() + 1)};
  impl_->jobs.emplace(id, mapreduce::Job(id, std::move(spec)));
  impl_->active.insert(id);
  impl_->news = true;
  return id;
}

void MapReduce::cancel() {
  impl_->cancelled = true;
  impl_->news = true;
}

void MapReduce::started(Driver& driver) {
  impl_->tell_rules(driver);
  impl_->answer->declare(driver);
  impl_->settle(driver);
}

void MapReduce::subscribed(Driver& driver, const Subscribed& subscribed) {
  auto& impl = *impl_;
  impl.catalog_endpoint = subscribed.catalog_endpoint;
  if (!impl.framework) {
    // Only now is the cluster's heartbeat known, on which a policy's usual waits depend.
    auto policy = make_policy(impl.config.policy, subscribed.heartbeat).value();
    PROFFER_CHECK(give_foresight(*policy, impl.config.policy, impl.config.foresight).ok(), "as in make()");
    impl.use(std::move(policy));
  } else if (*impl.framework != subscribed.framework) {
    impl.lose_all_outputs(driver);
  }
  impl.framework = subscribed.framework;
  impl.news = true;
  impl.answer->declare(driver);
  impl.settle(driver);
}

void MapReduce::resource_offers(Driver& driver, const Offers& offers) {
  if (impl_->held.keeps(offers, impl_->answer->holds_offers(), driver.now())) return;
  impl_->take_offers(driver, offers);
  impl_->settle(driver);
}

void MapReduce::offers_rescinded(Driver&, std::span<const OfferId> offers) { impl_->held.rescind(offers); }
void MapReduce::disconnected(Driver&) { impl_->held.clear(); }

void MapReduce::status_update(Driver& driver, const TaskStatus& status) {
  impl_->update(driver, status);
  impl_->settle(driver);
}

std::vector<TaskId> MapReduce::choose_victims(Driver&, Kind kind, std::int64_t slots,
                                              std::span<const HeldTask> newest_first) {
  auto victims = impl_->pool.choose_losses(kind, slots, newest_first);
  const auto left = slots - static_cast<std::int64_t>(victims.size());
  std::vector<HeldTask> others(newest_first.begin(), newest_first.end());
  std::erase_if(others, [&](const HeldTask& held) {
    return std::find(victims.begin(), victims.end(), held.task) != victims.end();
  });
  for (auto& task : newest_victims(left, others)) victims.push_back(std::move(task));
  return victims;
}

void MapReduce::task_said(Driver& driver, const TaskId& task, const std::string& payload) {
  impl_->said(driver, task, payload);
  impl_->settle(driver);
}

void MapReduce::catalog_answered(Driver& driver, const Message& answer) {
  impl_->answered(driver, answer);
  impl_->settle(driver);
}

void MapReduce::replicas_changed(Driver& driver, const ReplicasChanged& changed) {
  impl_->replicas_changed(driver, changed);
  impl_->settle(driver);
}

Result<std::string> MapReduce::kill_job(Driver& driver, const KillJob& kill) {
  auto done = impl_->kill_job(kill);
  impl_->settle(driver);
  return done;
}

Result<std::string> MapReduce::move_job(Driver& driver, const MoveJob& move) {
  auto done = impl_->move_job(driver, move);
  impl_->settle(driver);
  return done;
}

void MapReduce::failed(Driver& driver, const Error& error) {
  auto& impl = *impl_;
  impl.refused = error;
  for (auto& [id, job] : impl.jobs) {
    if (job.ended()) continue;
    if (!job.published && job.why.empty()) job.why = error.message;
    impl.end(driver, job, job.published ? JobPhase::succeeded : JobPhase::failed);
  }
  impl.stopped = true;
}

std::optional<Time> MapReduce::next_deadline() const { return impl_->next_deadline(); }

void MapReduce::deadline(Driver& driver) {
  impl_->deadline(driver);
  impl_->settle(driver);
}

bool MapReduce::all_ended() const { return impl_->all_ended(); }

bool MapReduce::all_succeeded() const {
  return std::all_of(impl_->jobs.begin(), impl_->jobs.end(),
                     [](const auto& entry) { return entry.second.phase == JobPhase::succeeded; });
}

std::vector<JobReport> MapReduce::reports() const {
  std::vector<JobReport> reports;
  for (const auto& [id, job] : impl_->jobs) reports.push_back(job.report());
  return reports;
}

const OfferTotals& MapReduce::offer_totals() const { return impl_->totals; }

const std::optional<Error>& MapReduce::refused() const { return impl_->refused; }

void MapReduce::check_invariants() const {
  impl_->pool.check_invariants();
  impl_->long_tasks.check_invariants();
  for (const auto& [id, job] : impl_->jobs) {
    job.maps.check_invariants();
    job.reduces.check_invariants();
    job.early.check_invariants();
    PROFFER_CHECK((job.ended_maps.size() == job.maps.size()) == job.maps.all_done(),
                  "the list of ended maps is not that of the table");
    PROFFER_CHECK(job.phase != JobPhase::succeeded || job.published, "a job succeeded unpublished");
    for (const bool map : {true, false}) {
      const auto unlaunched = impl_->in_pool.contains(id) ? impl_->pool.unlaunched(id, impl_->kind(map)) : 0;
      const auto open = map ? job.maps.open_tasks().size() : job.reduces.open_tasks().size();
      PROFFER_CHECK(unlaunched == static_cast<std::int64_t>(open), "the pool and a job disagree");
    }
  }
}

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

// The event log's view of trace.hpp: the names of JSON members, in the order in which they are written. Units
// that JSON cannot carry are in the name (held_us).
#pragma once

#include "formats/fields/field.hpp"
#include "formats/fields/work.hpp"
#include "proffer/trace.hpp"

namespace proffer::formats {

/// A member that logs of earlier versions lack.
struct Since : Plain {};

/// The fields that begin each line; "event" and the event's own fields follow.
struct LineHead {
  std::int64_t t_us = 0;
  std::uint64_t seq = 0;
  std::string source;
};

template <>
struct Layout<LineHead> {
  static constexpr auto fields = std::tuple{field("t_us", &LineHead::t_us), field("seq", &LineHead::seq),
                                            field("source", &LineHead::source)};
};

// ---- decisions of the allocator ----

template <>
struct Layout<AgentRegistered> {
  static constexpr std::string_view name = "agent_registered";
  static constexpr auto fields =
      std::tuple{field("agent", &AgentRegistered::agent), field("name", &AgentRegistered::name),
                 field("rack", &AgentRegistered::rack), field("slots", &AgentRegistered::slots)};
};

template <>
struct Layout<AgentLost> {
  static constexpr std::string_view name = "agent_lost";
  static constexpr auto fields = std::tuple{field("agent", &AgentLost::agent), field("why", &AgentLost::why)};
};

template <>
struct Layout<FrameworkSubscribed> {
  static constexpr std::string_view name = "framework_subscribed";
  static constexpr auto fields =
      std::tuple{field("framework", &FrameworkSubscribed::framework),
                 field("name", &FrameworkSubscribed::name), field("pool", &FrameworkSubscribed::pool)};
};

template <>
struct Layout<FrameworkLost> {
  static constexpr std::string_view name = "framework_lost";
  static constexpr auto fields =
      std::tuple{field("framework", &FrameworkLost::framework), field("removed", &FrameworkLost::removed),
                 field("why", &FrameworkLost::why)};
};

template <>
struct Layout<FrameworkMoved> {
  static constexpr std::string_view name = "framework_moved";
  static constexpr auto fields =
      std::tuple{field("framework", &FrameworkMoved::framework), field("pool", &FrameworkMoved::pool)};
};

template <>
struct Layout<DemandChanged> {
  static constexpr std::string_view name = "demand_changed";
  static constexpr auto fields =
      std::tuple{field("framework", &DemandChanged::framework), field("kind", &DemandChanged::kind),
                 field("demand", &DemandChanged::demand)};
};

template <>
struct Layout<OfferMade> {
  static constexpr std::string_view name = "offer_made";
  static constexpr auto fields =
      std::tuple{field("offer", &OfferMade::offer), field("framework", &OfferMade::framework),
                 field("agent", &OfferMade::agent), field("resources", &OfferMade::resources)};
};

template <>
struct Layout<OfferAccepted> {
  static constexpr std::string_view name = "offer_accepted";
  static constexpr auto fields =
      std::tuple{field("offer", &OfferAccepted::offer), field("framework", &OfferAccepted::framework),
                 field("tasks", &OfferAccepted::tasks), field("held_us", &OfferAccepted::held)};
};

template <>
struct Layout<OfferDeclined> {
  static constexpr std::string_view name = "offer_declined";
  static constexpr auto fields = std::tuple{
      field("offer", &OfferDeclined::offer),  field("framework", &OfferDeclined::framework),
      field("agent", &OfferDeclined::agent),  field("reason", &OfferDeclined::reason),
      field("held_us", &OfferDeclined::held), field("refuse_for_us", &OfferDeclined::refuse_for_us)};
};

template <>
struct Layout<OfferRescinded> {
  static constexpr std::string_view name = "offer_rescinded";
  static constexpr auto fields =
      std::tuple{field("offer", &OfferRescinded::offer), field("framework", &OfferRescinded::framework)};
};

template <>
struct Layout<OfferExpired> {
  static constexpr std::string_view name = "offer_expired";
  static constexpr auto fields =
      std::tuple{field("offer", &OfferExpired::offer), field("framework", &OfferExpired::framework)};
};

template <>
struct Layout<TaskLaunched> {
  static constexpr std::string_view name = "task_launched";
  static constexpr auto fields =
      std::tuple{field("framework", &TaskLaunched::framework), field("task", &TaskLaunched::task),
                 field("launch", &TaskLaunched::launch), field("agent", &TaskLaunched::agent),
                 field("resources", &TaskLaunched::resources)};
};

template <>
struct Layout<TaskChanged> {
  static constexpr std::string_view name = "task_changed";
  static constexpr auto fields =
      std::tuple{field("framework", &TaskChanged::framework), field("task", &TaskChanged::task),
                 field("agent", &TaskChanged::agent), field("state", &TaskChanged::state),
                 field("reason", &TaskChanged::reason)};
};

template <>
struct Layout<PoolStarved> {
  static constexpr std::string_view name = "pool_starved";
  static constexpr auto fields =
      std::tuple{field("pool", &PoolStarved::pool), field("kind", &PoolStarved::kind),
                 field("used", &PoolStarved::used), field("target", &PoolStarved::target)};
};

template <>
struct Layout<SlotsPreempted> {
  static constexpr std::string_view name = "slots_preempted";
  static constexpr auto fields =
      std::tuple{field("framework", &SlotsPreempted::framework), field("pool", &SlotsPreempted::pool),
                 field("kind", &SlotsPreempted::kind), field("slots", &SlotsPreempted::slots),
                 field("enforced", &SlotsPreempted::enforced)};
};

// ---- notes of the allocator ----

template <>
struct Layout<AllocatorRules> {
  static constexpr std::string_view name = "allocator_rules";
  static constexpr auto fields = std::tuple{field("offer_timeout_us", &AllocatorRules::offer_timeout),
                                            field("report_period_us", &AllocatorRules::report_period)};
};

template <>
struct Layout<FrameworkAdded> {
  static constexpr std::string_view name = "framework_added";
  static constexpr auto fields =
      std::tuple{field("framework", &FrameworkAdded::framework), field("user", &FrameworkAdded::user),
                 field("priority", &FrameworkAdded::priority)};
};

template <>
struct Layout<PoolWarned> {
  static constexpr std::string_view name = "pool_warned";
  static constexpr auto fields = std::tuple{field("pool", &PoolWarned::pool), field("why", &PoolWarned::why)};
};

template <>
struct Layout<AgentLeased> {
  static constexpr std::string_view name = "agent_leased";
  static constexpr auto fields =
      std::tuple{field("agent", &AgentLeased::agent), field("pool", &AgentLeased::pool),
                 field("returned", &AgentLeased::returned)};
};

// ---- notes of the allocator and of frameworks ----

template <>
struct Layout<PoolChanged> {
  static constexpr std::string_view name = "pool_changed";
  static constexpr auto fields = std::tuple{field("pool", &PoolChanged::pool),
                                            field("removed", &PoolChanged::removed),
                                            field("weight_milli", &PoolChanged::weight_milli),
                                            field("min_share", &PoolChanged::min_share),
                                            field("order", &PoolChanged::order),
                                            field("max_running", &PoolChanged::max_running),
                                            field("max_running_per_user", &PoolChanged::max_running_per_user),
                                            field("racks", &PoolChanged::racks),
                                            field("agents", &PoolChanged::agents),
                                            field("user_limit", &PoolChanged::user_limit, Since{}),
                                            field("private_agents", &PoolChanged::private_agents, Since{})};
};

template <>
struct Layout<UserLimited> {
  static constexpr std::string_view name = "user_limited";
  static constexpr auto fields =
      std::tuple{field("user", &UserLimited::user), field("removed", &UserLimited::removed),
                 field("max_running", &UserLimited::max_running)};
};

// ---- decisions of a framework ----

template <>
struct Layout<JobSubmitted> {
  static constexpr std::string_view name = "job_submitted";
  static constexpr auto fields =
      std::tuple{field("job", &JobSubmitted::job), field("name", &JobSubmitted::name),
                 field("maps", &JobSubmitted::maps), field("reduces", &JobSubmitted::reduces)};
};

template <>
struct Layout<TaskPlaced> {
  static constexpr std::string_view name = "task_placed";
  static constexpr auto fields =
      std::tuple{field("job", &TaskPlaced::job),           field("task", &TaskPlaced::task),
                 field("agent", &TaskPlaced::agent),       field("kind", &TaskPlaced::kind),
                 field("locality", &TaskPlaced::locality), field("preferred", &TaskPlaced::preferred),
                 field("waited_us", &TaskPlaced::waited)};
};

template <>
struct Layout<JobFinished> {
  static constexpr std::string_view name = "job_finished";
  static constexpr auto fields = std::tuple{field("job", &JobFinished::job), field("ok", &JobFinished::ok),
                                            field("why", &JobFinished::why)};
};

template <>
struct Layout<JobMoved> {
  static constexpr std::string_view name = "job_moved";
  static constexpr auto fields = std::tuple{field("job", &JobMoved::job), field("pool", &JobMoved::pool)};
};

template <>
struct Layout<TaskPreempted> {
  static constexpr std::string_view name = "task_preempted";
  static constexpr auto fields =
      std::tuple{field("job", &TaskPreempted::job), field("task", &TaskPreempted::task),
                 field("kind", &TaskPreempted::kind), field("pool", &TaskPreempted::pool),
                 field("enforced", &TaskPreempted::enforced)};
};

template <>
struct Layout<GatheredTooFew> {
  static constexpr std::string_view name = "gathered_too_few";
  static constexpr auto fields =
      std::tuple{field("job", &GatheredTooFew::job), field("kind", &GatheredTooFew::kind),
                 field("wanted", &GatheredTooFew::wanted), field("held", &GatheredTooFew::held),
                 field("pause_us", &GatheredTooFew::pause)};
};

// ---- notes of a framework ----

template <>
struct Layout<FrameworkRules> {
  static constexpr std::string_view name = "framework_rules";
  static constexpr auto fields = std::tuple{field("policy", &FrameworkRules::policy),
                                            field("max_running_jobs", &FrameworkRules::max_running_jobs)};
};

template <>
struct Layout<JobQueued> {
  static constexpr std::string_view name = "job_queued";
  static constexpr auto fields = std::tuple{field("job", &JobQueued::job),
                                            field("name", &JobQueued::name),
                                            field("pool", &JobQueued::pool),
                                            field("user", &JobQueued::user),
                                            field("priority", &JobQueued::priority),
                                            field("after", &JobQueued::after, Since{}),
                                            field("deadline", &JobQueued::deadline, Since{})};
};

template <>
struct Layout<TaskQueued> {
  static constexpr std::string_view name = "task_queued";
  static constexpr auto fields = std::tuple{
      field("job", &TaskQueued::job), field("task", &TaskQueued::task), field("kind", &TaskQueued::kind),
      field("prefers", &TaskQueued::prefers), field("backs_up", &TaskQueued::backs_up, Since{})};
};

template <>
struct Layout<SessionBegan> {
  static constexpr std::string_view name = "session_began";
  static constexpr auto fields = std::tuple{field("framework", &SessionBegan::framework)};
};

// ---- events of an agent ----

template <>
struct Layout<RunBegan> {
  static constexpr std::string_view name = "run_began";
  static constexpr auto fields =
      std::tuple{field("launch", &RunBegan::launch), field("task", &RunBegan::task)};
};

template <>
struct Layout<ComputeBegan> {
  static constexpr std::string_view name = "compute_began";
  static constexpr auto fields =
      std::tuple{field("launch", &ComputeBegan::launch), field("task", &ComputeBegan::task)};
};

template <>
struct Layout<RunEnded> {
  static constexpr std::string_view name = "run_ended";
  static constexpr auto fields = std::tuple{field("launch", &RunEnded::launch),
                                            field("task", &RunEnded::task), field("exit", &RunEnded::exit)};
};

template <>
struct Layout<AgentTrouble> {
  static constexpr std::string_view name = "agent_trouble";
  static constexpr auto fields =
      std::tuple{field("agent", &AgentTrouble::agent), field("why", &AgentTrouble::why)};
};

template <>
struct Layout<ClusterDegraded> {
  static constexpr std::string_view name = "cluster_degraded";
  static constexpr auto fields = std::tuple{field("why", &ClusterDegraded::why)};
};

// ---- decisions of the catalog ----

template <>
struct Layout<FileChanged> {
  static constexpr std::string_view name = "file_changed";
  static constexpr auto fields =
      std::tuple{field("path", &FileChanged::path), field("what", &FileChanged::what)};
};

template <>
struct Layout<ReplicaChanged> {
  static constexpr std::string_view name = "replica_changed";
  static constexpr auto fields =
      std::tuple{field("block", &ReplicaChanged::block), field("agent", &ReplicaChanged::agent),
                 field("present", &ReplicaChanged::present)};
};

template <>
struct Layout<CopyDecided> {
  static constexpr std::string_view name = "copy_decided";
  static constexpr auto fields =
      std::tuple{field("block", &CopyDecided::block),   field("bytes", &CopyDecided::bytes),
                 field("from", &CopyDecided::from),     field("to", &CopyDecided::to),
                 field("factor", &CopyDecided::factor), field("mean", &CopyDecided::mean),
                 field("why", &CopyDecided::why)};
};

template <>
struct Layout<DropDecided> {
  static constexpr std::string_view name = "drop_decided";
  static constexpr auto fields =
      std::tuple{field("block", &DropDecided::block), field("bytes", &DropDecided::bytes),
                 field("agent", &DropDecided::agent), field("factor", &DropDecided::factor),
                 field("mean", &DropDecided::mean),   field("why", &DropDecided::why)};
};

template <>
struct Layout<CopyEnded> {
  static constexpr std::string_view name = "copy_ended";
  static constexpr auto fields = std::tuple{
      field("block", &CopyEnded::block), field("bytes", &CopyEnded::bytes), field("agent", &CopyEnded::agent),
      field("ok", &CopyEnded::ok), field("why", &CopyEnded::why)};
};

template <>
struct Layout<StorageCounted> {
  static constexpr std::string_view name = "storage_counted";
  static constexpr auto fields =
      std::tuple{field("base", &StorageCounted::base), field("extra", &StorageCounted::extra)};
};

// ---- of every machine ----

template <>
struct Layout<MessageRefused> {
  static constexpr std::string_view name = "message_refused";
  static constexpr auto fields =
      std::tuple{field("type", &MessageRefused::type), field("code", &MessageRefused::code),
                 field("why", &MessageRefused::why)};
};

template <>
struct Layout<LinesLost> {
  static constexpr std::string_view name = "lines_lost";
  static constexpr auto fields = std::tuple{field("lines", &LinesLost::lines), field("why", &LinesLost::why)};
};

}  // namespace proffer::formats

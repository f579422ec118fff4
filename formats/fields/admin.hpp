// The wire's view of messages/admin.hpp: numbers from 120.
#pragma once

#include "formats/fields/field.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::formats {

template <>
struct Layout<Describe> {
  static constexpr std::uint8_t number = 120;
  static constexpr auto fields =
      std::tuple{field("request", &Describe::request), field("tasks", &Describe::tasks)};
};

template <>
struct Layout<AgentState> {
  static constexpr std::string_view name = "agent state";
  static constexpr auto fields = std::tuple{field("id", &AgentState::id),
                                            field("name", &AgentState::name, Name{}),
                                            field("rack", &AgentState::rack, Name{}),
                                            field("data_endpoint", &AgentState::data_endpoint, Endpoint{}),
                                            field("reachable", &AgentState::reachable),
                                            field("total", &AgentState::total),
                                            field("used", &AgentState::used),
                                            field("offered", &AgentState::offered),
                                            field("trouble", &AgentState::trouble, Text{}),
                                            field("wish", &AgentState::wish, Short{}),
                                            field("tasks", &AgentState::tasks),
                                            field("reach", &AgentState::reach, Short{})};
};

template <>
struct Layout<FrameworkState> {
  static constexpr std::string_view name = "framework state";
  static constexpr auto fields = std::tuple{field("id", &FrameworkState::id),
                                            field("name", &FrameworkState::name, Name{}),
                                            field("pool", &FrameworkState::pool, Pool{}),
                                            field("user", &FrameworkState::user, Short{}),
                                            field("connected", &FrameworkState::connected),
                                            field("used", &FrameworkState::used),
                                            field("offered", &FrameworkState::offered),
                                            field("demand", &FrameworkState::demand),
                                            field("fair", &FrameworkState::fair),
                                            field("offers_sent", &FrameworkState::offers_sent),
                                            field("offers_accepted", &FrameworkState::offers_accepted),
                                            field("offers_rescinded", &FrameworkState::offers_rescinded),
                                            field("offers_expired", &FrameworkState::offers_expired),
                                            field("offers_declined", &FrameworkState::offers_declined),
                                            field("tasks_launched", &FrameworkState::tasks_launched),
                                            field("tasks_finished", &FrameworkState::tasks_finished),
                                            field("tasks_failed", &FrameworkState::tasks_failed),
                                            field("offers_held", &FrameworkState::offers_held),
                                            field("priority", &FrameworkState::priority, Short{}),
                                            field("given_up_in", &FrameworkState::given_up_in)};
};

template <>
struct Layout<PoolState> {
  static constexpr std::string_view name = "pool state";
  static constexpr auto fields = std::tuple{field("name", &PoolState::name, Pool{}),
                                            field("weight_milli", &PoolState::weight_milli),
                                            field("min_share", &PoolState::min_share),
                                            field("used", &PoolState::used),
                                            field("demand", &PoolState::demand),
                                            field("fair", &PoolState::fair),
                                            field("frameworks", &PoolState::frameworks),
                                            field("order", &PoolState::order, Short{}),
                                            field("max_running", &PoolState::max_running),
                                            field("max_running_per_user", &PoolState::max_running_per_user),
                                            field("waiting", &PoolState::waiting),
                                            field("racks", &PoolState::racks, List<kPlacesShown, Name>{}),
                                            field("agents", &PoolState::agents, List<kPlacesShown, Name>{}),
                                            field("private_agents", &PoolState::private_agents),
                                            field("user_limit", &PoolState::user_limit),
                                            field("min_share_timeout", &PoolState::min_share_timeout),
                                            field("return_after", &PoolState::return_after)};
};

template <>
struct Layout<LivingTask> {
  static constexpr std::string_view name = "living task";
  static constexpr auto fields =
      std::tuple{field("agent", &LivingTask::agent), field("framework", &LivingTask::framework),
                 field("task", &LivingTask::task),   field("job", &LivingTask::job),
                 field("state", &LivingTask::state), field("resources", &LivingTask::resources)};
};

template <>
struct Layout<ClusterState> {
  static constexpr std::uint8_t number = 121;
  static constexpr auto fields =
      std::tuple{field("request", &ClusterState::request),
                 field("catalog_endpoint", &ClusterState::catalog_endpoint, Endpoint{}),
                 field("agents", &ClusterState::agents),
                 field("frameworks", &ClusterState::frameworks),
                 field("pools", &ClusterState::pools),
                 field("more", &ClusterState::more),
                 field("event_log", &ClusterState::event_log, Path{}),
                 field("preemption", &ClusterState::preemption, Short{}),
                 field("fair_share_timeout", &ClusterState::fair_share_timeout),
                 field("fair_share_threshold_milli", &ClusterState::fair_share_threshold_milli),
                 field("preemption_deadline", &ClusterState::preemption_deadline),
                 field("agents_known", &ClusterState::agents_known),
                 field("agents_back", &ClusterState::agents_back),
                 field("recovers_for", &ClusterState::recovers_for),
                 field("degraded", &ClusterState::degraded, Text{}),
                 field("http", &ClusterState::http, Short{}),
                 field("tasks", &ClusterState::tasks),
                 field("living", &ClusterState::living)};
};

template <>
struct Layout<ChangePool> {
  static constexpr std::uint8_t number = 122;
  static constexpr auto fields =
      std::tuple{field("request", &ChangePool::request),
                 field("verb", &ChangePool::verb, Short{}),
                 field("pool", &ChangePool::pool, Pool{}),
                 field("weight_milli", &ChangePool::weight_milli),
                 field("min_share", &ChangePool::min_share),
                 field("order", &ChangePool::order, Short{}),
                 field("max_running", &ChangePool::max_running),
                 field("max_running_per_user", &ChangePool::max_running_per_user),
                 field("min_share_timeout", &ChangePool::min_share_timeout),
                 field("racks", &ChangePool::racks, List<limits::kItems, Name>{}),
                 field("agents", &ChangePool::agents, List<limits::kItems, Name>{}),
                 field("private_agents", &ChangePool::private_agents),
                 field("return_after", &ChangePool::return_after),
                 field("user_limit", &ChangePool::user_limit)};
};

template <>
struct Layout<ReloadPools> {
  static constexpr std::uint8_t number = 123;
  static constexpr auto fields = std::tuple{field("request", &ReloadPools::request)};
};

template <>
struct Layout<MoveFramework> {
  static constexpr std::uint8_t number = 124;
  static constexpr auto fields = std::tuple{field("request", &MoveFramework::request),
                                            field("framework", &MoveFramework::framework, Name{}),
                                            field("pool", &MoveFramework::pool, Pool{})};
};

template <>
struct Layout<KillJob> {
  static constexpr std::uint8_t number = 126;
  static constexpr auto fields =
      std::tuple{field("request", &KillJob::request), field("framework", &KillJob::framework, NameOrEmpty{}),
                 field("job", &KillJob::job, Short{}), field("by", &KillJob::by, Short{}),
                 field("why", &KillJob::why, Text{})};
};

template <>
struct Layout<MoveJob> {
  static constexpr std::uint8_t number = 127;
  static constexpr auto fields =
      std::tuple{field("request", &MoveJob::request), field("framework", &MoveJob::framework, NameOrEmpty{}),
                 field("job", &MoveJob::job, Short{}), field("pool", &MoveJob::pool, Pool{})};
};

template <>
struct Layout<AdminDone> {
  static constexpr std::uint8_t number = 125;
  static constexpr auto fields =
      std::tuple{field("request", &AdminDone::request), field("error", &AdminDone::error),
                 field("text", &AdminDone::text, Text{}),
                 field("warnings", &AdminDone::warnings, List<kWarningsSaid, Text>{})};
};

template <>
struct Layout<ChangeAgent> {
  static constexpr std::uint8_t number = 119;
  static constexpr auto fields =
      std::tuple{field("request", &ChangeAgent::request), field("agent", &ChangeAgent::agent, Name{}),
                 field("verb", &ChangeAgent::verb, Short{}), field("kill_after", &ChangeAgent::kill_after)};
};

template <>
struct Layout<SubmitJob> {
  static constexpr std::uint8_t number = 116;
  static constexpr auto fields = std::tuple{field("request", &SubmitJob::request),
                                            field("id", &SubmitJob::id, Name{}),
                                            field("name", &SubmitJob::name, Name{}),
                                            field("user", &SubmitJob::user, Short{}),
                                            field("summary", &SubmitJob::summary, Short{}),
                                            field("framework", &SubmitJob::framework),
                                            field("secret", &SubmitJob::secret),
                                            field("command", &SubmitJob::command)};
};

template <>
struct Layout<DescribeJobs> {
  static constexpr std::uint8_t number = 117;
  static constexpr auto fields =
      std::tuple{field("request", &DescribeJobs::request), field("id", &DescribeJobs::id, NameOrEmpty{})};
};

template <>
struct Layout<DetachedJob> {
  static constexpr std::string_view name = "detached job";
  static constexpr auto fields = std::tuple{field("id", &DetachedJob::id, Name{}),
                                            field("name", &DetachedJob::name, Name{}),
                                            field("user", &DetachedJob::user, Short{}),
                                            field("summary", &DetachedJob::summary, Short{}),
                                            field("state", &DetachedJob::state, Short{}),
                                            field("text", &DetachedJob::text, Text{}),
                                            field("starts", &DetachedJob::starts),
                                            field("exit", &DetachedJob::exit),
                                            field("framework", &DetachedJob::framework),
                                            field("job", &DetachedJob::job),
                                            field("task", &DetachedJob::task, NameOrEmpty{}),
                                            field("output_token", &DetachedJob::output_token, Short{}),
                                            field("agent", &DetachedJob::agent, NameOrEmpty{}),
                                            field("data_endpoint", &DetachedJob::data_endpoint, Endpoint{})};
};

template <>
struct Layout<DetachedJobs> {
  static constexpr std::uint8_t number = 118;
  static constexpr auto fields =
      std::tuple{field("request", &DetachedJobs::request), field("jobs", &DetachedJobs::jobs)};
};

}  // namespace proffer::formats

// The wire's view of messages/admin.hpp: numbers from 120.
#pragma once

#include "formats/fields/field.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::formats {

template <>
struct Layout<Describe> {
  static constexpr std::uint8_t number = 120;
  static constexpr auto fields = std::tuple{field("request", &Describe::request)};
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
                                            field("offered", &AgentState::offered)};
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
                                            field("tasks_failed", &FrameworkState::tasks_failed)};
};

template <>
struct Layout<PoolState> {
  static constexpr std::string_view name = "pool state";
  static constexpr auto fields =
      std::tuple{field("name", &PoolState::name, Pool{}),     field("weight_milli", &PoolState::weight_milli),
                 field("min_share", &PoolState::min_share),   field("used", &PoolState::used),
                 field("demand", &PoolState::demand),         field("fair", &PoolState::fair),
                 field("frameworks", &PoolState::frameworks), field("waiting", &PoolState::waiting)};
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
                 field("more", &ClusterState::more)};
};

}  // namespace proffer::formats

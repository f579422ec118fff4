// The wire's view of messages/agent.hpp: numbers from 32.
#pragma once

#include "formats/fields/field.hpp"
#include "formats/fields/framework.hpp"
#include "proffer/messages/agent.hpp"

namespace proffer::formats {

template <>
struct Layout<AgentTask> {
  static constexpr std::string_view name = "agent task";
  static constexpr auto fields = std::tuple{field("framework", &AgentTask::framework),
                                            field("task", &AgentTask::task),
                                            field("launch", &AgentTask::launch),
                                            field("state", &AgentTask::state),
                                            field("seq", &AgentTask::seq),
                                            field("resources", &AgentTask::resources),
                                            field("job", &AgentTask::job)};
};

template <>
struct Layout<Register> {
  static constexpr std::uint8_t number = 32;
  static constexpr auto fields = std::tuple{field("agent", &Register::agent),
                                            field("run", &Register::run),
                                            field("name", &Register::name, Name{}),
                                            field("rack", &Register::rack, Name{}),
                                            field("data_endpoint", &Register::data_endpoint, Endpoint{}),
                                            field("slots", &Register::slots),
                                            field("tasks", &Register::tasks),
                                            field("trouble", &Register::trouble, Text{}),
                                            field("secret", &Register::secret),
                                            field("boot", &Register::boot, Short{})};
};

template <>
struct Layout<Registered> {
  static constexpr std::uint8_t number = 33;
  static constexpr auto fields =
      std::tuple{field("agent", &Registered::agent),
                 field("heartbeat", &Registered::heartbeat),
                 field("catalog_endpoint", &Registered::catalog_endpoint, Endpoint{}),
                 field("kill", &Registered::kill),
                 field("secret", &Registered::secret),
                 field("incarnation", &Registered::incarnation),
                 field("report_period", &Registered::report_period)};
};

template <>
struct Layout<Launch> {
  static constexpr std::uint8_t number = 34;
  static constexpr auto fields =
      std::tuple{field("launch", &Launch::launch), field("framework", &Launch::framework),
                 field("framework_name", &Launch::framework_name, Name{}), field("task", &Launch::task)};
};

template <>
struct Layout<LaunchAck> {
  static constexpr std::uint8_t number = 35;
  static constexpr auto fields = std::tuple{field("launch", &LaunchAck::launch)};
};

template <>
struct Layout<Status> {
  static constexpr std::uint8_t number = 36;
  static constexpr auto fields =
      std::tuple{field("launch", &Status::launch), field("status", &Status::status)};
};

template <>
struct Layout<AgentHealth> {
  static constexpr std::uint8_t number = 37;
  static constexpr auto fields = std::tuple{field("trouble", &AgentHealth::trouble, Text{})};
};

template <>
struct Layout<SlotReport> {
  static constexpr std::uint8_t number = 38;
  static constexpr std::tuple<> fields{};
};

}  // namespace proffer::formats

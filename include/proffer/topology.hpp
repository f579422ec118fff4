// The places of agents in racks, and the distance of a task from its data.
#pragma once

#include <string>
#include <string_view>

#include "proffer/ids.hpp"

namespace proffer {

/// The distance of a task from its data: a larger value is farther away.
enum class Locality : std::uint8_t { node = 0, rack = 1, any = 2 };
std::string_view to_string(Locality locality);

/// An agent as others see it.
struct AgentInfo {
  AgentId id;
  std::string name;  ///< unique among live agents
  std::string rack;  ///< every agent is in one rack; "default" when nobody said
  /// The endpoint that serves its blocks and map outputs, e.g. tcp://127.0.0.1:40001.
  std::string data_endpoint;
  bool operator==(const AgentInfo&) const = default;
};

}  // namespace proffer

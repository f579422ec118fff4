// For people who look: the state of a cluster as its allocator sees it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/resources.hpp"

namespace proffer {

/// anybody -> allocator; needs no session.
struct Describe {
  std::uint64_t request = 0;
  bool operator==(const Describe&) const = default;
};

struct AgentState {
  AgentId id;
  std::string name;
  std::string rack;
  std::string data_endpoint;
  bool reachable = true;
  Resources total;
  Resources used;
  Resources offered;
  bool operator==(const AgentState&) const = default;
};

struct FrameworkState {
  FrameworkId id;
  std::string name;
  std::string pool;
  std::string user;
  bool connected = true;
  Resources used;                        // running
  Resources offered;                     // in outstanding offers
  std::vector<Resources::Entry> demand;  // declared; absent: unbounded
  std::vector<Resources::Entry> fair;
  std::uint64_t offers_sent = 0;
  std::uint64_t offers_accepted = 0;
  std::uint64_t offers_rescinded = 0;
  std::uint64_t offers_expired = 0;
  std::array<std::uint64_t, kDeclineReasons> offers_declined{};
  std::uint64_t tasks_launched = 0;
  std::uint64_t tasks_finished = 0;
  std::uint64_t tasks_failed = 0;  // all other terminal states
  bool operator==(const FrameworkState&) const = default;
};

struct PoolState {
  std::string name;  // dotted; the root is ""
  std::int64_t weight_milli = 1000;
  std::vector<Resources::Entry> min_share;
  std::vector<Resources::Entry> used;
  std::vector<Resources::Entry> demand;
  std::vector<Resources::Entry> fair;
  std::uint32_t frameworks = 0;
  std::uint32_t waiting =
      0;  // of them, beyond a limit of a pool or a user: offered nothing until another leaves
  bool operator==(const PoolState&) const = default;
};

struct ClusterState {
  std::uint64_t request = 0;
  std::string catalog_endpoint;
  std::vector<AgentState> agents;
  std::vector<FrameworkState> frameworks;
  std::vector<PoolState> pools;
  bool more = false;  // another ClusterState of the same request follows, with further entries
  bool operator==(const ClusterState&) const = default;
};

}  // namespace proffer

// Everything an agent knows, as its handlers share it; and one step of it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "agent/block_copies.hpp"
#include "agent/block_store.hpp"
#include "agent/compute_leaves.hpp"
#include "agent/health.hpp"
#include "agent/launch_history.hpp"
#include "agent/link.hpp"
#include "agent/status_outbox.hpp"
#include "agent/task_runs.hpp"
#include "proffer/agent/agent.hpp"

namespace proffer {

struct AgentParts {
  AgentConfig config;
  Random random;
  AgentId id;
  Secret secret;
  Secret catalog_secret;

  Link allocator;
  Epoch registered_in;  // what the newest REGISTER took for the allocator's epoch
  std::optional<Error> refused;
  TaskRuns runs;
  ComputeLeaves leaves;
  LaunchHistory history;
  StatusOutbox statuses;

  std::optional<Link> catalog;   // none: there is none for us
  std::string catalog_endpoint;  // as the allocator said
  std::string store_token;
  std::optional<Time> next_pages;  // when the report goes on
  BlockStore blocks;
  BlockCopies copies = {};

  Health health = {};
  std::string registered_trouble = {};  // what the newest REGISTER said of it
};

/// Where a step's actions go, and when it is.
struct Turn {
  Actions& actions;
  Time now;

  void to_allocator(AgentParts& state, Message message) {
    actions.emplace_back(Send{kAllocatorPeer, state.allocator.wrap(std::move(message), now)});
  }
  void to_catalog(AgentParts& state, Message message) {
    actions.emplace_back(Send{kCatalogPeer, state.catalog->wrap(std::move(message), now)});
  }
  void act(Action action) { actions.push_back(std::move(action)); }
  void trace(Trace trace) { actions.emplace_back(Emit{std::move(trace)}); }
};

}  // namespace proffer

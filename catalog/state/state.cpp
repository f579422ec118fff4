#include "catalog/state/state.hpp"

#include "proffer/check.hpp"

namespace proffer::catalog {
namespace {

void check_agents(const State& state) {
  state.agents.check_invariants();
  state.replicas.check_invariants();
  for (const auto& [id, agent] : state.agents.all()) {
    PROFFER_CHECK(agent.reported || state.replicas.held_by(id).empty(),
                  "an agent holds blocks that it did not report");
  }
}

void check_copies(const State& state) {
  state.copies.check_invariants();
  for (const auto& [key, copy] : state.copies.all()) {
    const auto& [block, target] = key;
    const auto* agent = state.agents.find(target);
    PROFFER_CHECK(agent != nullptr && agent->reported, "a copy to an agent without a session");
    PROFFER_CHECK(state.names.sealed_length(block) == copy.length, "a copy of no file's block");
    PROFFER_CHECK(!state.replicas.held_by(target).contains(block), "a copy to an agent that has it");
  }
  for (const auto& [block, heat] : state.heat.all()) {
    PROFFER_CHECK(state.names.is_sealed(block), "a block is in demand that is of no file");
  }
}

/// Files are looked up by the writers' paths: a look at all files would take too long.
void check_writers(const State& state) {
  state.writers.check_invariants();
  for (const auto& path : state.writers.paths()) {
    const auto* file = state.names.find(path);
    PROFFER_CHECK(file != nullptr && !file->complete, "a writer of a file that is not being written");
  }
}

}  // namespace

void check_invariants(const State& state) {
  state.names.check_invariants();
  check_agents(state);
  check_copies(state);
  check_writers(state);
}

}  // namespace proffer::catalog

// Drives the machines: takes the next happening, steps the machine it is for, carries out what comes back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proffer/sim/simulate.hpp"
#include "proffer/study/placement.hpp"
#include "sim/event_queue.hpp"
#include "sim/network.hpp"
#include "sim/node.hpp"
#include "sim/runs.hpp"
#include "sim/tenant.hpp"

namespace proffer::sim {

/// What outlives a start of an agent: what stands on its disk.
struct AgentLife {
  AgentId id;
  Secret secret;
  Secret catalog_secret;
  std::uint64_t starts = 0;
  std::uint64_t seed = 0;
  bool mortal = false;                                    // a fault kills it
  std::vector<std::pair<BlockId, std::uint64_t>> blocks;  // of mortals; others have started once and for all

  void keep(const BlockStored& stored) {
    if (mortal) blocks.emplace_back(stored.block, stored.length);
  }
  void drop(BlockId block) {
    std::erase_if(blocks, [block](const auto& held) { return held.first == block; });
  }
};

class World {
 public:
  World(const study::Plan& plan, study::TraceSink& sink, const SimulationOptions& options);

  /// Makes the machines. Errors of place_blocks and of policies.
  Result<> populate();
  Result<Simulated> run();

 private:
  void add_servers(Random& random, Random& hiding);
  void add_agents(const study::BlockPlaces& places, Random& random, Random& hiding);
  Result<> add_tenants(Random& random);
  Result<> add_faults();

  void happen(const Happening& next);
  void wake(NodeNo node);
  void submit(std::uint32_t job);
  void fault(std::uint32_t number, bool over);
  void kill(AgentNo agent);
  void revive(AgentNo agent);
  std::unique_ptr<Node> make_agent(AgentNo agent);
  void step(NodeNo node, const Event& event);
  void carry_out(NodeNo node, Action& action);
  void note(NodeNo node, const Trace& trace);
  void job_finished(NodeNo node, const JobFinished& trace);
  void schedule_wake(NodeNo node);
  void deliver();
  void check_some();
  bool over() const;

  const study::Plan& plan_;
  study::TraceSink& sink_;
  const SimulationOptions& options_;
  EventQueue queue_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Runs> runs_;
  std::vector<std::unique_ptr<Node>> nodes_;  // null: it is down
  std::vector<AgentLife> agents_;
  std::map<std::string, AgentNo> agent_numbers_;                  // by name
  std::vector<std::pair<NodeNo, Tenant*>> tenants_;               // in the order of the plan
  std::vector<std::size_t> tenant_of_job_;                        // by the workload's order
  std::map<std::string, std::vector<std::uint32_t>> successors_;  // jobs that wait for a job of that name
  std::map<std::pair<NodeNo, JobId>, std::uint32_t> submitted_;
  Inbox inbox_;
  Actions actions_;
  Time now_{};
  Simulated outcome_;
  std::optional<Error> failure_;
  std::uint64_t steps_now_ = 0;  // at this instant
};

}  // namespace proffer::sim

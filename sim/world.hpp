// The world that drives the machines: takes the next happening, steps the machine it is for, carries out what
// comes back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "proffer/sim/simulate.hpp"
#include "sim/agent_lives.hpp"
#include "sim/event_queue.hpp"
#include "sim/executor.hpp"
#include "sim/network.hpp"
#include "sim/node.hpp"
#include "sim/server_lives.hpp"
#include "sim/submissions.hpp"

namespace proffer::sim {

class World {
 public:
  World(const study::Plan& plan, study::TraceSink& sink, const SimulationOptions& options);

  /// Makes the machines. Errors of place_blocks and of policies.
  Result<> populate();
  Result<Simulated> run();

 private:
  void add_node(std::unique_ptr<Node> node, Time start);
  void add_servers(Random& random, Random& secret_seeds);
  void add_agents(const study::BlockPlaces& places, Random& random, Random& secret_seeds);
  Result<> add_frameworks(Random& random);
  Result<> add_faults();
  void add_workers();

  void happen(const Happening& next);
  void wake(NodeNo node);
  void submit(std::uint32_t job);
  void fault(std::uint32_t number, bool over);
  void kill(AgentNo agent);
  void revive(AgentNo agent);
  void cut(const study::PlanFault& fault, bool over);
  void stop_server(NodeNo server);
  void start_server(NodeNo server);

  void deliver();
  void step(NodeNo node, const Event& event);
  void carry_out(NodeNo node, Action& action);
  void note(NodeNo node, const Trace& trace);
  void schedule_wake(NodeNo node);
  void check_some();
  bool over() const;

  const study::Plan& plan_;
  study::TraceSink& sink_;
  const SimulationOptions& options_;

  EventQueue queue_;
  Inbox inbox_;
  Network network_;
  Executor executor_;
  AgentLives agents_;
  std::optional<ServerLives> servers_;  ///< there once the world is populated
  bool servers_die_ = false;            ///< what they keep matters
  NodeNo workers_ = 0;                  ///< the StoreClient, in a plan of which some job writes
  Submissions submissions_;
  std::vector<std::unique_ptr<Node>> nodes_;  ///< null: it is down

  Actions actions_;  ///< the actions of the step that is being taken
  Time now_{};
  std::uint64_t steps_ = 0;
  std::uint64_t steps_now_ = 0;  ///< steps taken at this instant
  std::optional<Error> failure_;
};

}  // namespace proffer::sim

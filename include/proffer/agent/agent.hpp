// The agent machine: registers its slots, starts one process per launch, re-sends statuses until they are
// acknowledged, and reports its blocks to the catalog.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer {

struct AgentConfig {
  std::string name;
  std::string rack = "default";
  std::string data_endpoint;
  Resources slots;
  std::uint64_t run = 1;                                  ///< +1 per start; kept by the world
  Duration retry_first = std::chrono::milliseconds(200);  ///< REGISTER; doubles to retry_max with full jitter
  Duration retry_max = std::chrono::seconds(10);
  Duration status_retry_first = std::chrono::seconds(1);
  Duration status_retry_max = std::chrono::seconds(60);
  Duration allocator_silent_after = std::chrono::seconds(10);  ///< then it registers again
};

class Agent {
 public:
  /// `blocks`: what its disk holds at the start.
  Agent(AgentConfig config, std::vector<std::pair<BlockId, std::uint64_t>> blocks, Random random);
  ~Agent();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer

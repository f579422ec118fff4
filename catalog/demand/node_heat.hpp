// DNAvg of DSBRA: for each agent that counts, the mean RF of the blocks on it, those on their way included.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "catalog/state/state.hpp"
#include "catalog/tables/dsbra.hpp"

namespace proffer::catalog {

class NodeHeat {
 public:
  explicit NodeHeat(const State& state);

  void add(AgentId agent, dsbra::Millionths factor);
  void remove(AgentId agent, dsbra::Millionths factor);

  using Fits = std::function<bool(AgentId)>;
  /// Returns the agent of least (largest) mean among those that fit; of equals the one with fewer blocks,
  /// then by id. None: no agent fits.
  std::optional<AgentId> least(const Fits& fits) const { return best(fits, 1); }
  std::optional<AgentId> most(const Fits& fits) const { return best(fits, -1); }

 private:
  struct Node {
    dsbra::Millionths sum = 0;
    std::int64_t blocks = 0;

    dsbra::Millionths mean() const { return blocks == 0 ? 0 : sum / blocks; }
  };
  std::optional<AgentId> best(const Fits& fits, int sign) const;

  std::map<AgentId, Node> nodes_;
};

}  // namespace proffer::catalog

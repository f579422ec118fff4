// The allocator and the catalog over all their starts. Its invariant: a server that starts again has a higher
// epoch, and the records that it kept before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "proffer/random.hpp"
#include "proffer/study/plan.hpp"
#include "sim/network.hpp"
#include "sim/node.hpp"
#include "sim/storm/disk.hpp"

namespace proffer::sim {

class ServerLives {
 public:
  /// Draws what both servers draw at random, over all their lives.
  ServerLives(const study::Plan& plan, Random& random, Random& secret_seeds);

  /// Starts a server, once more or for the first time.
  std::unique_ptr<Node> start(NodeNo server);
  /// Makes durable what the actions of a server's step keep; needed only where servers may be stopped.
  void keep(NodeNo server, const Actions& actions) { lives_[server].disk.commit(actions); }

 private:
  struct Life {
    std::uint64_t seed = 0;
    std::uint64_t secret_seed = 0;
    storm::Disk disk;
  };
  std::unique_ptr<Node> start_allocator(const Life& life, Random random, SecretSource secrets) const;
  std::unique_ptr<Node> start_catalog(const Life& life, Random random, SecretSource secrets) const;

  const study::Plan& plan_;
  ClusterId cluster_;
  std::array<Life, kFirstAgentNode> lives_;  ///< by node
};

}  // namespace proffer::sim

// The catalog machine: files -> blocks -> replicas, and where new replicas go. Names are durable; replicas
// are rebuilt from the agents' reports.
//
// Persist actions that follow each other directly are one change: a world makes them durable together, or
// none of them. A file is persisted once it is complete. One that is still being written is forgotten by a
// catalog that starts again: its writer is told `not_found`, and its blocks are deleted as nobody's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/catalog/replication.hpp"
#include "proffer/machine.hpp"
#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"

namespace proffer {

struct CatalogConfig {
  std::string token;  ///< lets whoever shows it read and store blocks; minted by the world
  Duration heartbeat =
      std::chrono::seconds(1);  ///< 0: none, and nobody is ever silent (lossless simulations)
  Duration agent_silent_after = std::chrono::seconds(10);  ///< the replicas of a silent agent do not count
  ReplicationConfig replication = {};                      ///< of blocks in demand
  /// The time after a start with files in which `slow_down` is the answer to requests for blocks of which no
  /// agent has reported a replica yet, or for more targets than there are agents yet: agents come back one by
  /// one.
  Duration settle_for = std::chrono::seconds(15);
};

class Catalog {
 public:
  /// `files` and `next_block` are what was persisted.
  Catalog(CatalogConfig config, ClusterId cluster, Epoch epoch, std::vector<FileInfo> files,
          BlockId next_block, Random random, SecretSource secrets);
  ~Catalog();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Paths in the store: "/" and components separated by single slashes; "a/b/", "a//b" and "/a/b" name the
/// same. `invalid` for an empty path, ".", "..", control characters, a component over 255 bytes or a path
/// over limits::kPathBytes.
Result<std::string> normal_path(std::string_view text);

}  // namespace proffer

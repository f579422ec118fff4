// The catalog machine: files -> blocks -> replicas, and where new replicas go. Names are durable; replicas
// are rebuilt from the agents' reports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer {

struct CatalogConfig {
  std::string token;  ///< who shows it may read and store blocks; minted by the world
  Duration heartbeat = std::chrono::seconds(1);
  Duration agent_silent_after = std::chrono::seconds(10);  ///< then its replicas do not count
};

class Catalog {
 public:
  /// `files` and `next_block` are what was persisted.
  Catalog(CatalogConfig config, ClusterId cluster, Epoch epoch, std::vector<FileInfo> files,
          BlockId next_block, Random random);
  ~Catalog();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Paths in the store: "/" and components separated by single slashes; "a/b/" and "/a/b" name the same.
/// `invalid` for an empty path, ".", "..", control characters, a component over 255 bytes or a path over
/// limits::kPathBytes.
Result<std::string> normal_path(std::string_view text);

}  // namespace proffer

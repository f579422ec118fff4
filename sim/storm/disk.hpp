// A machine's store, as its process leaves it when it dies. The records of one step become durable together;
// a crash comes before that or after it, never in between.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/messages/catalog.hpp"
#include "proffer/time.hpp"

namespace proffer::sim::storm {

/// All that is durable, and so there for the next process.
struct Image {
  std::map<KeptKey, Kept> records;
  std::optional<std::vector<AllocatorPool>> pools;
  std::map<std::string, FileInfo> files;
  BlockId next_block{1};
  // Kept by the world beside the store, as the daemons do.
  std::uint64_t starts = 0;  ///< starts so far: an epoch, or an agent's run
  AgentId agent;
  Secret secret;
  Secret catalog_secret;

  std::vector<Kept> kept() const;
  std::vector<FileInfo> all_files() const;
};

class Disk {
 public:
  enum class Outcome : std::uint8_t {
    nothing,  ///< there was nothing to be kept
    committed,
    reserve,  ///< committed out of the room that was set aside, since the disk is full
    refused,  ///< the disk is full, and nothing is left of what was set aside
  };

  /// Makes all that the actions of a step keep durable, or nothing.
  Outcome commit(const Actions& actions);
  /// Commits come out of a reserve while the disk is full.
  void set_full(bool full);
  bool full() const { return full_; }

  Image image;

 private:
  bool full_ = false;
  int reserve_ = 0;  // commits that still fit
};

}  // namespace proffer::sim::storm

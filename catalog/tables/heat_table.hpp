// The demand for blocks: how they were used lately, as frameworks report it, and the factors that follow from
// it at the end of each interval. Its invariant: it holds only blocks of files that were read at some time.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "catalog/tables/dsbra.hpp"
#include "proffer/catalog/replication.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/catalog.hpp"

namespace proffer::catalog {

class HeatTable {
 public:
  struct Heat {
    dsbra::Reads reads;  ///< the reads in the interval that runs
    dsbra::History history;
    dsbra::Millionths factor = 0;  ///< RF at the end of the last interval
    bool accessed = false;         ///< the block was read in that interval
    std::uint64_t popularity = 0;  ///< reads an interval in thousandths, half of it the newest one's
  };
  using Heats = std::map<BlockId, Heat>;

  /// Adds a report. Numbers that no task can cause are cut down to those that one can.
  void read(const BlockUse& use, Duration threshold);
  /// Adds a read from another agent. Past a bound these are not noted: so many copies could not be made
  /// anyway.
  void read_remotely(const RemoteRead& read);
  /// Ends the interval: sets factors, and starts counting from zero.
  void end_interval(const ReplicationConfig& config);
  /// Returns the blocks that were read from elsewhere, and by which agents, since the last call.
  std::set<std::pair<BlockId, AgentId>> take_remote_reads();
  /// Forgets a block that belongs to no file any more.
  void forget(BlockId block);

  const Heats& all() const { return heats_; }
  /// Returns the demand for a block; all zero for one that was never read.
  const Heat& of(BlockId block) const;

 private:
  Heats heats_;
  std::set<std::pair<BlockId, AgentId>> remote_;
};

}  // namespace proffer::catalog

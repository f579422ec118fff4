// How blocks were used lately, as frameworks report it, and what that makes of them at the end of each
// interval. Its invariant: only blocks of files are here, and only those that were read at some time.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "catalog/tables/dsbra.hpp"
#include "proffer/catalog/replication.hpp"
#include "proffer/ids.hpp"
#include "proffer/messages/catalog.hpp"

namespace proffer {

class HeatTable {
 public:
  struct Heat {
    dsbra::Reads reads;  // in the interval that runs
    dsbra::History history;
    dsbra::Millionths factor = 0;  // RF at the end of the last interval
    bool accessed = false;         // it was read in that one
    std::uint64_t popularity = 0;  // reads an interval in thousandths, half of it the newest one's
  };
  using Heats = std::map<BlockId, Heat>;

  /// What no report can mean is cut down to what it can.
  void read(const BlockUse& use, Duration threshold);
  /// Past a bound they are not noted: so many copies could not be made anyway.
  void read_remotely(const RemoteRead& read);
  /// The interval is over: sets factors, and starts counting anew.
  void end_interval(const ReplicationConfig& config);
  /// Who has read what from elsewhere since the last call.
  std::set<std::pair<BlockId, AgentId>> take_remote();
  /// It belongs to no file any more.
  void forget(BlockId block);

  const Heats& all() const { return heats_; }
  /// All zero for a block that was never read.
  const Heat& of(BlockId block) const;

 private:
  Heats heats_;
  std::set<std::pair<BlockId, AgentId>> remote_;
};

}  // namespace proffer

// The health of an agent: can it do its work at all? One that fails at every start has its slots free again
// at once, and would eat the tasks of a whole cluster. Its invariant: it fails from the third failure in a
// row until a probe has succeeded, and there is one probe at a time. A full disk and a coming end are trouble
// as well, of which others know when they are over.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "proffer/machine.hpp"
#include "proffer/time.hpp"

namespace proffer::agent {

class Health {
 public:
  /// A run has started.
  void started() { streaks_[kStarts] = 0; }
  /// A run has ended, and what it wrote was kept.
  void kept();
  void failed(const AgentFault& fault, Time now);
  /// Takes the result of a probe: why it failed; empty: it succeeded.
  void probed(const std::string& why, Time now);

  /// Takes the room on the disk where launches are kept.
  void store_has(const StoreRoom& room);
  bool disk_full() const { return !disk_.empty(); }
  /// The agent is about to end, and its tasks before it.
  void ending();

  /// Returns why no run is worth a try; empty: the agent is well.
  const std::string& trouble() const;
  /// Returns whether trouble() is another one than at the last call.
  bool take_news();
  /// Returns whether to probe now.
  bool take_due_probe(Time now);

  // The allocator is told until it has repeated it.
  /// The allocator knows of `trouble`.
  void told(const std::string& trouble) { told_ = trouble; }
  /// Returns whether to tell the allocator now.
  bool take_due_telling(Time now);

  std::optional<Time> next_probe() const { return probe_at_; }
  std::optional<Time> next_telling() const;
  void check_invariants() const;

 private:
  enum : std::size_t { kStarts, kOutputs, kStreaks };
  static std::string as_told(const std::string& why);
  void wait_for_probe(Time now);

  std::array<int, kStreaks> streaks_{};  // failures in a row
  std::string failing_;                  // why runs fail
  std::string disk_;                     // why the disk takes no launches
  std::string ending_;
  std::string traced_;
  std::optional<std::string> told_ = "";  // what the allocator knows; none: that is not known
  std::optional<Time> told_at_;
  std::optional<Time> probe_at_;
  bool probing_ = false;
  int probes_ = 0;  // since the last run that ended well
};

}  // namespace proffer::agent

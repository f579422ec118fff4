// The health of an agent: can it do its work at all? One that fails at every start has its slots free again
// at once, and would eat the tasks of a whole cluster. Its invariant: it is in trouble from the third failure
// in a row until a probe has succeeded, and there is one probe at a time.
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

  /// Returns why no run is worth a try; empty: the agent is well.
  const std::string& trouble() const { return trouble_; }
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
  std::string trouble_;
  std::string traced_;
  std::optional<std::string> told_ = "";  // what the allocator knows; none: that is not known
  std::optional<Time> told_at_;
  std::optional<Time> probe_at_;
  bool probing_ = false;
  int probes_ = 0;  // since the last run that ended well
};

}  // namespace proffer::agent

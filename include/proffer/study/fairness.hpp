// The fairness of the sharing of slots, from the allocator's event log.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "proffer/formats/event_log.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

/// Jain's index (Σx)² / (nΣx²) over x = running / min(fair share, demand) of the frameworks with demand,
/// weighted by time, while at least two of them have demand. Only running slots count: a held offer is no
/// service.
class FairnessMeter {
 public:
  /// `from`: earlier lines set the scene but do not count.
  explicit FairnessMeter(Kind kind, Time from = Time::min());

  /// Takes a line of the allocator's log; lines must come in order; lines of others are ignored.
  void line(const TraceLine& line);
  /// The index, in (0, 1]; none when there was no time with two frameworks in need.
  std::optional<double> jain() const;
  /// The time it was measured over, in seconds.
  double seconds() const;

 private:
  struct Tenant {
    LeafId leaf;
    std::int64_t running = 0;
    std::int64_t demand = 0;
  };
  struct Task {
    std::int64_t units = 0;
    bool away = false;  ///< true: its agent is silent, so it runs nowhere
  };
  void add_interval_until(Time now);
  void apply(const Trace& trace);
  std::optional<double> jain_now() const;
  void task_changed(const TaskChanged& changed);

  Kind kind_;
  Time from_;
  std::optional<Time> last_;
  ShareTree tree_;
  std::map<FrameworkId, Tenant> tenants_;
  std::map<AgentId, std::int64_t> agents_;
  std::map<std::pair<FrameworkId, TaskId>, Task> tasks_;
  std::uint64_t submitted_ = 0;
  double weighted_ = 0;  ///< ∫ jain dt, in seconds
  double seconds_ = 0;
};

}  // namespace proffer

// Second attempts at tasks that ran for long (speculative execution), and what they cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "proffer/study/ledger.hpp"

namespace proffer::study {

class BackupCounts {
 public:
  /// Begins to count: what ended before is left out.
  void begin() {
    launched_ = won_ = 0;
    late_work_ = 0;
  }
  /// An attempt waits for a slot, as a backup of one that runs.
  void queued(const FrameworkTask& backup, const FrameworkTask& first) { waiting_[backup] = first; }
  void launched(const FrameworkTask& task) {
    const auto waiting = waiting_.extract(task);
    if (waiting.empty()) return;
    ++launched_;
    part(waiting.mapped());  // from one that was given up, and of which nobody has heard yet
    pairs_[task] = {waiting.mapped(), true};
    pairs_[waiting.mapped()] = {task, false};
  }
  /// An attempt ended, with so many slot-seconds: for nothing, if the other one had finished before.
  void ended(const FrameworkTask& task, bool finished, double slot_seconds) {
    if (late_.erase(task) > 0) late_work_ += slot_seconds;
    const auto pair = part(task);
    if (!pair || !finished) return;
    if (pair->is_backup) ++won_;
    late_.insert(pair->other);
  }
  void measure(std::map<std::string, double>& measures) const {
    measures["backups.launched"] = static_cast<double>(launched_);
    measures["backups.won"] = static_cast<double>(won_);
    measures["backups.late_work"] = late_work_;
  }

 private:
  struct Pair {
    FrameworkTask other;
    bool is_backup = false;
  };
  /// Parts an attempt from the other one at its task; none when it has no other.
  std::optional<Pair> part(const FrameworkTask& task) {
    const auto pair = pairs_.extract(task);
    if (pair.empty()) return {};
    pairs_.erase(pair.mapped().other);
    return pair.mapped();
  }

  std::map<FrameworkTask, FrameworkTask> waiting_;  ///< backups, and what they are of
  std::map<FrameworkTask, Pair> pairs_;             ///< attempts at one task, both of which run
  std::set<FrameworkTask> late_;                    ///< attempts of which the other has finished
  std::uint64_t launched_ = 0;
  std::uint64_t won_ = 0;
  double late_work_ = 0;
};

}  // namespace proffer::study

// The part of the allocator's loop that shows what the allocator knows: it pins snapshots to the board when
// somebody has asked, and a sample of the history every few seconds; in large clusters less often.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "live/host/host.hpp"
#include "live/http/board.hpp"
#include "live/http/counting.hpp"
#include "proffer/allocator/allocator.hpp"

namespace proffer::live {

/// What of a cluster never changes while its allocator lives.
struct Nameplate {
  std::string program;  ///< version of the program
  ClusterId cluster;
  Epoch epoch;
};

class Showing final : public LoopPart {
 public:
  static constexpr Duration kSampleEvery = std::chrono::seconds(2);
  static constexpr std::size_t kTasksShown = 2000;
  /// After each look, the loop does other things for so many times as long as the look took: snapshots cost
  /// it a twentieth of its time at most, however large the cluster is, and samples another.
  static constexpr int kPauseFactor = 20;

  /// The arguments that are references must outlive this object.
  Showing(const Allocator& allocator, const Counting& counting, Board& board, Nameplate nameplate);
  void prepare(PollSet& polled) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  std::shared_ptr<const Snapshot> look() const;

  const Allocator& allocator_;
  const Counting& counting_;
  Board& board_;
  Nameplate nameplate_;
  std::int64_t started_ms_;
  std::shared_ptr<const Snapshot> shown_;
  bool asked_ = false;
  Time not_before_{};  // the next snapshot
  Time next_sample_{};
};

/// Counts how long a machine works on each event.
class TimedMachine final : public AnyMachine {
 public:
  /// Both must outlive this object.
  TimedMachine(AnyMachine& machine, Counting& counting) : machine_(machine), counting_(counting) {}
  void step(const Event& event, Actions& actions, Time now) override;
  std::optional<Time> next_deadline() const override { return machine_.next_deadline(); }

 private:
  AnyMachine& machine_;
  Counting& counting_;
};

}  // namespace proffer::live

// The board between the allocator's loop and those who answer browsers: the loop pins up what it shows, and
// the others read it. The loop never waits for them, and works for them only when they have asked.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "live/os/event_fd.hpp"
#include "proffer/formats/snapshot.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// Any thread may call any function. Invariant: the samples are those of the last kSamples, oldest first.
class Board {
 public:
  static constexpr std::size_t kSamples = 900;
  /// A snapshot that is younger is taken for new: so many are made a second at most.
  static constexpr Duration kFresh = std::chrono::milliseconds(250);
  /// A snapshot that is older is shown to nobody.
  static constexpr Duration kOld = std::chrono::seconds(10);

  // What the loop does.
  int fd() const { return asked_.fd(); }  ///< readable once somebody has asked for a new snapshot
  bool take_request() const { return asked_.clear(); }
  void show(std::shared_ptr<const Snapshot> snapshot, Time now);
  void add(std::shared_ptr<const HistorySample> sample);

  // What the others do.
  /// Returns a snapshot that was made within the last kFresh, or after the call. Waits for it, but at most
  /// `patience`; when none came in time, the newest that is not older than kOld. Null when there is no such
  /// one, or after close().
  std::shared_ptr<const Snapshot> fresh(Duration patience);
  /// Returns the samples since then, in ms since 1970.
  std::vector<std::shared_ptr<const HistorySample>> history(std::int64_t since_ms) const;
  void close();  ///< nobody waits any more

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  EventFd asked_;
  std::shared_ptr<const Snapshot> newest_;
  Time made_ = Time::min();
  std::uint64_t shown_ = 0;  ///< number of snapshots so far
  std::deque<std::shared_ptr<const HistorySample>> samples_;
  bool closed_ = false;
};

}  // namespace proffer::live

// What an allocator shows to browsers: the cluster at one moment, what was counted until then, and samples of
// how it went.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "proffer/cluster_view.hpp"
#include "proffer/decline_reason.hpp"
#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/task_state.hpp"

namespace proffer {

/// Times in seconds, counted by size.
class TimeHistogram {
 public:
  /// Upper bounds of the buckets: a time that is longer than all of them is in the last, unbounded one.
  static constexpr std::array kBounds{0.00001, 0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0};

  void note(double seconds) {
    const auto* const bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
    ++counts_[static_cast<std::size_t>(bucket - kBounds.begin())];
    sum_ += seconds;
  }
  const std::array<std::uint64_t, kBounds.size() + 1>& counts() const { return counts_; }
  double sum() const { return sum_; }

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};
  double sum_ = 0;
};

/// Offers by what became of them.
struct OfferCounts {
  std::uint64_t sent = 0;
  std::uint64_t accepted = 0;
  std::uint64_t rescinded = 0;
  std::uint64_t expired = 0;
  std::array<std::uint64_t, kDeclineReasons> declined{};

  std::uint64_t all_declined() const {
    std::uint64_t sum = 0;
    for (const auto n : declined) sum += n;
    return sum;
  }
  OfferCounts& operator+=(const OfferCounts& other) {
    sent += other.sent;
    accepted += other.accepted;
    rescinded += other.rescinded;
    expired += other.expired;
    for (std::size_t i = 0; i < declined.size(); ++i) declined[i] += other.declined[i];
    return *this;
  }
};

/// What was counted of all frameworks of one name.
struct FrameworkTally {
  OfferCounts offers;
  std::uint64_t launched = 0;
  std::array<std::uint64_t, kTaskStates> ended{};  ///< tasks, by the state in which they ended

  FrameworkTally& operator+=(const FrameworkTally& other) {
    offers += other.offers;
    launched += other.launched;
    for (std::size_t i = 0; i < ended.size(); ++i) ended[i] += other.ended[i];
    return *this;
  }
};

/// Counts since the start of the allocator's process. They only rise: what a framework did stays counted when
/// it is gone.
struct ClusterTally {
  std::map<std::string, FrameworkTally> frameworks;  ///< by name
  std::map<std::string, std::uint64_t>
      slots_claimed;          ///< by starved pool: slots that others had to give back
  std::uint64_t refused = 0;  ///< messages
  TimeHistogram held;         ///< the time until a framework answered an offer
  TimeHistogram steps;        ///< the time that the allocator worked on one event
};

/// The whole, at one moment. Immutable once it was handed to other threads.
struct Snapshot {
  std::uint64_t version = 0;    ///< differs from that of the former snapshot if `view` does
  std::int64_t at_ms = 0;       ///< since 1970
  std::int64_t started_ms = 0;  ///< start of the allocator's process, since 1970
  std::string program;          ///< version of the program
  ClusterId cluster;
  Epoch epoch;
  ClusterView view;
  ClusterTally tally;
};

/// What one framework, or one pool, had at the moment of a sample.
struct ShareSample {
  std::string name;
  Resources used;
  Quantities fair;
};

/// One moment of the history.
struct HistorySample {
  std::int64_t at_ms = 0;  ///< since 1970
  Resources total;         ///< slots of agents that can be reached
  Resources used;
  Resources offered;
  OfferCounts offers;  ///< counts since the start, of all frameworks
  std::uint64_t launched = 0;
  /// Those of one name are one; the kFrameworksSampled with the most slots, and all others as one more.
  std::vector<ShareSample> frameworks;
  std::vector<ShareSample> pools;  ///< the first kPoolsSampled
};

inline constexpr std::size_t kFrameworksSampled = 16;
inline constexpr std::size_t kPoolsSampled = 32;
/// The name under which what is beyond a bound is counted together.
inline constexpr const char* kOthers = "(others)";

}  // namespace proffer

// Jobs that want slots of one kind: fewest running first, then in order of submission.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "proffer/ids.hpp"

namespace proffer {

class JobOrder {
 public:
  struct Rank {
    std::int64_t running = 0;     ///< 0 for all: only the order of submission counts
    std::uint64_t submitted = 0;  ///< unique per job
    auto operator<=>(const Rank&) const = default;
  };

  void insert(JobId job, Rank rank);
  /// Aborts unless a job stands there.
  void erase(Rank rank);
  /// Valid until the next change.
  std::span<const JobId> jobs() const { return jobs_; }
  std::size_t size() const { return jobs_.size(); }
  bool sorted() const;

 private:
  // Side by side, so that readers get a plain span. A job moves by the jobs it overtakes, which is few.
  std::vector<Rank> ranks_;
  std::vector<JobId> jobs_;
};

}  // namespace proffer

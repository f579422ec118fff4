#include "frameworks/job_order.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer {

void JobOrder::insert(JobId job, Rank rank) {
  const auto at = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  PROFFER_CHECK(at == ranks_.end() || *at != rank, "two jobs of one rank");
  const auto index = at - ranks_.begin();
  ranks_.insert(at, rank);
  jobs_.insert(jobs_.begin() + index, job);
}

void JobOrder::erase(Rank rank) {
  const auto at = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  PROFFER_CHECK(at != ranks_.end() && *at == rank, "no job of that rank");
  const auto index = at - ranks_.begin();
  ranks_.erase(at);
  jobs_.erase(jobs_.begin() + index);
}

bool JobOrder::sorted() const {
  return ranks_.size() == jobs_.size() && std::is_sorted(ranks_.begin(), ranks_.end());
}

}  // namespace proffer

#include "frameworks/policies/savings.hpp"

#include <algorithm>

namespace proffer::policies {
namespace {

/// The guess: half of the time in which a block of 128 MB comes over a network that is shared (20 MB/s), and
/// a task's time at most.
constexpr Duration kGuess = std::chrono::milliseconds(3500);
constexpr std::int64_t kTask = 64;  // the weight of a task
constexpr std::int64_t kGuessWeight = 2 * kTask;

}  // namespace

void Savings::Times::add(Duration time) {
  sum += time;
  ++count;
}

std::optional<Duration> Savings::Times::mean() const {
  if (count == 0) return {};
  return sum / count;
}

Savings::Differences Savings::difference(const Job& job) {
  if (job.near.count == 0 || job.far.count == 0) return {};
  const auto weight = kTask * job.near.count * job.far.count / (job.near.count + job.far.count);
  return {weight, (*job.far.mean() - *job.near.mean()) * weight};
}

void Savings::finished(JobId job, bool near, Duration run_time) {
  all_.add(run_time);
  auto& its = jobs_[job];
  (near ? its.near : its.far).add(run_time);
  const auto now = difference(its);
  of_all_.weight += now.weight - its.counted.weight;
  of_all_.sum += now.sum - its.counted.sum;
  its.counted = now;
}

Duration Savings::expected() const {
  const auto guess = std::min(kGuess, task_time().value_or(kGuess));
  const auto mean = (guess * kGuessWeight + of_all_.sum) / (kGuessWeight + of_all_.weight);
  return std::max(mean, Duration::zero());
}

}  // namespace proffer::policies

#include "live/plan/timetable.hpp"

#include "proffer/study/plan_rules.hpp"

namespace proffer::live {

Timetable::Timetable(const study::Workload& workload, Time start) : workload_(workload) {
  for (std::uint32_t number = 0; number < workload.jobs.size(); ++number) {
    const auto& job = workload.jobs[number];
    if (job.after.empty()) {
      due_.emplace(start + study::submitted_at(job), number);
    } else {
      successors_[job.after].push_back(number);
    }
  }
}

std::optional<Time> Timetable::next() const {
  if (due_.empty()) return {};
  return due_.begin()->first;
}

std::vector<std::uint32_t> Timetable::take_due(Time now) {
  std::vector<std::uint32_t> jobs;
  const auto end = due_.upper_bound(now);
  for (auto at = due_.begin(); at != end; ++at) jobs.push_back(at->second);
  due_.erase(due_.begin(), end);
  return jobs;
}

void Timetable::ended(std::uint32_t number, Time now) {
  ++ended_;
  const auto& job = workload_.jobs.at(number);
  const auto waiting = successors_.extract(job.name);
  if (waiting.empty()) return;
  for (const auto successor : waiting.mapped()) {
    due_.emplace(now + job.cleanup + study::submitted_at(workload_.jobs[successor]), successor);
  }
}

}  // namespace proffer::live

#include "study/measures/start_up.hpp"

#include <algorithm>
#include <utility>

#include "proffer/study/mser.hpp"

namespace proffer::study {

void measure_start_up(const std::vector<JobRow>& jobs, const ShareRows& samples,
                      std::map<std::string, double>& measures) {
  std::vector<std::pair<double, double>> ended;  // submitted, response
  for (const auto& job : jobs) {
    if (job.finished && job.ok) ended.emplace_back(job.submitted, *job.finished - job.submitted);
  }
  std::stable_sort(ended.begin(), ended.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<double> responses;
  for (const auto& [submitted, response] : ended) responses.push_back(response);
  // Jobs that all come at once have no start-up.
  const bool over_time = !ended.empty() && ended.front().first < ended.back().first;
  if (const auto out = start_up_of(responses); out && over_time) {
    measures["start_up.response"] = *out == 0 ? 0 : ended[*out].first;
  }
  if (const auto out = start_up_of(samples.running("map")); out && over_time) {
    measures["start_up.utilisation"] = static_cast<double>(*out) * samples.interval();
  }
}

}  // namespace proffer::study

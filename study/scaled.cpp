#include "proffer/study/scaled.hpp"

#include <algorithm>
#include <cmath>

#include "proffer/formats/units.hpp"

namespace proffer::study {
namespace {

class Scale {
 public:
  explicit Scale(double factor) : factor_(factor) {}

  void time(Duration& time) const {
    time = Duration(std::llround(static_cast<double>(time.count()) * factor_));
  }
  /// Scales a size; one above 0 stays above 0.
  void size(std::uint64_t& bytes) const {
    if (bytes == 0) return;
    bytes = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) * factor_)));
  }
  void size_up(std::uint64_t& bytes) const {
    bytes = static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) * factor_));
  }
  void tasks(std::vector<WorkloadTask>& tasks) const {
    for (auto& task : tasks) {
      time(task.compute);
      size(task.output_bytes);
      size(task.input_bytes);
    }
  }
  /// A policy's settings are texts; those that are times look like times.
  void policy(PolicySpec& policy) const {
    for (auto& [name, text] : policy.settings) {
      auto read = parse_duration(text);
      if (!read) continue;
      time(*read);
      text = format_duration(*read);
    }
  }

 private:
  double factor_;
};

void scale_work(const Scale& scale, Workload& workload) {
  for (auto& file : workload.files) {
    for (auto& block : file.blocks) scale.size(block.bytes);
  }
  for (auto& job : workload.jobs) {
    scale.time(job.submit);
    scale.time(job.setup);
    scale.time(job.cleanup);
    scale.tasks(job.maps);
    scale.tasks(job.reduces);
    // Rounded up: a part has as many blocks as before.
    if (job.stage) scale.size_up(job.stage->block_bytes);
  }
}

}  // namespace

Plan scaled(Plan plan, double factor) {
  const Scale scale(factor);
  scale_work(scale, plan.workload);
  for (auto& framework : plan.frameworks) {
    scale.policy(framework.policy);
    scale.time(framework.sharing.commit_time);
    scale.time(framework.gather_for);
    if (framework.sharing.preemption.fair_share_timeout)
      scale.time(*framework.sharing.preemption.fair_share_timeout);
    for (auto& pool : framework.sharing.pools) {
      if (pool.min_share_timeout) scale.time(*pool.min_share_timeout);
    }
  }
  for (auto& fault : plan.faults) {
    scale.time(fault.at);
    scale.time(fault.lasting);
  }
  auto& allocator = plan.allocator;
  for (auto* time : {&plan.cost.start_up, &allocator.offer_timeout, &allocator.batch, &plan.latency,
                     &allocator.report_period, &allocator.preemption.deadline, &plan.horizon, &plan.warm_up,
                     &plan.drain, &plan.hot_blocks.interval, &plan.hot_blocks.threshold,
                     &plan.hot_blocks.copy_timeout, &plan.hot_blocks.restore_after}) {
    scale.time(*time);
  }
  if (allocator.preemption.fair_share_timeout) scale.time(*allocator.preemption.fair_share_timeout);
  for (auto& pool : allocator.pools) {
    if (pool.share.min_share_timeout) scale.time(*pool.share.min_share_timeout);
    scale.time(pool.return_after);
  }
  return plan;
}

}  // namespace proffer::study

#include "proffer/sim/alone.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/bulk.hpp"
#include "proffer/sim/simulate.hpp"
#include "proffer/study/plan_rules.hpp"

namespace proffer::sim {
namespace {

using study::Plan;
using study::WorkloadJob;

/// The policy of a job that is alone: node-local slots are worth five seconds, as in the paper's experiments.
constexpr const char* kReference = "wait,node_wait=5s,rack_wait=5s";

/// Returns a file of as many bytes as a stage reads of others, whose blocks lie where the store puts them.
study::WorkloadFile file_of_stage(const WorkloadJob& job) {
  study::WorkloadFile file{"/stage", {}};
  for (const auto& map : job.maps) file.blocks.push_back({map.input_bytes, {}});
  return file;
}

/// Returns `plan` with nothing to do but this job, from the start, on the whole cluster and by rules that are
/// the same for all plans: what partitions, pools and the framework's own settings cost is part of a
/// slowdown.
Plan plan_with_only(const Plan& plan, const WorkloadJob& job) {
  auto one = plan;
  one.faults.clear();
  one.warm_up = one.drain = {};
  one.allocator.pools.clear();
  one.allocator.users.clear();
  one.allocator.default_pool.clear();
  one.allocator.preemption = {};
  one.allocator.share_by = ShareBy::kind;
  one.allocator.batch = {};
  one.frameworks = {study::PlanFramework{job.framework, "", "", parse_policy(kReference).value()}};
  if (!job.need.empty()) one.frameworks.front().map_kind = kCpus;
  one.workload.files.clear();
  one.workload.jobs = {job};
  auto& only = one.workload.jobs.front();
  only.submit = {};
  only.after.clear();
  only.pool.clear();
  only.stage.reset();
  if (job.stage && !job.stage->after.empty()) {
    one.workload.files = {file_of_stage(job)};
    only.file = 0;
  }
  if (job.file) {
    one.workload.files = {plan.workload.files[*job.file]};
    only.file = 0;
  }
  if (job.cached) {
    only.cached = static_cast<std::uint32_t>(one.workload.files.size());
    one.workload.files.push_back(plan.workload.files[*job.cached]);
  }
  return one;
}

/// All that the time a job takes alone depends on, as text.
class Shape {
 public:
  Shape(const Plan& plan, const WorkloadJob& job) {
    add(job.setup);
    add(job.cleanup);
    for (const auto& [kind, units] : job.need) add(std::string(kind.name()) + std::to_string(units));
    for (const auto* tasks : {&job.maps, &job.reduces}) {
      add(std::to_string(tasks->size()));
      for (const auto& task : *tasks) {
        add(task.compute);
        add(std::to_string(task.output_bytes));
      }
    }
    if (job.file) add(plan.workload.files[*job.file]);
    if (job.stage) add(file_of_stage(job));
    if (job.cached) add(plan.workload.files[*job.cached]);
    for (const auto block : job.reads) add(std::to_string(block));
  }
  std::string take() { return std::move(text_); }

 private:
  void add(const std::string& part) { text_.append(part).append(1, '\n'); }
  void add(Duration time) { add(std::to_string(to_us(time))); }
  void add(const study::WorkloadFile& file) {
    for (const auto& block : file.blocks) {
      add(std::to_string(block.bytes));
      for (const auto& node : block.nodes) add(node);
    }
  }

  std::string text_;
};

Result<std::optional<double>> response_of_only_job(const Plan& plan) {
  study::Recorder recorder(plan, kStart, {false, false});
  const auto simulated = simulate(plan, recorder);
  if (!simulated) return simulated.error();
  const auto job = recorder.finish(simulated->duration).jobs.at(0);
  return job.ok && job.finished ? std::optional(*job.finished - job.submitted) : std::nullopt;
}

}  // namespace

Result<study::AloneTimes> responses_alone(const Plan& plan) {
  if (auto checked = study::check_plan(plan); !checked) return checked.error();
  std::map<std::string, std::optional<double>> known;  // by shape
  study::AloneTimes times;
  for (const auto& job : plan.workload.jobs) {
    const auto [at, is_new] = known.try_emplace(Shape(plan, job).take());
    if (is_new) {
      const auto response = response_of_only_job(plan_with_only(plan, job));
      if (!response) return response.error();
      at->second = *response;
    }
    if (at->second) times[job.name] = *at->second;
  }
  return times;
}

}  // namespace proffer::sim

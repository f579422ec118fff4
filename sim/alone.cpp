#include "proffer/sim/alone.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/sim/simulate.hpp"
#include "proffer/study/plan_rules.hpp"

namespace proffer::sim {
namespace {

using study::Plan;
using study::WorkloadJob;

/// Returns `plan` with nothing to do but this job, from the start.
Plan plan_with_only(const Plan& plan, const WorkloadJob& job) {
  auto one = plan;
  one.faults.clear();
  one.warm_up = one.drain = {};
  std::erase_if(one.frameworks, [&](const auto& framework) { return framework.name != job.framework; });
  one.workload.files.clear();
  one.workload.jobs = {job};
  auto& only = one.workload.jobs.front();
  only.submit = {};
  only.after.clear();
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
    for (const auto* tasks : {&job.maps, &job.reduces}) {
      add(std::to_string(tasks->size()));
      for (const auto& task : *tasks) {
        add(task.compute);
        add(std::to_string(task.output_bytes));
      }
    }
    if (job.file) add(plan.workload.files[*job.file]);
    if (job.cached) add(plan.workload.files[*job.cached]);
    for (const auto block : job.reads) add(std::to_string(block));
    const auto& frameworks = plan.frameworks;
    const auto framework = std::find_if(frameworks.begin(), frameworks.end(),
                                        [&](const auto& one) { return one.name == job.framework; });
    if (framework != frameworks.end()) add(*framework);
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
  void add(const study::PlanFramework& framework) {
    add(framework.pool);
    add(framework.policy.name);
    add(std::to_string(framework.slow_start_milli));
    add(std::to_string(framework.max_copying));
    for (const auto& [setting, value] : framework.policy.settings) add(setting + "=" + value);
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

#include "frameworks/drivers/driven_job.hpp"

#include <utility>

namespace proffer::drivers {
namespace {

std::string state_of(const DrivenJob& job) {
  if (job.over()) return "ended";
  if (job.killed) return "ending";
  return job.stage == DrivenJob::Stage::out ? "running" : "waiting";
}

}  // namespace

Result<> check_spec(const SubmitJob& job) {
  const auto invalid = [](std::string why) { return Error{ErrorCode::invalid, std::move(why)}; };
  if (!valid_task_id(job.id + "_4294967295"))
    return invalid("the id of a detached job is no task id, or too long");
  if (job.framework == FrameworkId{} || job.secret == Secret{}) {
    return invalid("a detached job needs the id and the secret of its framework");
  }
  if (job.command.argv.empty()) return invalid("a detached job needs a command");
  return {};
}

TaskId DrivenJob::task() const {
  return starts == 0 ? TaskId{} : TaskId{spec.id + "_" + std::to_string(starts)};
}

DetachedJob DrivenJob::described(FrameworkId drivers, JobId id) const {
  DetachedJob shown;
  shown.id = spec.id;
  shown.name = spec.name;
  shown.user = spec.user;
  shown.summary = spec.summary;
  shown.state = state_of(*this);
  shown.text = text;
  shown.starts = starts;
  shown.exit = exit;
  shown.framework = drivers;
  shown.job = id;
  shown.task = task().value;
  shown.output_token = spec.command.output_token;
  shown.agent = agent.name;
  shown.data_endpoint = agent.data_endpoint;
  return shown;
}

}  // namespace proffer::drivers

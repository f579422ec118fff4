// Answers of the catalog after a job's last task. One rename makes everything visible or nothing; a rename
// whose answer was lost may have happened, so it is looked for before it is asked for again.
#include "frameworks/mapreduce/next_step.hpp"

namespace proffer::mapreduce {
namespace {

constexpr std::uint32_t kMostCleanUps = 5;

NextStep refuse_to_publish(const std::string& why) { return Fail{"the output cannot be published: " + why}; }

}  // namespace

NextStep renamed(Job& job, const Message& answer) {
  const auto* error = error_of(answer);
  if (!error) {
    job.output.published = true;
    return CleanUp{};
  }
  if (is_unsure(*error)) {
    job.output.publish_unsure = true;
    return AskLater{Step::verify, error->message,
                    "the catalog cannot be asked whether the output is published: " + error->message};
  }
  if (!job.output.publish_unsure) return refuse_to_publish(error->message);
  // An earlier rename may have come through late, and be the reason.
  job.output.publish_error = error->message;
  return Ask{Step::verify};
}

NextStep verified(Job& job, const Message& answer) {
  const auto* error = error_of(answer);
  if (!error) {
    job.output.published = true;
    return CleanUp{};
  }
  if (error->code != ErrorCode::not_found) job.output.publish_error = error->message;
  const bool no_former_driver_has = job.phase == JobPhase::planning && job.output.publish_error.empty();
  if (no_former_driver_has) return Ask{Step::list_input};
  if (job.output.publish_error.empty()) return Ask{Step::publish};
  return refuse_to_publish(job.output.publish_error);
}

NextStep cleaned_up(const Job& job, const Message& answer) {
  const auto* error = error_of(answer);
  const bool again = error && is_unsure(*error) && job.retries.in_vain() < kMostCleanUps;
  if (again) return AskLater{Step::clean_up, error->message};
  return Finish{};
}

}  // namespace proffer::mapreduce

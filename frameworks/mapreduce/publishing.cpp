// Questions to the catalog after a job's last task. One rename makes everything visible or nothing; a rename
// whose answer was lost may have happened, so it is looked for before it is asked for again.
#include "frameworks/mapreduce/impl.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

constexpr std::uint32_t kMostCleanUps = 5;

}  // namespace

void MapReduce::Impl::commit(Driver& driver, Job& job) {
  PROFFER_CHECK(job.tasks_done(), "a job commits once all its tasks are done");
  PROFFER_CHECK(job.phase == JobPhase::running && !job.published, "a job commits once");
  job.phase = JobPhase::committing;
  if (!job.spec.synthetic) return ask(driver, job, Step::publish);
  job.published = true;  // there is nothing to make visible
  end(driver, job, JobPhase::succeeded);
}

void MapReduce::Impl::renamed(Driver& driver, Job& job, const Message& reply) {
  const auto* error = mapreduce::error_of(reply);
  if (!error) {
    job.published = true;
    return clean_up(driver, job);
  }
  if (mapreduce::is_unsure(*error)) {
    job.publish_unsure = true;
    if (ask_later(driver, job, Step::verify, error->message)) return;
    return fail(driver, job,
                "the catalog cannot be asked whether the output is published: " + error->message);
  }
  if (!job.publish_unsure) return fail(driver, job, "the output cannot be published: " + error->message);
  // An earlier rename may have come through late, and be the reason.
  job.publish_error = error->message;
  ask(driver, job, Step::verify);
}

void MapReduce::Impl::verified(Driver& driver, Job& job, const Message& reply) {
  const auto* error = mapreduce::error_of(reply);
  if (!error) {
    job.published = true;
    return clean_up(driver, job);
  }
  if (error->code != ErrorCode::not_found) job.publish_error = error->message;
  if (job.publish_error.empty()) return ask(driver, job, Step::publish);
  fail(driver, job, "the output cannot be published: " + job.publish_error);
}

/// What failed attempts have left, and for a failed job everything.
void MapReduce::Impl::clean_up(Driver& driver, Job& job) {
  job.cleaning = true;
  job.give_up_waiting.reset();
  job.answered();
  if (job.claimed) return ask(driver, job, Step::clean_up);
  end(driver, job, JobPhase::failed);
}

void MapReduce::Impl::cleaned_up(Driver& driver, Job& job, const Message& reply) {
  const auto* error = mapreduce::error_of(reply);
  const bool again = error && mapreduce::is_unsure(*error) && job.asked_in_vain < kMostCleanUps;
  if (again && ask_later(driver, job, Step::clean_up, error->message)) return;
  end(driver, job, job.published ? JobPhase::succeeded : JobPhase::failed);
}

}  // namespace proffer

#include "frameworks/mapreduce/next_step.hpp"

#include "frameworks/mapreduce/store_path.hpp"
#include "proffer/check.hpp"

namespace proffer::mapreduce {

Message request_of(const Job& job, Step step) {
  const auto& output = job.spec.output;
  switch (step) {
    case Step::check_output:
      return ListFiles{0, output, false};
    case Step::list_input:
      return ListFiles{0, job.spec.inputs.at(job.input.listed), true};
    case Step::list_cached:
      return ListFiles{0, job.spec.cached.at(job.input.cached.size()).path, true};
    case Step::claim_output:
      return CreateFile{0, claim_path(output), job.spec.replication};
    case Step::settle_claim:
      return CompleteFile{0, claim_path(output)};
    case Step::publish:
      return RenameFiles{0, job.renames()};
    case Step::verify:
      return ListFiles{0, success_path(output), false};
    case Step::clean_up:
      return RemoveFiles{0, temporary_path(output)};
  }
  PROFFER_CHECK(false, "a step without a request");
}

const Error* error_of(const Message& answer) {
  const auto* done = std::get_if<CatalogDone>(&answer);
  return done && done->error ? &*done->error : nullptr;
}

bool is_unsure(const Error& error) {
  return error.code == ErrorCode::unreachable || error.code == ErrorCode::timed_out ||
         error.code == ErrorCode::slow_down || error.code == ErrorCode::unknown_session ||
         error.code == ErrorCode::no_space;
}

NextStep step_after(Job& job, Step asked, const Message& answer) {
  const auto* error = error_of(answer);
  const bool unsure = error && is_unsure(*error);
  // A rename and a removal have rules of their own for that: a rename may have happened.
  if (unsure && asked != Step::publish && asked != Step::clean_up) {
    // A claim that failed for want of space is not ours for certain: it changed nothing.
    job.output.claim_unsure |= asked == Step::claim_output && error->code != ErrorCode::no_space;
    return AskLater{asked, error->message, "the catalog cannot be asked: " + error->message};
  }
  // A listing may still be of no use: then the job has asked in vain once more.
  if (!unsure && asked != Step::list_input && asked != Step::list_cached) job.retries.answered();
  switch (asked) {
    case Step::check_output:
      return output_checked(job, answer);
    case Step::list_input:
      return input_listed(job, answer);
    case Step::list_cached:
      return cached_listed(job, answer);
    case Step::claim_output:
      return output_claimed(job, answer);
    case Step::settle_claim:
      return claim_settled(answer);
    case Step::publish:
      return renamed(job, answer);
    case Step::verify:
      return verified(job, answer);
    case Step::clean_up:
      break;
  }
  return cleaned_up(job, answer);
}

}  // namespace proffer::mapreduce

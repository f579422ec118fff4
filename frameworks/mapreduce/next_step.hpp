// The next step of a job, by what the catalog has answered: rules over one job, without any effect but on
// what it has learned (Job::input, Job::output, Job::retries). Who calls them carries out what they say.
//
// Before its first task a job asks whether the output is new and what is in the input; then it claims the
// output. After its last task one rename makes everything visible or nothing.
#pragma once

#include <string>
#include <variant>

#include "frameworks/mapreduce/job.hpp"
#include "frameworks/mapreduce/step.hpp"
#include "proffer/machine.hpp"

namespace proffer::mapreduce {

/// The job asks this.
struct Ask {
  Step step;
};
/// The job asks that in a while, because of `why`. When that has gone on for too long it fails because of
/// `otherwise`, but after clean_up it ends as it is.
struct AskLater {
  Step step;
  std::string why;
  std::string otherwise = {};
};
/// The job fails, because of `why`.
struct Fail {
  std::string why;
};
/// The job's tasks can be made: all is known that it reads, and its output is claimed.
struct MakeTasks {};
/// The leftovers of attempts are removed, and for a failed job everything.
struct CleanUp {};
/// The job ends: well if its output is published.
struct Finish {};
using NextStep = std::variant<Ask, AskLater, Fail, MakeTasks, CleanUp, Finish>;

/// The first thing that a job does. `has_catalog`: there is somebody to ask.
NextStep first_step(const Job& job, bool has_catalog);
/// The step that follows from the answer to the job's question.
NextStep step_after(Job& job, Step asked, const Message& answer);
/// The question as a message.
Message request_of(const Job& job, Step step);

// The parts of step_after(), in two files.

/// planning.cpp: the questions before a job's first task.
NextStep output_checked(const Job& job, const Message& answer);
NextStep input_listed(Job& job, const Message& answer);
NextStep cached_listed(Job& job, const Message& answer);
NextStep output_claimed(Job& job, const Message& answer);
NextStep claim_settled(const Message& answer);
/// publishing.cpp: those after its last one.
NextStep renamed(Job& job, const Message& answer);
NextStep verified(Job& job, const Message& answer);
NextStep cleaned_up(const Job& job, const Message& answer);

/// The error of an answer; none when the request succeeded.
const Error* error_of(const Message& answer);
/// True when a request with that error may or may not have been carried out, or may be later: worth asking
/// again.
bool is_unsure(const Error& error);

}  // namespace proffer::mapreduce

// Answers of the catalog before a job's first task: is the output new, what is in the input; then the output
// is claimed with a file that no other job can create, and that becomes its _SUCCESS.
#include "frameworks/mapreduce/next_step.hpp"

namespace proffer::mapreduce {
namespace {

NextStep after_listing(const Job& job) {
  if (job.input.cached.size() < job.spec.cached.size()) return Ask{Step::list_cached};
  if (!job.spec.writes() || job.output.claimed) return MakeTasks{};
  return Ask{Step::claim_output};
}

NextStep before_listing(const Job& job) {
  return job.spec.inputs.empty() ? after_listing(job) : Ask{Step::list_input};
}

}  // namespace

NextStep first_step(const Job& job, bool has_catalog) {
  const bool reads_nothing = job.spec.synthetic && job.spec.inputs.empty();
  const bool is_new = job.spec.writes() && !job.output.claimed;
  if (reads_nothing && job.spec.cached.empty() && !job.spec.writes()) return MakeTasks{};
  if (!has_catalog) return Fail{"the cluster has no catalog, so there is nothing to read from"};
  if (job.spec.driven.claimed) return Ask{Step::verify};
  // An output that is claimed already is that of a former process of the framework.
  return is_new ? Ask{Step::check_output} : before_listing(job);
}

NextStep output_checked(const Job& job, const Message& answer) {
  const auto* error = error_of(answer);
  if (!error) return Fail{"the output " + job.spec.output + " exists"};
  if (error->code != ErrorCode::not_found) return Fail{"the output cannot be used: " + error->message};
  return before_listing(job);
}

NextStep input_listed(Job& job, const Message& answer) {
  if (const auto* error = error_of(answer)) return Fail{"the input cannot be read: " + error->message};
  const auto* listed = std::get_if<FilesListed>(&answer);
  if (!listed) return Fail{"the catalog's answer about the input makes no sense"};
  std::vector<FileInfo> files;
  add_files(*listed, job.spec.inputs.at(job.input.listed), files);
  const auto before = job.input.maps.size();
  if (auto planned = plan_maps(files, listed->token, job.input.maps); !planned) {
    job.input.maps.erase(job.input.maps.begin() + static_cast<std::ptrdiff_t>(before), job.input.maps.end());
    // Holders of blocks are reported by and by after a start of the catalog, or of their agents.
    return AskLater{Step::list_input, planned.error().message, planned.error().message};
  }
  job.retries.answered();
  if (++job.input.listed < job.spec.inputs.size()) return Ask{Step::list_input};
  return after_listing(job);
}

NextStep cached_listed(Job& job, const Message& answer) {
  const auto& [path, name] = job.spec.cached.at(job.input.cached.size());
  const auto cannot_read = [&path](const std::string& why) {
    return "the cached file " + path + " cannot be read: " + why;
  };
  if (const auto* error = error_of(answer)) return Fail{cannot_read(error->message)};
  const auto* listed = std::get_if<FilesListed>(&answer);
  if (!listed) return Fail{cannot_read("the catalog's answer makes no sense")};
  if (auto planned = plan_cached(*listed, path, name, job.input.cached); !planned) {
    auto why = cannot_read(planned.error().message);
    if (planned.error().code != ErrorCode::unreachable) return Fail{std::move(why)};
    return AskLater{Step::list_cached, why, why};
  }
  job.retries.answered();
  return after_listing(job);
}

NextStep output_claimed(Job& job, const Message& answer) {
  const auto* error = error_of(answer);
  if (!error) {
    job.output.claimed = true;
    return Ask{Step::settle_claim};
  }
  if (error->code != ErrorCode::exists) return Fail{"the output cannot be made: " + error->message};
  // The claim may be our own after a lost request; leaving it to the user is safe, taking it is not.
  return Fail{job.output.claim_unsure
                  ? "the catalog was lost while " + job.spec.output +
                        " was being claimed; remove it and try again"
                  : "the output " + job.spec.output + " exists, or another job is about to write it"};
}

NextStep claim_settled(const Message& answer) {
  const auto* error = error_of(answer);
  if (!error) return MakeTasks{};
  // A catalog that was started again forgets a file that nobody has completed.
  if (error->code == ErrorCode::not_found) return Ask{Step::claim_output};
  return Fail{"the output cannot be made: " + error->message};
}

}  // namespace proffer::mapreduce

// Questions to the catalog before a job's first task: is the output new, what is in the input; then the
// output is claimed with a file that no other job can create, and that becomes its _SUCCESS.
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "frameworks/mapreduce/store_path.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

constexpr Duration kAskAgain = std::chrono::seconds(1);

Message request_of(const mapreduce::Job& job, mapreduce::Step step) {
  using mapreduce::Step;
  const auto& output = job.spec.output;
  switch (step) {
    case Step::check_output:
      return ListFiles{0, output, false};
    case Step::list_input:
      return ListFiles{0, job.spec.inputs.at(job.inputs_listed), true};
    case Step::list_cached:
      return ListFiles{0, job.spec.cached.at(job.cached.size()).path, true};
    case Step::claim_output:
      return CreateFile{0, mapreduce::claim_path(output), job.spec.replication};
    case Step::settle_claim:
      return CompleteFile{0, mapreduce::claim_path(output)};
    case Step::publish:
      return RenameFiles{0, job.renames()};
    case Step::verify:
      return ListFiles{0, mapreduce::success_path(output), false};
    case Step::clean_up:
      return RemoveFiles{0, mapreduce::temporary_path(output)};
  }
  PROFFER_CHECK(false, "a step without a request");
}

}  // namespace

namespace mapreduce {

const Error* error_of(const Message& reply) {
  const auto* done = std::get_if<CatalogDone>(&reply);
  return done && done->error ? &*done->error : nullptr;
}

bool is_unsure(const Error& error) {
  return error.code == ErrorCode::unreachable || error.code == ErrorCode::timed_out ||
         error.code == ErrorCode::slow_down || error.code == ErrorCode::unknown_session ||
         error.code == ErrorCode::no_space;
}

}  // namespace mapreduce

void MapReduce::Impl::ask(Driver& driver, Job& job, Step step) {
  questions[driver.ask_catalog(request_of(job, step))] = {job.id, step};
}

bool MapReduce::Impl::ask_later(Driver& driver, Job& job, Step step, const std::string& why) {
  ++job.asked_in_vain;
  if (!job.waits_since) {
    job.waits_since = driver.now();
    if (observer && step != Step::clean_up) observer->job_waits(job.progress(), why, config.store_patience);
  }
  if (driver.now() - *job.waits_since >= config.store_patience) return false;
  job.ask_again = step;
  timed.insert(job.id);
  job.ask_again_at = driver.now() + kAskAgain;
  return true;
}

void MapReduce::Impl::answered(Driver& driver, const Message& message) {
  const auto number = std::visit(
      [](const auto& body) -> std::uint64_t {
        if constexpr (requires { body.request; }) return body.request;
        return 0;
      },
      message);
  const auto node = questions.extract(number);
  if (node.empty()) return;
  const auto [id, step] = node.mapped();
  auto& job = jobs.at(id);
  if (job.ended()) return;
  const auto* error = mapreduce::error_of(message);
  const bool unsure = error && mapreduce::is_unsure(*error);
  if (unsure && step != Step::publish && step != Step::clean_up) {
    job.claim_unsure |=
        step == Step::claim_output && error->code != ErrorCode::no_space;  // which changes nothing
    if (!ask_later(driver, job, step, error->message))
      fail(driver, job, "the catalog cannot be asked: " + error->message);
    return;
  }
  // A listing may still be of no use.
  if (!unsure && step != Step::list_input && step != Step::list_cached) job.answered();
  switch (step) {
    case Step::check_output:
      return output_checked(driver, job, message);
    case Step::list_input:
      return input_listed(driver, job, message);
    case Step::list_cached:
      return cached_listed(driver, job, message);
    case Step::claim_output:
      return output_claimed(driver, job, message);
    case Step::settle_claim:
      return claim_settled(driver, job, message);
    case Step::publish:
      return renamed(driver, job, message);
    case Step::verify:
      return verified(driver, job, message);
    case Step::clean_up:
      return cleaned_up(driver, job, message);
  }
}

void MapReduce::Impl::output_checked(Driver& driver, Job& job, const Message& reply) {
  const auto* error = mapreduce::error_of(reply);
  if (!error) return fail(driver, job, "the output " + job.spec.output + " exists");
  if (error->code != ErrorCode::not_found)
    return fail(driver, job, "the output cannot be used: " + error->message);
  ask(driver, job, Step::list_input);
}

void MapReduce::Impl::input_listed(Driver& driver, Job& job, const Message& reply) {
  if (const auto* error = mapreduce::error_of(reply)) {
    return fail(driver, job, "the input cannot be read: " + error->message);
  }
  const auto* listed = std::get_if<FilesListed>(&reply);
  if (!listed) return fail(driver, job, "the catalog's answer about the input makes no sense");
  note_wish(driver, listed->use);
  std::vector<FileInfo> files;
  mapreduce::add_files(*listed, job.spec.inputs.at(job.inputs_listed), files);
  const auto before = job.inputs.size();
  if (auto planned = mapreduce::plan_maps(files, listed->token, job.inputs); !planned) {
    job.inputs.erase(job.inputs.begin() + static_cast<std::ptrdiff_t>(before), job.inputs.end());
    return wait_for_holders(driver, job, Step::list_input, planned.error().message);
  }
  job.answered();
  if (++job.inputs_listed < job.spec.inputs.size()) return ask(driver, job, Step::list_input);
  all_listed(driver, job);
}

/// After a start of the catalog, or of their agents, they are reported by and by.
void MapReduce::Impl::wait_for_holders(Driver& driver, Job& job, Step step, const std::string& why) {
  if (!ask_later(driver, job, step, why)) fail(driver, job, why);
}

void MapReduce::Impl::all_listed(Driver& driver, Job& job) {
  if (job.cached.size() < job.spec.cached.size()) return ask(driver, job, Step::list_cached);
  if (job.spec.synthetic) return plan(driver, job);
  ask(driver, job, Step::claim_output);
}

void MapReduce::Impl::output_claimed(Driver& driver, Job& job, const Message& reply) {
  const auto* error = mapreduce::error_of(reply);
  if (!error) {
    job.claimed = true;
    return ask(driver, job, Step::settle_claim);
  }
  if (error->code != ErrorCode::exists)
    return fail(driver, job, "the output cannot be made: " + error->message);
  // After a lost request the claim may be our own; leaving it to the user is safe, taking it is not.
  fail(driver, job,
       job.claim_unsure
           ? "the catalog was lost while " + job.spec.output + " was being claimed; remove it and try again"
           : "the output " + job.spec.output + " exists, or another job is about to write it");
}

void MapReduce::Impl::claim_settled(Driver& driver, Job& job, const Message& reply) {
  const auto* error = mapreduce::error_of(reply);
  // A catalog that was started again forgets a file that nobody has completed.
  if (error && error->code == ErrorCode::not_found) return ask(driver, job, Step::claim_output);
  if (error) return fail(driver, job, "the output cannot be made: " + error->message);
  plan(driver, job);
}

void MapReduce::Impl::begin(Driver& driver, Job& job) {
  job.phase = JobPhase::planning;
  const bool reads_nothing = job.spec.synthetic && job.spec.inputs.empty();
  if (reads_nothing && job.spec.cached.empty()) return plan(driver, job);
  if (catalog_endpoint.empty()) {
    return fail(driver, job, "the cluster has no catalog, so there is nothing to read from");
  }
  if (reads_nothing) return all_listed(driver, job);
  ask(driver, job, job.spec.synthetic ? Step::list_input : Step::check_output);
}

void MapReduce::Impl::plan(Driver& driver, Job& job) {
  if (job.spec.synthetic) {
    const auto described = job.spec.synthetic->maps.size();
    if (job.spec.inputs.empty()) job.inputs.resize(described);
    if (!mapreduce::choose_blocks(job.spec.synthetic->reads, job.inputs)) {
      return fail(driver, job, "a map is described that reads a block which the input does not have");
    }
    if (job.inputs.size() != described) {
      return fail(driver, job,
                  "the input has " + std::to_string(job.inputs.size()) + " blocks, but " +
                      std::to_string(described) + " maps are described");
    }
  }
  const auto maps = static_cast<std::uint32_t>(job.inputs.size());
  const auto reduces = job.spec.reduce_count();
  job.largest_map_bytes = mapreduce::largest_map_bytes(job);
  if (job.largest_map_bytes > mapreduce::kTaskBytesPerMessage) {
    return fail(driver, job,
                "a record spans too many blocks, or the shipped files are too large, or the cached files have"
                " too many blocks, for one map");
  }
  const auto parts = job.map_only() ? maps : reduces;
  if (!job.spec.synthetic && mapreduce::rename_bytes(job, parts) > mapreduce::kTaskBytesPerMessage) {
    return fail(driver, job,
                "the job would write more files than can be published at once; use larger blocks"
                " or fewer reduces");
  }
  job.maps = mapreduce::TaskTable(job.id, 'm', maps);
  job.reduces = mapreduce::TaskTable(job.id, 'r', reduces);
  job.phase = JobPhase::running;
  driver.trace(JobSubmitted{job.id, job.spec.name, maps, reduces});
  pool.add_job(job.id, job.spec.name, {job.spec.pool, job.spec.user, job.spec.priority});
  in_pool.insert(job.id);
  measure_tasks();
  join_holders(job);
  advance(driver, job);
}

}  // namespace proffer

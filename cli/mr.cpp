// The command `proffer mr`: MapReduce jobs, on the cluster or on local files.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/claims.hpp"
#include "cli/commands.hpp"
#include "cli/detach.hpp"
#include "cli/json.hpp"
#include "cli/mr_config.hpp"
#include "cli/mr_summary.hpp"
#include "cli/output.hpp"
#include "cli/plugins.hpp"
#include "cli/run_state.hpp"
#include "cli/where.hpp"
#include "proffer/formats/job_list.hpp"
#include "proffer/formats/text.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/framework_host.hpp"
#include "proffer/live/local_mapreduce.hpp"

namespace proffer::cli {
namespace {

constexpr std::uint32_t kReplication = 3;  // of the output

/// Returns the name of a job in messages; a job without a name of its own is called "job 1" already.
std::string called(const std::string& name) { return name.starts_with("job ") ? name : "job " + name; }

/// Shows progress: on a terminal as one line that is rewritten; else as a line now and then. Ends of jobs are
/// always shown.
class Progress final : public JobObserver {
 public:
  Progress(const MrOptions& options) : quiet_(options.quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

  void job_progressed(const JobProgress& progress) override { latest_[progress.job] = progress; }
  void task_failed(JobId, const TaskId& task, const std::string& why) override {
    clear_line();
    std::fprintf(stderr, "%s failed and is tried again: %s\n", task.value.c_str(),
                 formats::printable(why, "\n\t").c_str());
  }
  void job_waits(const JobProgress& job, const std::string& why, Duration at_most) override {
    clear_line();
    std::fprintf(stderr, "%s waits for up to %lld s: %s\n", job.name.c_str(),
                 static_cast<long long>(std::chrono::floor<std::chrono::seconds>(at_most).count()),
                 why.c_str());
  }
  void job_ended(const JobReport& report) override {
    latest_.erase(report.progress.job);
    ++ended_;
    clear_line();
    if (!report.ok) {
      std::fprintf(stderr, "proffer: %s failed: %s\n", called(report.progress.name).c_str(),
                   formats::printable(report.why, "\n\t").c_str());
    } else if (!quiet_) {
      std::fprintf(stderr, "%s  maps %u/%u  reduces %u/%u  %.1f s\n", report.progress.name.c_str(),
                   report.progress.maps.done, report.progress.maps.total, report.progress.reduces.done,
                   report.progress.reduces.total, seconds(report));
    }
  }

  void show() {
    if (quiet_ || latest_.empty()) return;
    TaskProgress maps, reduces;
    for (const auto& [job, progress] : latest_) {
      maps.done += progress.maps.done;
      maps.total += progress.maps.total;
      reduces.done += progress.reduces.done;
      reduces.total += progress.reduces.total;
    }
    const auto line =
        fmt::format("jobs {} ended, {} to go  maps {}/{} {}%  reduces {}/{} {}%", ended_, latest_.size(),
                    maps.done, maps.total, percent(maps), reduces.done, reduces.total, percent(reduces));
    if (line == shown_) return;
    shown_ = line;
    std::fprintf(stderr, terminal_ ? "\r%s\x1b[K" : "%s\n", line.c_str());
  }
  void clear_line() {
    if (terminal_ && !shown_.empty()) std::fputs("\r\x1b[K", stderr);
    shown_.clear();
  }

 private:
  static unsigned percent(const TaskProgress& tasks) {
    return tasks.total == 0 ? 0 : 100 * tasks.done / tasks.total;
  }
  static double seconds(const JobReport& report) {
    return report.finished ? static_cast<double>(to_us(*report.finished - report.submitted)) / 1e6 : 0;
  }

  bool quiet_;
  bool terminal_;
  std::map<JobId, JobProgress> latest_;
  std::size_t ended_ = 0;
  std::string shown_;
};

Result<Environment> environment(const std::vector<std::string>& pairs) {
  Environment env;
  for (const auto& pair : pairs) {
    const auto equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{ErrorCode::invalid, "-cmdenv " + pair + ": write NAME=VALUE"};
    }
    env.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return env;
}

Result<JobSpec> job_from_flags(const MrJobOptions& options) {
  const auto* missing = options.inputs.empty()   ? "-input"
                        : options.output.empty() ? "-output"
                        : options.mapper.empty() ? "-mapper"
                                                 : nullptr;
  if (missing != nullptr) {
    constexpr auto kWhy = "{} is missing: a job needs -input, -output and -mapper (or -jobs FILE)";
    return Error{ErrorCode::invalid, fmt::format(kWhy, missing)};
  }
  if (options.reduces.value_or(0) > 0 && (options.reducer.empty() || options.reducer == "NONE")) {
    constexpr auto kWhy = "-numReduceTasks {} needs a -reducer; without one the mapper's output is the job's";
    return Error{ErrorCode::invalid, fmt::format(kWhy, *options.reduces)};
  }
  JobSpec job;
  job.name = options.name;
  job.inputs = options.inputs;
  job.output = options.output;
  job.mapper = options.mapper;
  job.reducer = options.reducer;
  job.combiner = options.combiner;
  job.num_reduces = options.reduces.value_or(1);
  auto env = environment(options.env);
  if (!env) return env.error();
  job.env = std::move(*env);
  for (const auto& text : options.cached) job.cached.push_back(parse_cached(text));
  std::size_t bytes = 0;
  for (const auto& path : options.files) {
    auto file = file_for_driver(path);
    if (!file) return Error{file.error().code, "-file: " + file.error().message};
    bytes += file->bytes.size();
    job.files.push_back(std::move(*file));
  }
  if (bytes > limits::kShippedFileBytes) {
    return Error{ErrorCode::invalid,
                 fmt::format("-file: {} together are too much; the bound is {}; larger files go "
                             "into the store, and to tasks by -cacheFile",
                             human_bytes(bytes), human_bytes(limits::kShippedFileBytes))};
  }
  return job;
}

Result<> check_commands(const JobSpec& job) {
  if (auto fine = live::check_command("mapper", job.mapper, job.files); !fine || job.map_only()) return fine;
  if (auto fine = live::check_command("reducer", job.reducer, job.files); !fine) return fine;
  return live::check_command("combiner", job.combiner, job.files);
}

Result<JobList> jobs_of(const MrOptions& options) {
  JobList list;
  auto& jobs = list.jobs;
  if (!options.job_list.empty()) {
    auto read = read_job_list(options.job_list, order_of(options));
    if (!read) return read.error();
    list = std::move(*read);
  } else {
    auto job = job_from_flags(options.job);
    if (!job) return job.error();
    jobs.push_back(std::move(*job));
  }
  for (auto& job : jobs) {
    job.token = live::random_token();
    job.replication = options.replication.value_or(kReplication);
    if (auto fine = check_commands(job); !fine) return fine.error();
  }
  return list;
}

/// Returns the kinds of slots that the jobs want.
std::vector<Kind> kinds_of(const std::vector<JobSpec>& jobs, const MapReduceConfig& config) {
  const bool reduces =
      std::any_of(jobs.begin(), jobs.end(), [](const JobSpec& job) { return !job.map_only(); });
  return reduces ? std::vector{config.map_kind, config.reduce_kind} : std::vector{config.map_kind};
}

int run_locally(const std::vector<JobSpec>& jobs) {
  for (const auto& job : jobs) {
    live::LocalJob local{job.inputs,
                         job.output,
                         job.mapper,
                         job.map_only() ? "NONE" : job.reducer,
                         job.combiner,
                         job.num_reduces,
                         job.env,
                         job.files,
                         {}};
    for (const auto& file : job.cached) local.links.emplace_back(file.name, file.path);
    if (auto ran = live::run_local_mapreduce(local); !ran) return report(ran.error());
  }
  return kOk;
}

void print_end(const MapReduce& jobs, const MrOptions& options) {
  if (options.format == Format::json) {
    std::fputs(mr_summary_json(jobs, options.framework.name, options.policy).c_str(), stdout);
    return;
  }
  if (options.quiet) return;
  for (const auto& job : jobs.reports()) {
    if (!job.ok) continue;
    if (jobs.reports().size() > 1) std::printf("%s\n", job.progress.name.c_str());
    std::printf("%sOutput in %s\n", counters_text(job).c_str(), job.output.c_str());
  }
  std::puts(offers_text(jobs.offer_totals()).c_str());
}

Result<live::FrameworkHostConfig> host_config(const MrOptions& options, const Where& where,
                                              const std::optional<Driving>& driving, Progress& progress,
                                              MapReduce& jobs) {
  live::FrameworkHostConfig config;
  auto framework = framework_config(options.framework);
  if (!framework) return framework.error();
  config.framework = std::move(*framework);
  config.allocator = where.allocator;
  config.progress = [&progress] { progress.show(); };
  config.stop_requested = [&jobs] { jobs.cancel(); };
  config.stop_grace = std::chrono::seconds(10);  // tasks end before what they wrote is removed
  if (driving) drive(*driving, config);
  return config;
}

/// The jobs of a list with pools that another process has begun: only the pools are needed.
Result<JobList> pools_of(const MrOptions& options) {
  if (options.job_list.empty()) return JobList{};
  auto list = read_job_list(options.job_list, order_of(options));
  if (list) list->jobs.clear();
  return list;
}

/// Runs jobs on the cluster: those of `list`, or those that the plan's state holds.
int run_jobs(RunPlan<MrOptions> plan, JobList list) {
  const auto& options = plan.options;
  const bool resumes = plan.state.has_value();
  if (auto loaded = load_plugins(options.framework.plugins); !loaded) return report(loaded.error());
  Progress progress(options);
  const auto config = mr_config(options, list);
  if (!config) return report(config.error());
  auto scheduler = MapReduce::make(*config, &progress);
  if (!scheduler) return usage_error("--policy: " + scheduler.error().message);
  auto kinds = resumes ? std::vector<Kind>() : kinds_of(list.jobs, *config);
  for (auto& job : list.jobs) {
    if (auto submitted = (*scheduler)->submit(std::move(job)); !submitted) return report(submitted.error());
  }

  const auto where = find_cluster(options.framework.where);
  if (!where) return report(where.error());
  live::Context context;
  live::Stop stop;
  stop.on_signals();
  auto host = host_config(options, *where, plan.driving, progress, **scheduler);
  if (!host) return report(host.error());
  const auto state = plan.driving ? reach_patiently(context, where->allocator, stop)
                                  : reach(context, where->allocator, *host->unreachable_after);
  if (!state) return plan.driving ? driver_failed(state.error()) : report(state.error());
  host->event_log = event_log_for(options.framework, *where, *state);
  warn_of_missing_kinds(*state, kinds);
  if (auto begun = begin_or_resume(plan, where->allocator); !begun) return report(begun.error());
  if (plan.state) host->state_dir = plan.state->path();
  const auto end = live::run_framework(context, *host, **scheduler, stop);
  progress.clear_line();
  const auto& refused = (*scheduler)->refused();
  if (plan.state && is_over(end ? refused : std::optional(end.error()), resumes)) plan.state->remove();
  if (const auto why = end ? refused : std::optional(end.error())) {
    return plan.driving ? driver_failed(*why) : report(*why);
  }
  if (*end == live::FrameworkEnd::stopped) {
    std::fprintf(stderr, "proffer: stopped\n");
    return plan.driving ? kDriverAgain : kFailed;
  }
  print_end(**scheduler, options);
  if (!options.summary.empty()) {
    const auto text = mr_summary_json(**scheduler, options.framework.name, options.policy);
    if (auto written = write_whole(options.summary, text); !written) return report(written.error());
  }
  return (*scheduler)->all_succeeded() ? kOk : kFailed;
}

int resume_mr(const MrOptions& asked) {
  auto plan = plan_of_resumed(asked, "mr");
  if (!plan) return report(plan.error());
  auto list = pools_of(plan->options);
  if (!list) return report(list.error());
  return run_jobs(std::move(*plan), std::move(*list));
}

/// Refuses what cannot be, as running it here would.
Result<> check_jobs(const MrOptions& options, const JobList& list) {
  Progress nobody(options);
  const auto config = mr_config(options, list);
  if (!config) return config.error();
  auto scheduler = MapReduce::make(*config, &nobody);
  if (!scheduler) return Error{ErrorCode::invalid, "--policy: " + scheduler.error().message};
  for (const auto& job : list.jobs) {
    if (auto submitted = (*scheduler)->submit(job); !submitted) return submitted.error();
  }
  return {};
}

/// Returns the files of this machine that a driver needs.
Result<std::vector<ShippedFile>> files_of(const MrOptions& options) {
  std::vector<ShippedFile> files;
  auto paths = options.job.files;
  if (!options.job_list.empty()) paths.push_back(options.job_list);
  std::size_t bytes = 0;
  for (const auto& path : paths) {
    auto file = file_for_driver(path);
    if (!file) return file.error();
    bytes += file->bytes.size();
    files.push_back(std::move(*file));
  }
  if (bytes <= limits::kShippedFileBytes) return files;
  return Error{ErrorCode::invalid, fmt::format("{} of files are too much to be handed over; the bound is {}",
                                               human_bytes(bytes), human_bytes(limits::kShippedFileBytes))};
}

/// Hands the jobs over to the cluster, once nothing is wrong with them.
Result<> detach(const MrOptions& options) {
  if (auto fine = check_detached(options.framework); !fine) return fine;
  if (options.runner == "local" || !options.summary.empty()) {
    return Error{ErrorCode::invalid, std::string(options.summary.empty() ? "-r local" : "--summary") +
                                         " and --detach exclude each other: the jobs run elsewhere"};
  }
  const auto list = jobs_of(options);
  if (!list) return list.error();
  if (auto fine = check_jobs(options, *list); !fine) return fine;
  auto files = files_of(options);
  if (!files) return files.error();
  const auto where = find_cluster(options.framework.where);
  if (!where) return where.error();
  live::Context context;
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return state.error();
  if (auto fine = check_cluster(*state, *where, options.framework.pool); !fine) return fine;
  const auto catalog = connect_catalog(context, options.framework.where);
  if (!catalog) return catalog.error();
  if (auto fine = check_inputs(**catalog, list->jobs); !fine) return fine;
  if (auto claimed = claim_outputs(**catalog, list->jobs); !claimed) return claimed;
  auto handed = hand_over(context, options.framework, *where, std::move(*files));
  if (!handed && !may_be_taken(handed.error())) release_outputs(**catalog, list->jobs);
  return handed;
}

/// Ends what former drivers of these jobs have left, in the cluster and in the store.
int end_detached(const MrOptions& options, const Driving& driving, const JobList& list) {
  const auto where = find_cluster(options.framework.where);
  if (!where) return report(where.error());
  live::Context context;
  live::Stop stop;
  stop.on_signals();
  live::FrameworkHostConfig config;
  auto framework = framework_config(options.framework);
  if (!framework) return report(framework.error());
  config.framework = std::move(*framework);
  config.allocator = where->allocator;
  drive(driving, config);
  if (const auto ended = end_what_is_left(context, config, stop); ended != kOk) return ended;
  const auto catalog = connect_catalog(context, options.framework.where);
  if (!catalog) return driver_failed(catalog.error());
  release_outputs(**catalog, list.jobs);
  return kOk;
}

/// Drives the jobs, whose files are in this folder now.
int drive_mr(MrOptions options, const Driving& driving) {
  const auto here = [](std::string& path) { path = std::filesystem::path(path).filename().string(); };
  for (auto& file : options.job.files) here(file);
  here(options.job_list);
  auto list = jobs_of(options);
  if (!list) return report(list.error());
  for (auto& job : list->jobs) {
    job.driven.claimed = true;
    job.driven.first_attempt = first_attempt_of(driving);
  }
  if (driving.ends) return end_detached(options, driving, *list);
  return run_jobs({options, {}, {}, driving}, std::move(*list));
}

}  // namespace

int run_mr(const MrOptions& options) {
  if (options.framework.end_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const auto driving = take_driving();
  if (!driving) return report(driving.error());
  if (*driving) return drive_mr(options, **driving);
  if (options.framework.detach) {
    const auto detached = detach(options);
    return detached ? kOk : report(detached.error());
  }
  if (options.framework.resume) return resume_mr(options);
  auto list = jobs_of(options);
  if (!list) return report(list.error());
  if (options.runner == "local") return run_locally(list->jobs);
  return run_jobs({options, {}, {}, {}}, std::move(*list));
}

}  // namespace proffer::cli

#include "cli/run_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "cli/cell_run.hpp"
#include "cli/study_commands.hpp"

namespace proffer::cli {
namespace {

using study::Cell;
using study::Experiment;
using study::ResultsFolder;

struct Job {
  Cell cell;
  std::uint64_t seed = 0;
};

/// Returns runs seed by seed over all cells, so that an early look at the results compares like with like.
std::vector<Job> jobs_of(const Experiment& experiment,
                         const std::function<bool(const Cell&, std::uint64_t)>& wanted) {
  std::vector<Job> jobs;
  const auto cells = study::cells(experiment);
  for (std::uint32_t n = 0; n < experiment.seed_count; ++n) {
    const auto seed = experiment.first_seed + n;
    for (const auto& cell : cells) {
      if (wanted(cell, seed)) jobs.push_back({cell, seed});
    }
  }
  return jobs;
}

/// Shows the progress, with the time left.
class PoolProgress {
 public:
  PoolProgress(std::size_t all, bool show) : all_(all), show_(show && all > 0) {}
  ~PoolProgress() {
    if (shown_) fmt::print(stderr, "\n");
  }

  void one_done() {
    ++done_;
    if (!show_) return;
    const auto now = std::chrono::steady_clock::now();
    const double spent = std::chrono::duration<double>(now - begin_).count();
    const double left = spent / static_cast<double>(done_) * static_cast<double>(all_ - done_);
    const auto line = fmt::format("{}/{} runs, {:.0f} s{}", done_, all_, spent,
                                  done_ == all_ ? "" : fmt::format(", about {:.0f} s left", left));
    if (stderr_is_terminal()) {
      fmt::print(stderr, "\r\033[K{}", line);
      std::fflush(stderr);
      shown_ = true;
    } else if (now - told_ > std::chrono::seconds(10) || done_ == all_) {
      fmt::print(stderr, "{}\n", line);
      told_ = now;
    }
  }

 private:
  std::size_t all_;
  std::size_t done_ = 0;
  bool show_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = begin_;
};

/// Calls `run(job)` for each, `threads` at a time.
Result<> run_all(const std::vector<Job>& jobs, unsigned threads, bool show,
                 const std::function<Result<>(const Job&)>& run) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::optional<Error> failure;
  PoolProgress progress(jobs.size(), show);
  const auto work = [&] {
    for (auto at = next++; at < jobs.size(); at = next++) {
      auto done = run(jobs[at]);
      const std::lock_guard lock(mutex);
      if (!done && !failure) {
        const auto& cell = jobs[at].cell.name;
        failure = Error{done.error().code, fmt::format("{}{}seed {}: {}", cell, cell.empty() ? "" : ", ",
                                                       jobs[at].seed, done.error().message)};
      }
      if (failure) return;
      progress.one_done();
    }
  };
  std::vector<std::jthread> pool;
  for (unsigned n = 0; n < std::min<std::size_t>(threads, jobs.size()); ++n) pool.emplace_back(work);
  pool.clear();
  if (failure) return *failure;
  return {};
}

}  // namespace

Result<> run_missing(const Experiment& experiment, const ResultsFolder& folder,
                     const RunPoolOptions& options) {
  const auto jobs = jobs_of(experiment, [&](const Cell& cell, std::uint64_t seed) {
    return (options.cells.empty() || options.cells.contains(cell.name)) && !folder.is_complete(cell, seed);
  });
  // Live runs need the machine for themselves.
  const auto threads = experiment.live ? 1 : options.threads;
  return run_all(jobs, threads, options.show_progress, [&](const Job& job) -> Result<> {
    const auto path = folder.begin_run(job.cell, job.seed);
    if (!path) return path.error();
    CellRunOptions how;
    how.offers = options.offers;
    if (options.events) how.events = *path + "/events.jsonl";
    const auto result = cell_run(experiment, job.cell, job.seed, how);
    if (!result) return result.error();
    return folder.finish_run(job.cell, *result);
  });
}

Result<Verdicts> differing_runs(const Experiment& experiment, const ResultsFolder& folder, unsigned threads) {
  const auto jobs = jobs_of(
      experiment, [&](const Cell& cell, std::uint64_t seed) { return folder.is_complete(cell, seed); });
  Verdicts verdicts;
  verdicts.compared = jobs.size();
  std::mutex mutex;
  const auto ran = run_all(jobs, threads, true, [&](const Job& job) -> Result<> {
    const auto before = folder.read_summary(job.cell, job.seed);
    if (!before) return before.error();
    CellRunOptions how;
    how.tasks = false;
    how.alone = false;
    const auto again = simulated_run(experiment, job.cell, job.seed, how);
    if (!again) return again.error();
    if (again->digest == before->digest) return {};
    const std::lock_guard lock(mutex);
    verdicts.sentences.push_back(fmt::format("{} seed {}: digest {} then, {} now", job.cell.name, job.seed,
                                             before->digest, again->digest));
    return {};
  });
  if (!ran) return ran.error();
  std::sort(verdicts.sentences.begin(), verdicts.sentences.end());
  return verdicts;
}

}  // namespace proffer::cli

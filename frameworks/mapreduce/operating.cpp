// What operators want of jobs. A killed job fails as a cancelled one does; one that moves keeps what it runs.
#include <utility>

#include "frameworks/mapreduce/impl.hpp"

namespace proffer {
namespace {

constexpr std::size_t kNamed = 5;   // jobs, or pools, in a sentence
constexpr std::size_t kShown = 60;  // bytes of a job's name

/// "job 2 (sort)"
std::string called(const mapreduce::Job& job) {
  const auto& name = job.spec.name;
  return "job " + std::to_string(job.id.value) + " (" +
         (name.size() <= kShown ? name : name.substr(0, kShown) + "...") + ")";
}

std::string in_pool_text(const std::string& pool) { return pool.empty() ? "the root" : "pool " + pool; }

/// "a, b, c and 4 more"
class Listing {
 public:
  void add(const std::string& item) {
    if (++count_ <= kNamed) text_ += (count_ == 1 ? "" : ", ") + item;
  }
  std::size_t count() const { return count_; }
  std::string text() const {
    return count_ <= kNamed ? text_ : text_ + " and " + std::to_string(count_ - kNamed) + " more";
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

std::string killed_by(const KillJob& kill) {
  std::string sentence = "it was killed";
  if (!kill.by.empty()) sentence += " by " + kill.by;
  if (!kill.why.empty()) sentence += ": " + kill.why;
  return sentence;
}

std::optional<Error> refuse_change(const mapreduce::Job& job) {
  if (!job.ended()) return {};
  return Error{
      ErrorCode::refused,
      called(job) + (job.phase == JobPhase::succeeded ? " has succeeded" : " has failed: " + job.why)};
}

}  // namespace

Result<MapReduce::Impl::Job*> MapReduce::Impl::find_job(const std::string& word) {
  Job* found = nullptr;
  for (auto& [id, job] : jobs) {
    if (job.spec.name != word && std::to_string(id.value) != word) continue;
    if (found == nullptr || !job.ended() || found->ended()) found = &job;
  }
  if (found != nullptr) return found;
  Listing listing;
  for (const auto id : active) listing.add(called(jobs.at(id)));
  const auto others = listing.count() == 0 ? "none is under way" : "under way: " + listing.text();
  return Error{ErrorCode::not_found, "there is no job '" + word + "'; " + others};
}

Result<std::string> MapReduce::Impl::kill_job(const KillJob& kill) {
  const auto found = find_job(kill.job);
  if (!found) return found.error();
  const auto& job = **found;
  if (auto error = refuse_change(job)) return *error;
  if (job.phase == JobPhase::committing) {
    return Error{ErrorCode::refused,
                 called(job) + " is about to publish its output, and can no longer be killed"};
  }
  if (job.phase == JobPhase::failing) return called(job) + " ends already: " + job.why;
  killed.emplace(job.id, killed_by(kill));
  const auto running = job.maps.attempts().size() + job.reduces.attempts().size();
  return called(job) + " is killed, with " + std::to_string(running) +
         (running == 1 ? " running task" : " running tasks");
}

std::optional<Error> MapReduce::Impl::refuse_pool(const std::string& wanted) const {
  if (pool.has_pool(wanted)) return {};
  Listing listing;
  for (const auto& spec : config.pools) {
    if (!spec.name.empty()) listing.add(spec.name);
  }
  if (listing.count() == 0) {
    return Error{ErrorCode::unknown_pool,
                 "it has no pools of its own for its jobs; `proffer framework move` moves all of it"};
  }
  return Error{ErrorCode::unknown_pool, "it has no pool '" + wanted + "'; its pools are " + listing.text()};
}

/// What it may have now, others may not, or the other way round: limits are settled anew.
Result<std::string> MapReduce::Impl::move_job(Driver& driver, const MoveJob& move) {
  const auto found = find_job(move.job);
  if (!found) return found.error();
  auto& job = **found;
  if (auto error = refuse_change(job)) return *error;
  if (auto error = refuse_pool(move.pool)) return *error;
  job.spec.pool = move.pool;
  if (in_pool.contains(job.id)) {
    pool.move_job(job.id, move.pool);
    answer->job_left(driver);
    answer->declare(driver);
  }
  driver.trace(JobMoved{job.id, move.pool});
  return called(job) + " is in " + in_pool_text(move.pool);
}

}  // namespace proffer

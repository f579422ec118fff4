#include "frameworks/mapreduce/operating.hpp"

#include <utility>

#include "frameworks/mapreduce/notes.hpp"

namespace proffer::mapreduce {
namespace {

constexpr std::size_t kNamed = 5;       // jobs, or pools, in a sentence
constexpr std::size_t kNameBytes = 60;  // bytes of a job's name that are shown

/// "job 2 (sort)"
std::string called(const Job& job) {
  const auto& name = job.spec.name;
  return "job " + std::to_string(job.id.value) + " (" +
         (name.size() <= kNameBytes ? name : name.substr(0, kNameBytes) + "...") + ")";
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

std::optional<Error> refuse_change(const Job& job) {
  if (!job.ended()) return {};
  return Error{
      ErrorCode::refused,
      called(job) + (job.phase == JobPhase::succeeded ? " has succeeded" : " has failed: " + job.why)};
}

/// The job of that name or number: the newest that has not ended, or else the newest.
Result<Job*> find_job(State& state, const std::string& word) {
  Job* found = nullptr;
  for (auto& [id, job] : state.jobs) {
    if (job.spec.name != word && std::to_string(id.value) != word) continue;
    if (found == nullptr || !job.ended() || found->ended()) found = &job;
  }
  if (found != nullptr) return found;
  Listing listing;
  for (const auto id : state.line.active()) listing.add(called(state.jobs.at(id)));
  const auto others = listing.count() == 0 ? "none is under way" : "under way: " + listing.text();
  return Error{ErrorCode::not_found, "there is no job '" + word + "'; " + others};
}

std::optional<Error> refuse_pool(const State& state, const std::string& wanted) {
  if (state.pool.has_pool(wanted)) return {};
  Listing listing;
  for (const auto& spec : state.config.sharing.pools) {
    if (!spec.name.empty()) listing.add(spec.name);
  }
  if (listing.count() == 0) {
    return Error{ErrorCode::unknown_pool,
                 "it has no pools of its own for its jobs; `proffer framework move` moves all of it"};
  }
  return Error{ErrorCode::unknown_pool, "it has no pool '" + wanted + "'; its pools are " + listing.text()};
}

}  // namespace

Result<std::string> kill_job(State& state, const KillJob& kill) {
  const auto found = find_job(state, kill.job);
  if (!found) return found.error();
  const auto& job = **found;
  if (auto error = refuse_change(job)) return *error;
  if (job.phase == JobPhase::committing) {
    return Error{ErrorCode::refused,
                 called(job) + " is about to publish its output, and can no longer be killed"};
  }
  if (job.phase == JobPhase::failing) return called(job) + " ends already: " + job.why;
  state.line.kill(job.id, killed_by(kill));
  const auto running = job.tasks.maps.attempts().size() + job.tasks.reduces.attempts().size();
  return called(job) + " is killed, with " + std::to_string(running) +
         (running == 1 ? " running task" : " running tasks");
}

Result<std::string> move_job(const Turn& turn, const MoveJob& move) {
  auto& state = turn.state;
  const auto found = find_job(state, move.job);
  if (!found) return found.error();
  auto& job = **found;
  if (auto error = refuse_change(job)) return *error;
  if (auto error = refuse_pool(state, move.pool)) return *error;
  job.spec.pool = move.pool;
  note_spec(turn, job);
  if (state.line.in_pool().contains(job.id)) {
    state.pool.move_job(job.id, move.pool);
    // Limits are settled anew: what it may have now others may not, or the other way round.
    state.replies.requests().job_left(turn.driver);
    state.replies.requests().declare(turn.driver);
  }
  turn.driver.trace(JobMoved{job.id, move.pool});
  return called(job) + " is in " + in_pool_text(move.pool);
}

}  // namespace proffer::mapreduce

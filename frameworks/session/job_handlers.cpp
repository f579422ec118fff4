#include "frameworks/session/job_handlers.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/session/records.hpp"
#include "frameworks/session/scheduler_calls.hpp"
#include "proffer/limits.hpp"

namespace proffer::frameworks {
namespace {

/// The longest answer: a text less what the allocator may put before it.
constexpr std::size_t kSentenceBytes = limits::kTextBytes - limits::kHeadRoomBytes;

using JobChange = std::function<Result<std::string>(Driver&)>;

// Notes come first: what the answer promises holds over a crash. The answer goes out before what else the
// scheduler asks for, which may be to tear the framework down.
void change_job(const Turn& turn, std::uint64_t request, const JobChange& change) {
  std::optional<Result<std::string>> done;
  auto calls = calls_of(turn, [&](Driver& driver) { done = change(driver); });
  if (!done) return;
  keep_notes(turn, calls);
  AdminDone answer{request, {}, {}};
  if (done->ok()) {
    answer.text = std::move(done->value());
  } else {
    answer.error = done->error();
  }
  auto& sentence = answer.error ? answer.error->message : answer.text;
  if (sentence.size() > kSentenceBytes) sentence.resize(kSentenceBytes);
  turn.to_allocator(std::move(answer));
  carry_out(turn, std::move(calls));
}

}  // namespace

void handle(const Turn& turn, const MessageReceived&, const KillJob& kill) {
  change_job(turn, kill.request, [&](Driver& driver) { return turn.state.scheduler.kill_job(driver, kill); });
}

void handle(const Turn& turn, const MessageReceived&, const MoveJob& move) {
  change_job(turn, move.request, [&](Driver& driver) { return turn.state.scheduler.move_job(driver, move); });
}

void handle(const Turn& turn, const MessageReceived&, const SubmitJob& job) {
  change_job(turn, job.request, [&](Driver& driver) { return turn.state.scheduler.submit_job(driver, job); });
}

void handle(const Turn& turn, const MessageReceived&, const DescribeJobs& wanted) {
  std::optional<Result<std::vector<DetachedJob>>> found;
  auto calls =
      calls_of(turn, [&](Driver& driver) { found = turn.state.scheduler.describe_jobs(driver, wanted); });
  if (!found) return;
  if (found->ok()) {
    turn.to_allocator(DetachedJobs{wanted.request, std::move(found->value())});
  } else {
    turn.to_allocator(AdminDone{wanted.request, found->error(), {}});
  }
  carry_out(turn, std::move(calls));
}

}  // namespace proffer::frameworks

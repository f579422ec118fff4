// KILL_JOB and MOVE_JOB: what an operator wants of a job, and ADMIN_DONE: what the scheduler says of it.
#include <optional>
#include <utility>

#include "frameworks/session/framework_impl.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

/// What the allocator puts before it has room as well.
constexpr std::size_t kSentenceBytes = limits::kTextBytes - limits::kHeadRoomBytes;

}  // namespace

void Framework::Impl::on_kill_job(const KillJob& kill, Turn turn) {
  change_job(
      kill.request, [&](Driver& driver) { return scheduler.kill_job(driver, kill); }, turn);
}

void Framework::Impl::on_move_job(const MoveJob& move, Turn turn) {
  change_job(
      move.request, [&](Driver& driver) { return scheduler.move_job(driver, move); }, turn);
}

void Framework::Impl::change_job(std::uint64_t request, const JobChange& change, Turn turn) {
  std::optional<Result<std::string>> done;
  auto calls = calls_of([&](Driver& driver) { done = change(driver); }, turn);
  if (!done) return;
  AdminDone answer{request, {}, {}};
  if (done->ok()) {
    answer.text = std::move(done->value());
  } else {
    answer.error = done->error();
  }
  auto& sentence = answer.error ? answer.error->message : answer.text;
  if (sentence.size() > kSentenceBytes) sentence.resize(kSentenceBytes);
  send(std::move(answer), turn);  // before what was asked for, which may be to tear the framework down
  take(std::move(calls), turn);
}

}  // namespace proffer

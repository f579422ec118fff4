#include "frameworks/session/job_handlers.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "frameworks/session/scheduler_calls.hpp"
#include "proffer/limits.hpp"

namespace proffer::frameworks {
namespace {

/// The longest answer: a text less what the allocator may put before it.
constexpr std::size_t kSentenceBytes = limits::kTextBytes - limits::kHeadRoomBytes;

using JobChange = std::function<Result<std::string>(Driver&)>;

// The answer goes out before what the scheduler asks for, which may be to tear the framework down.
void change_job(const Turn& turn, std::uint64_t request, const JobChange& change) {
  std::optional<Result<std::string>> done;
  auto calls = calls_of(turn, [&](Driver& driver) { done = change(driver); });
  if (!done) return;
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

}  // namespace proffer::frameworks

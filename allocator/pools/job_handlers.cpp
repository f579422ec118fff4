#include "allocator/pools/job_handlers.hpp"

#include <string>
#include <utility>

#include "allocator/pools/pool_rules.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

constexpr Duration kAnswerWithin = std::chrono::seconds(3);
constexpr std::size_t kSentenceBytes = limits::kTextBytes - limits::kHeadRoomBytes;  // a name comes before it

void answer(const Turn& turn, const JobChanges::Open& change, Error error) {
  turn.answer(change.asker, AdminDone{change.request, std::move(error), {}});
}

/// The framework that is meant, connected; or why there is none.
Result<FrameworkIndex> meant(const State& state, const std::string& name) {
  if (state.job_changes.size() >= limits::kJobChanges) {
    return Error{ErrorCode::slow_down, "too many changes of jobs wait for their frameworks; try again"};
  }
  const auto* framework = name.empty() ? only(state.frameworks) : named(state.frameworks, name);
  if (framework == nullptr) {
    return Error{ErrorCode::unknown_framework,
                 name.empty() ? "say whose job it is, as in FRAMEWORK/JOB: there is not just one framework"
                              : "there is no framework '" + name + "'"};
  }
  if (!framework->connected()) {
    return Error{ErrorCode::unknown_framework, "framework '" + framework->name + "' is not connected now"};
  }
  return framework->index;
}

/// Sends a request on to the framework of that name, under another number.
template <class Change>
void pass_on_to(const Turn& turn, const MessageReceived& in, const std::string& name, const char* what,
                Change change) {
  auto& state = turn.state;
  const auto index = meant(state, name);
  if (!index) {
    turn.trace(MessageRefused{what, index.error().code, index.error().message});
    return turn.answer(in.peer, AdminDone{change.request, index.error(), {}});
  }
  auto& framework = state.frameworks[*index];
  // Who asks may have named none. A SUBMIT_JOB speaks of another framework, by its id.
  if constexpr (requires { change.framework = framework.name; }) change.framework = framework.name;
  change.request = state.job_changes.open({in.peer, change.request, framework.id, turn.now + kAnswerWithin});
  turn.to_framework(framework, std::move(change));
}

/// Returns an upper bound of the bytes that a command takes in a message.
std::size_t bytes_of(const CommandWork& command) {
  constexpr std::size_t kOverhead = 16;
  std::size_t bytes = command.output_token.size();
  for (const auto& word : command.argv) bytes += word.size() + kOverhead;
  for (const auto& [name, value] : command.env) bytes += name.size() + value.size() + 2 * kOverhead;
  for (const auto& file : command.files) bytes += file.name.size() + file.bytes.size() + 2 * kOverhead;
  return bytes;
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const KillJob& message) {
  pass_on_to(turn, in, message.framework, "KILL_JOB", message);
}

void handle(const Turn& turn, const MessageReceived& in, const MoveJob& message) {
  pass_on_to(turn, in, message.framework, "MOVE_JOB", message);
}

/// What is passed on here is launched later, in messages that say more than this one does.
void handle(const Turn& turn, const MessageReceived& in, const SubmitJob& message) {
  if (bytes_of(message.command) > limits::kDetachedBytes) {
    const Error error{ErrorCode::invalid, "the command of a detached job and its files have at most " +
                                              std::to_string(limits::kDetachedBytes) + " bytes together"};
    turn.trace(MessageRefused{"SUBMIT_JOB", error.code, error.message});
    return turn.answer(in.peer, AdminDone{message.request, error, {}});
  }
  pass_on_to(turn, in, kDriversFramework, "SUBMIT_JOB", message);
}

void handle(const Turn& turn, const MessageReceived& in, const DescribeJobs& message) {
  pass_on_to(turn, in, kDriversFramework, "DESCRIBE_JOBS", message);
}

/// An answer that comes too late, or twice, is no news.
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&, const AdminDone& message) {
  const auto change = turn.state.job_changes.answered(message.request, framework.id);
  if (!change) return;
  AdminDone told = message;
  told.request = change->request;
  auto& sentence = told.error ? told.error->message : told.text;
  sentence = framework.name + ": " + sentence.substr(0, kSentenceBytes);
  turn.answer(change->asker, std::move(told));
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&,
            const DetachedJobs& message) {
  const auto question = turn.state.job_changes.answered(message.request, framework.id);
  if (!question) return;
  DetachedJobs told = message;
  told.request = question->request;
  turn.answer(question->asker, std::move(told));
}

void forget_job_changes(const Turn& turn, const FrameworkRecord& framework) {
  while (const auto change = turn.state.job_changes.pop_of(framework.id)) {
    answer(turn, *change,
           {ErrorCode::unknown_framework, "framework '" + framework.name + "' was lost before it answered"});
  }
}

bool give_up_job_change(const Turn& turn) {
  const auto change = turn.state.job_changes.pop_due(turn.now);
  if (!change) return false;
  answer(turn, *change,
         {ErrorCode::timed_out, "framework '" + turn.state.frameworks.find(change->framework)->name +
                                    "' does not answer; it may still do it"});
  return true;
}

}  // namespace proffer::allocator

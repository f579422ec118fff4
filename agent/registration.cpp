#include "agent/registration.hpp"

#include <algorithm>

#include "agent/catalog_handlers.hpp"
#include "agent/ending.hpp"
#include "proffer/limits.hpp"

namespace proffer::agent {
namespace {

TaskState state_of(const Run& run) { return run.began ? TaskState::running : TaskState::starting; }

/// Returns the ends without an acknowledgement that an allocator would take back. If there are so many that
/// they would not fit into a message, only the newest: the allocator has surely heard of the others, which
/// nobody acknowledges.
std::vector<Status> ends_to_name(const State& state) {
  auto ends = state.statuses.terminal();
  std::erase_if(ends,
                [](const Status& end) { return !valid_task_id(end.status.task.value); });  // refused here
  if (ends.size() <= limits::kTasksPerAgent) return ends;
  std::sort(ends.begin(), ends.end(), [](const Status& a, const Status& b) { return b.launch < a.launch; });
  ends.resize(limits::kTasksPerAgent);
  return ends;
}

/// Returns the tasks that live, with their resources; and those that have ended without an acknowledgement,
/// with none.
std::vector<AgentTask> known_tasks(const State& state) {
  std::vector<AgentTask> tasks;
  for (const auto& [launch, run] : state.runs.all()) {
    tasks.push_back(
        {run.key.framework, run.key.task, launch, state_of(run), state.history.seq(run.key), run.resources});
  }
  for (const auto& [launch, status] : ends_to_name(state)) {
    tasks.push_back({status.framework, status.task, launch, status.state, status.seq, {}});
  }
  return tasks;
}

void send_register(const Turn& turn) {
  auto& state = turn.state;
  const auto& config = state.config;
  state.allocator.session.attempted(state.random, turn.now);
  state.allocator.registered_trouble = state.health.trouble();
  turn.to_allocator(Register{state.identity.id, config.run, config.name, config.rack, config.data_endpoint,
                             config.slots, known_tasks(state), state.allocator.registered_trouble,
                             state.identity.for_allocator});
}

void end_orphans(const Turn& turn, const std::vector<LaunchId>& launches) {
  for (const auto launch : launches) {
    if (auto* run = turn.state.runs.find(launch)) {
      ask_to_end(turn, *run, TaskReason::framework_gone, turn.state.config.orphan_grace);
    }
  }
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const Registered& registered) {
  auto& state = turn.state;
  if (in.envelope.session.value == 0 || registered.agent.value.is_nil()) {
    return turn.trace_refusal("REGISTERED",
                              {ErrorCode::invalid, "REGISTERED without a session or an agent's id"});
  }
  const bool is_new = state.allocator.session.begin(in.envelope, registered.heartbeat, turn.now);
  const bool renamed = state.identity.id != registered.agent;
  state.identity.id = registered.agent;
  if (!registered.secret.value.is_nil()) state.identity.for_allocator = registered.secret;
  state.allocator.refused.reset();
  if (is_new) {
    state.statuses.new_session(turn.now);
    state.health.told(state.allocator.registered_trouble);
  }
  end_orphans(turn, registered.kill);
  if (renamed || registered.catalog_endpoint != state.catalog.endpoint) {
    use_catalog(turn, registered.catalog_endpoint);
  }
}

void handle(const Turn& turn, const MessageReceived& in, const ErrorMessage& message) {
  const auto& [error, about_seq] = message;
  auto& allocator = turn.state.allocator;
  if (allocator.session.open()) {
    turn.trace_refusal("message " + std::to_string(about_seq), error);
    if (error.code == ErrorCode::unknown_session) lose_allocator(turn);
    return;
  }
  turn.trace_refusal("REGISTER", error);
  if (error.code == ErrorCode::slow_down) allocator.refused = error;
  if (session::may_pass(error.code)) return;
  // A REGISTER that named an earlier life of the allocator is worth another try, now that we know better.
  if (error.code == ErrorCode::wrong_cluster && in.envelope.epoch > allocator.session.attempted_in()) {
    return allocator.session.attempt_at_once(turn.now);
  }
  allocator.refused = error;
}

void refuse_other_cluster(const Turn& turn, const MessageReceived& in) {
  const Error error{ErrorCode::wrong_cluster, "this agent belongs to another cluster than the allocator"};
  turn.trace_refusal(std::string(type_name(in.envelope.message)), error);
  auto& allocator = turn.state.allocator;
  if (!allocator.session.open()) allocator.refused = error;
}

void lose_allocator(const Turn& turn) { turn.state.allocator.session.end(turn.state.random, turn.now); }

void tend_allocator(const Turn& turn) {
  auto& session = turn.state.allocator.session;
  if (session.silent(turn.now)) lose_allocator(turn);
  if (session.attempt_due(turn.now)) send_register(turn);
  if (session.beat_due(turn.now)) turn.to_allocator(session.beat());
}

}  // namespace proffer::agent

#include "agent/registration.hpp"

#include <algorithm>

#include "agent/catalog_handlers.hpp"
#include "agent/ending.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

/// Errors after which the same REGISTER may succeed later.
bool passes(ErrorCode code) {
  return code == ErrorCode::unknown_session || code == ErrorCode::slow_down ||
         code == ErrorCode::unreachable || code == ErrorCode::timed_out || code == ErrorCode::io;
}

TaskState state_of(const Run& run) { return run.began ? TaskState::running : TaskState::starting; }

/// Ends without an acknowledgement that an allocator would take back. Only the newest, if there are so many
/// that they would not fit into a message: the allocator has surely heard of the others, which nobody
/// acknowledges.
std::vector<Status> ends_to_name(const AgentParts& state) {
  auto ends = state.statuses.terminal();
  std::erase_if(ends,
                [](const Status& end) { return !valid_task_id(end.status.task.value); });  // refused here
  if (ends.size() <= limits::kTasksPerAgent) return ends;
  std::sort(ends.begin(), ends.end(), [](const Status& a, const Status& b) { return b.launch < a.launch; });
  ends.resize(limits::kTasksPerAgent);
  return ends;
}

/// What lives, with its resources; and what has ended without an acknowledgement, with none.
std::vector<AgentTask> known_tasks(const AgentParts& state) {
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

void send_register(AgentParts& state, Turn turn) {
  const auto& config = state.config;
  state.allocator.attempted(state.random, turn.now);
  state.registered_in = state.allocator.epoch();
  state.registered_trouble = state.health.trouble();
  turn.to_allocator(
      state, Register{state.id, config.run, config.name, config.rack, config.data_endpoint, config.slots,
                      known_tasks(state), state.registered_trouble, state.secret});
}

void end_orphans(AgentParts& state, const std::vector<LaunchId>& launches, Turn turn) {
  for (const auto launch : launches) {
    if (auto* run = state.runs.find(launch)) {
      ask_to_end(*run, TaskReason::framework_gone, state.config.orphan_grace, turn);
    }
  }
}

}  // namespace

void handle_registered(AgentParts& state, const Envelope& envelope, Turn turn) {
  const auto& registered = std::get<Registered>(envelope.message);
  if (envelope.session.value == 0 || registered.agent.value.is_nil()) {
    return turn.trace(
        MessageRefused{"REGISTERED", ErrorCode::invalid, "REGISTERED without a session or an agent's id"});
  }
  const bool is_new = state.allocator.begin(envelope, registered.heartbeat, turn.now);
  const bool renamed = state.id != registered.agent;
  state.id = registered.agent;
  if (!registered.secret.value.is_nil()) state.secret = registered.secret;
  state.refused.reset();
  if (is_new) {
    state.statuses.new_session(turn.now);
    state.health.told(state.registered_trouble);
  }
  end_orphans(state, registered.kill, turn);
  if (renamed || registered.catalog_endpoint != state.catalog_endpoint) {
    use_catalog(state, registered.catalog_endpoint);
  }
}

void handle_error(AgentParts& state, const Envelope& envelope, Turn turn) {
  const auto& [error, about_seq] = std::get<ErrorMessage>(envelope.message);
  if (state.allocator.open()) {
    turn.trace(MessageRefused{"message " + std::to_string(about_seq), error.code, error.message});
    if (error.code == ErrorCode::unknown_session) lose_allocator(state, turn);
    return;
  }
  turn.trace(MessageRefused{"REGISTER", error.code, error.message});
  if (error.code == ErrorCode::slow_down) state.refused = error;
  if (passes(error.code)) return;
  // A REGISTER that named an earlier life of the allocator is worth another try, now that we know better.
  if (error.code == ErrorCode::wrong_cluster && envelope.epoch > state.registered_in) {
    return state.allocator.attempt_at_once(turn.now);
  }
  state.refused = error;
}

void refuse_other_cluster(AgentParts& state, const Envelope& envelope, Turn turn) {
  const Error error{ErrorCode::wrong_cluster, "this agent belongs to another cluster than the allocator"};
  turn.trace(MessageRefused{std::string(type_name(envelope.message)), error.code, error.message});
  if (!state.allocator.open()) state.refused = error;
}

void lose_allocator(AgentParts& state, Turn turn) { state.allocator.end(state.random, turn.now); }

void tend_allocator(AgentParts& state, Turn turn) {
  if (state.allocator.silent(turn.now)) lose_allocator(state, turn);
  if (state.allocator.attempt_due(turn.now)) send_register(state, turn);
  if (state.allocator.beat_due(turn.now)) turn.to_allocator(state, state.allocator.beat());
}

}  // namespace proffer

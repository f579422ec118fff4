#include "agent/registration.hpp"

#include <algorithm>

#include "agent/catalog_handlers.hpp"
#include "agent/ending.hpp"
#include "agent/recovery_handlers.hpp"
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
    const auto& known = state.history.at(launch);
    tasks.push_back({run.key.framework, run.key.task, launch, state_of(run), state.history.seq(run.key),
                     run.resources, known.job});
  }
  for (const auto& [launch, status] : ends_to_name(state)) {
    tasks.push_back(
        {status.framework, status.task, launch, status.state, status.seq, {}, state.history.at(launch).job});
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
                             state.identity.for_allocator, config.boot});
}

void end_orphans(const Turn& turn, const std::vector<LaunchId>& launches) {
  for (const auto launch : launches) {
    if (auto* run = turn.state.runs.find(launch)) {
      ask_to_end(turn, *run, TaskReason::framework_gone, turn.state.config.orphan_grace);
    }
  }
}

/// Keeps which allocator has taken this agent, and under which id, if the id is not the one of its settings.
void keep_welcome(const Turn& turn, const KeptServer& server, const Registered& registered) {
  auto& state = turn.state;
  if (state.servers.learn(server)) turn.act(KeepRecord{server});
  const auto& config = state.config;
  const auto former = state.identity.id;
  if (former == registered.agent) return;
  if (!former.value.is_nil()) turn.act(DropRecord{key_of(former)});
  KeptAgent own;
  own.info = {registered.agent, config.name, config.rack, config.data_endpoint};
  own.secret = registered.secret.value.is_nil() ? state.identity.for_allocator : registered.secret;
  own.run = config.run;
  turn.act(KeepRecord{std::move(own)});
}

/// Takes an allocator's word that this agent is not welcome as it is.
void refused(const Turn& turn, const MessageReceived& in, const Error& error) {
  auto& allocator = turn.state.allocator;
  if (error.code == ErrorCode::slow_down) allocator.refused = error;
  if (session::may_pass(error.code)) return;
  // A REGISTER that named an earlier life of the allocator is worth another try, now that we know better.
  const bool named_an_epoch = allocator.session.attempted_in() != Epoch{};
  if (error.code == ErrorCode::wrong_cluster && in.envelope.epoch > allocator.session.attempted_in()) {
    return allocator.session.attempt_at_once(turn.now);
  }
  // Another cluster's answer never gets here, so this is a late one, to a REGISTER or a message of before.
  if (error.code == ErrorCode::wrong_cluster && named_an_epoch) return;
  // An agent without an id has heard so before: the answer is a late one, to a REGISTER under its former id.
  if (error.code == ErrorCode::agent_gone) {
    if (!turn.state.identity.id.value.is_nil()) retire(turn);
    return;
  }
  allocator.refused = error;
}

}  // namespace

void handle(const Turn& turn, const MessageReceived& in, const Registered& registered) {
  auto& state = turn.state;
  if (in.envelope.session.value == 0 || registered.agent.value.is_nil()) {
    return turn.trace_refusal("REGISTERED",
                              {ErrorCode::invalid, "REGISTERED without a session or an agent's id"});
  }
  // An agent that must not offer its slots yet has asked for no session: the answer is one from before.
  if (!state.allocator.session.open() && !may_register(state)) return;
  const KeptServer server{ServerRole::allocator, in.envelope.cluster, in.envelope.epoch,
                          registered.incarnation};
  if (const auto error = state.servers.refuse(server)) {
    if (!state.allocator.session.open()) state.allocator.refused = error;
    return turn.trace_refusal("REGISTERED", *error);
  }
  keep_welcome(turn, server, registered);
  const bool is_new = state.allocator.session.begin(in.envelope, registered.heartbeat, turn.now);
  const bool renamed = state.identity.id != registered.agent;
  state.identity.id = registered.agent;
  if (!registered.secret.value.is_nil()) state.identity.for_allocator = registered.secret;
  state.allocator.refused.reset();
  if (is_new) {
    state.reports.begin(registered.report_period, state.random, turn.now);
    state.statuses.hold_ends_until(state.reports.next().value_or(Time::min()));
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
    // An agent that is gone hears so again in answer to its REGISTER, and takes it from there.
    const bool over = error.code == ErrorCode::unknown_session || error.code == ErrorCode::agent_gone;
    if (over) lose_allocator(turn);
    return;
  }
  // A number is that of a message of a former session.
  if (about_seq != 0) return turn.trace_refusal("message " + std::to_string(about_seq), error);
  turn.trace_refusal("REGISTER", error);
  refused(turn, in, error);
}

void refuse_other_cluster(const Turn& turn, const MessageReceived& in) {
  const Error error{
      ErrorCode::wrong_cluster,
      "this agent belongs to another cluster than the allocator; if it is to change over, and its "
      "tasks to end, start it once with --adopt"};
  turn.trace_refusal(std::string(type_name(in.envelope.message)), error);
  auto& allocator = turn.state.allocator;
  if (allocator.session.open()) return;
  if (turn.state.config.adopt) return change_over(turn);
  allocator.refused = error;
}

void lose_allocator(const Turn& turn) { turn.state.allocator.session.end(turn.state.random, turn.now); }

void tend_allocator(const Turn& turn) {
  auto& state = turn.state;
  auto& session = state.allocator.session;
  if (session.silent(turn.now)) lose_allocator(turn);
  if (may_register(state) && session.attempt_due(turn.now)) send_register(turn);
  if (!session.beat_due(turn.now)) return;
  auto beat = session.beat();
  beat.tasks = state.runs.digest();
  turn.to_allocator(std::move(beat));
}

// Slots that a REGISTER names are offered at once, so it has to wait for runs that may still take them.
bool may_register(const State& state) { return state.recovery.done() && !state.leave.taken; }

std::optional<Time> allocator_deadline(const State& state) {
  const auto& session = state.allocator.session;
  if (!session.open() && !may_register(state)) return {};
  return session.next_deadline();
}

}  // namespace proffer::agent

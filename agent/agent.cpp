// The agent machine: dispatch, deadlines, invariants.
#include "proffer/agent/agent.hpp"

#include <utility>

#include "agent/catalog_handlers.hpp"
#include "agent/copy_handlers.hpp"
#include "agent/ending.hpp"
#include "agent/health_handlers.hpp"
#include "agent/leave.hpp"
#include "agent/recovery_handlers.hpp"
#include "agent/registration.hpp"
#include "agent/run_handlers.hpp"
#include "agent/task_handlers.hpp"
#include "agent/turn.hpp"
#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"

namespace proffer {
namespace agent {
namespace {

/// The events of the executor and of the disk, and the will of whoever runs this agent.
using OwnEvents = Types<RunStarted, RunSaid, ComputeAsked, RunExited, Probed, BlockStored, BlockVanished,
                        BlockNotFetched, RunsListed, StoreRoom, Stopping>;
using FromAllocator = Types<Registered, ErrorMessage, Heartbeat, Launch, Kill, Acknowledge, TaskMessage,
                            MoreInputs, Release, AgentHealth, Bye>;

void take_from_allocator(const Turn& turn, const MessageReceived& in) {
  const auto& message = in.envelope.message;
  if (dispatch(FromAllocator{}, message, turn, in)) return;
  const Error error{ErrorCode::type, "an agent takes no " + std::string(type_name(message))};
  turn.trace_refusal(std::string(type_name(message)), error);
  turn.to_allocator(ErrorMessage{error, in.envelope.seq});
}

void receive_from_allocator(const Turn& turn, const MessageReceived& in) {
  const bool is_welcome = std::holds_alternative<Registered>(in.envelope.message);
  switch (turn.state.allocator.session.check(in.envelope, is_welcome, turn.now)) {
    case Verdict::take:
      return take_from_allocator(turn, in);
    case Verdict::drop:
      return;
    case Verdict::restarted:
      return lose_allocator(turn);
    case Verdict::other_cluster:
      return refuse_other_cluster(turn, in);
  }
}

void receive(const Turn& turn, const MessageReceived& in) {
  if (turn.state.leave.taken) return;
  if (in.peer == kAllocatorPeer) receive_from_allocator(turn, in);
  if (in.peer == kCatalogPeer) receive_from_catalog(turn, in);
}

void lose(const Turn& turn, PeerId peer) {
  if (peer == kAllocatorPeer) lose_allocator(turn);
  if (peer == kCatalogPeer) lose_catalog(turn);
}

void act_on(const Turn& turn, const Event& event) {
  if (const auto* in = std::get_if<MessageReceived>(&event)) return receive(turn, *in);
  if (const auto* lost = std::get_if<PeerLost>(&event)) return lose(turn, lost->peer);
  dispatch(OwnEvents{}, event, turn);
}

void check_tasks(const State& state) {
  for (const auto& [launch, run] : state.runs.all()) {
    PROFFER_CHECK(state.history.knows(launch) && state.history.knows(run.key), "a run without a history");
  }
  for (const auto& status : state.statuses.terminal()) {
    PROFFER_CHECK(state.history.knows(status.launch), "an end that is not acknowledged was forgotten");
    PROFFER_CHECK(!state.runs.all().contains(status.launch), "a run that has ended lives");
  }
}

}  // namespace
}  // namespace agent

struct Agent::Impl {
  agent::State state;
};

Agent::Agent(AgentConfig config, std::vector<std::pair<BlockId, std::uint64_t>> blocks, Random random,
             std::vector<Kept> kept) {
  const agent::Identity identity{config.id, config.secret, config.catalog_secret};
  session::ClientSession allocator(agent::session_settings(config, config.allocator_silent_after));
  agent::TaskRuns runs(config.slots);
  const agent::ComputePermits permits(config.max_computing);
  agent::StatusOutbox statuses(config.status_retry_first, config.status_retry_max);
  impl_.reset(new Impl{{.config = std::move(config),
                        .random = std::move(random),
                        .identity = identity,
                        .allocator = {std::move(allocator)},
                        .runs = std::move(runs),
                        .permits = permits,
                        .statuses = std::move(statuses),
                        .blocks = agent::BlockStore(std::move(blocks))}});
  agent::restore(impl_->state, kept);
}
Agent::~Agent() = default;

// A pause of our own is noticed before any silence is judged, or a server would be given up for it. Trouble
// is told before statuses are sent: the end of a run that failed frees slots, which would be offered at once.
// A report on slots comes after the ends that were held back for it.
// REGISTER comes after all that changes tasks, since it lists them; a farewell comes after all statuses.
void Agent::step(const Event& event, Actions& actions, Time now) {
  auto& state = impl_->state;
  const agent::Turn turn(state, actions, now);
  state.allocator.session.woke(now);
  if (state.catalog.session) state.catalog.session->woke(now);
  agent::begin_life(turn);
  agent::act_on(turn, event);
  agent::kill_overdue(turn);
  agent::tend_health(turn);
  agent::send_due_statuses(turn);
  agent::report_slots(turn);
  agent::tend_leave(turn);
  agent::tend_allocator(turn);
  agent::tend_catalog(turn);
}

std::optional<Time> Agent::next_deadline() const {
  const auto& state = impl_->state;
  if (!state.recovery.begun()) return Time{};
  auto next = earlier(agent::allocator_deadline(state), state.runs.next_deadline());
  next = earlier(next, state.health.next_probe());
  if (state.allocator.session.open()) {
    next = earlier(next, earlier(state.statuses.next_deadline(), state.health.next_telling()));
    next = earlier(next, state.reports.next());
  }
  return earlier(next, agent::catalog_deadline(state.catalog));
}

void Agent::check_invariants() const {
  const auto& state = impl_->state;
  state.runs.check_invariants();
  state.permits.check_invariants();
  state.history.check_invariants();
  state.statuses.check_invariants();
  state.copies.check_invariants();
  state.health.check_invariants();
  state.recovery.check_invariants();
  const bool has_id = !state.identity.id.value.is_nil();
  PROFFER_CHECK(!state.allocator.session.open() || has_id, "in session without an id");
  PROFFER_CHECK(!state.catalog.session || has_id, "reports to the catalog without an id");
  PROFFER_CHECK(!state.leave.taken || (!state.allocator.session.open() && !state.catalog.session),
                "in session after the farewell");
  agent::check_tasks(state);
}

AgentId Agent::id() const { return impl_->state.identity.id; }
bool Agent::stopped() const { return agent::has_left(impl_->state); }
bool Agent::registered() const { return impl_->state.allocator.session.open(); }
std::optional<Error> Agent::refused() const { return impl_->state.allocator.refused; }

}  // namespace proffer

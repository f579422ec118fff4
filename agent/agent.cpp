// The agent machine: dispatch, deadlines, invariants.
#include "proffer/agent/agent.hpp"

#include <type_traits>
#include <utility>

#include "agent/agent_parts.hpp"
#include "agent/catalog_handlers.hpp"
#include "agent/copy_handlers.hpp"
#include "agent/ending.hpp"
#include "agent/health_handlers.hpp"
#include "agent/registration.hpp"
#include "agent/run_handlers.hpp"
#include "agent/task_handlers.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

template <class T>
concept Handled = requires(AgentParts& state, const T& what, Turn turn) { handle(state, what, turn); };

void dispatch(AgentParts& state, const Envelope& envelope, Turn turn) {
  if (std::holds_alternative<Registered>(envelope.message)) return handle_registered(state, envelope, turn);
  if (std::holds_alternative<ErrorMessage>(envelope.message)) return handle_error(state, envelope, turn);
  if (std::holds_alternative<Heartbeat>(envelope.message)) return;
  const bool may_be_lost = std::holds_alternative<TaskMessage>(envelope.message) ||
                           std::holds_alternative<MoreInputs>(envelope.message);
  if (may_be_lost && !state.allocator.is_newest(envelope)) return;
  std::visit(
      [&](const auto& message) {
        if constexpr (Handled<std::decay_t<decltype(message)>>) {
          handle(state, message, turn);
        } else {
          const std::string type(type_name(message));
          const Error error{ErrorCode::type, "an agent takes no " + type};
          turn.trace(MessageRefused{type, error.code, error.message});
          turn.to_allocator(state, ErrorMessage{error, envelope.seq});
        }
      },
      envelope.message);
}

void receive_from_allocator(AgentParts& state, const Envelope& envelope, Turn turn) {
  const bool is_welcome = std::holds_alternative<Registered>(envelope.message);
  switch (state.allocator.check(envelope, is_welcome, turn.now)) {
    case Link::Verdict::take:
      return dispatch(state, envelope, turn);
    case Link::Verdict::drop:
      return;
    case Link::Verdict::restarted:
      return lose_allocator(state, turn);
    case Link::Verdict::other_cluster:
      return refuse_other_cluster(state, envelope, turn);
  }
}

void handle(AgentParts& state, const MessageReceived& in, Turn turn) {
  if (in.peer == kAllocatorPeer) receive_from_allocator(state, in.envelope, turn);
  if (in.peer == kCatalogPeer) receive_from_catalog(state, in.envelope, turn);
}

void handle(AgentParts& state, const PeerLost& lost, Turn turn) {
  if (lost.peer == kAllocatorPeer) lose_allocator(state, turn);
  if (lost.peer == kCatalogPeer) lose_catalog(state, turn);
}

void handle(AgentParts&, const TimePassed&, Turn) {}
void handle(AgentParts&, const PoolsRead&, Turn) {}  // the allocator's
void handle(AgentParts&, const StoreRoom&, Turn) {}  // of servers

}  // namespace

struct Agent::Impl {
  AgentParts state;
};

Agent::Agent(AgentConfig config, std::vector<std::pair<BlockId, std::uint64_t>> blocks, Random random) {
  const Link::Settings settings{config.retry_first, config.retry_max, config.allocator_silent_after};
  StatusOutbox statuses(config.status_retry_first, config.status_retry_max);
  TaskRuns runs(config.slots);
  const ComputeLeaves leaves(config.max_computing);
  const auto id = config.id;
  const auto secret = config.secret;
  const auto catalog_secret = config.catalog_secret;
  impl_.reset(new Impl{{.config = std::move(config),
                        .random = std::move(random),
                        .id = id,
                        .secret = secret,
                        .catalog_secret = catalog_secret,
                        .allocator = Link(settings),
                        .registered_in = {},
                        .refused = {},
                        .runs = std::move(runs),
                        .leaves = leaves,
                        .history = {},
                        .statuses = std::move(statuses),
                        .catalog = {},
                        .catalog_endpoint = {},
                        .store_token = {},
                        .next_pages = {},
                        .blocks = BlockStore(std::move(blocks))}});
}
Agent::~Agent() = default;

void Agent::step(const Event& event, Actions& actions, Time now) {
  auto& state = impl_->state;
  const Turn turn{actions, now};
  state.allocator.woke(now);
  if (state.catalog) state.catalog->woke(now);
  std::visit([&](const auto& what) { handle(state, what, turn); }, event);
  kill_overdue(state, turn);
  tend_health(state, turn);  // before the ends that make slots free
  send_due_statuses(state, turn);
  tend_allocator(state, turn);
  tend_catalog(state, turn);
}

std::optional<Time> Agent::next_deadline() const {
  const auto& state = impl_->state;
  auto next = earlier(state.allocator.next_deadline(), state.runs.next_deadline());
  next = earlier(next, state.health.next_probe());
  if (state.allocator.open()) {
    next = earlier(next, earlier(state.statuses.next_deadline(), state.health.next_telling()));
  }
  return earlier(next, catalog_deadline(state));
}

void Agent::check_invariants() const {
  const auto& state = impl_->state;
  state.runs.check_invariants();
  state.leaves.check_invariants();
  state.history.check_invariants();
  state.statuses.check_invariants();
  state.copies.check_invariants();
  state.health.check_invariants();
  PROFFER_CHECK(!state.allocator.open() || !state.id.value.is_nil(), "in session without an id");
  PROFFER_CHECK(!state.catalog || !state.id.value.is_nil(), "reports to the catalog without an id");
  for (const auto& [launch, run] : state.runs.all()) {
    PROFFER_CHECK(state.history.knows(launch) && state.history.knows(run.key), "a run without a history");
  }
  for (const auto& status : state.statuses.terminal()) {
    PROFFER_CHECK(state.history.knows(status.launch), "an end that is not acknowledged was forgotten");
    PROFFER_CHECK(!state.runs.all().contains(status.launch), "a run that has ended lives");
  }
}

AgentId Agent::id() const { return impl_->state.id; }
bool Agent::registered() const { return impl_->state.allocator.open(); }
std::optional<Error> Agent::refused() const { return impl_->state.refused; }

}  // namespace proffer

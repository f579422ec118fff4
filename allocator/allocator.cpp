// One step: the event, what is due, and the passes that follow.
#include "proffer/allocator/allocator.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_pass.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/agent_wishes.hpp"
#include "allocator/peers/beats.hpp"
#include "allocator/peers/framework_removal.hpp"
#include "allocator/peers/goodbyes.hpp"
#include "allocator/peers/liveness.hpp"
#include "allocator/peers/pace.hpp"
#include "allocator/peers/recovery.hpp"
#include "allocator/pools/describe.hpp"
#include "allocator/pools/guarantees.hpp"
#include "allocator/pools/job_handlers.hpp"
#include "allocator/pools/leasing.hpp"
#include "allocator/pools/pool_handlers.hpp"
#include "allocator/pools/preemption.hpp"
#include "allocator/receive.hpp"
#include "allocator/state/invariants.hpp"
#include "allocator/tasks/task_handlers.hpp"
#include "proffer/dispatch.hpp"
#include "proffer/session/own_time.hpp"

namespace proffer {
namespace allocator {
namespace {

using Events = Types<MessageReceived, PeerLost, PeerLag, PoolsRead, StoreRoom, Stopping>;

/// One kind of deadline.
struct TimedPart {
  std::optional<Time> (*next)(const State& state);  ///< the earliest; may be void until settle() was called
  /// Does the earliest one if it is due; returns whether it was. Null: its time is a reason for a pass alone.
  bool (*do_one)(const Turn& turn) = nullptr;
  void (*settle)(State& state) = nullptr;  ///< drops void ones, so that nobody is woken for them
};

/// All deadlines. Of one instant they are done in this order, which is part of the behaviour: what a run
/// does, and so its digest, changes with it.
constexpr std::array kTimedParts{
    TimedPart{next_of_recovery, end_recovery_step},
    TimedPart{[](const State& state) { return state.offers.next_expiry(); }, expire_one},
    TimedPart{[](const State& state) { return state.peer_timers.agents.next(); }, judge_agent,
              settle_agent_silence},
    TimedPart{[](const State& state) { return state.peer_timers.frameworks.next(); }, judge_framework,
              settle_framework_silence},
    TimedPart{[](const State& state) { return state.peer_timers.give_ups.next(); }, give_up_one,
              settle_give_ups},
    TimedPart{[](const State& state) { return state.peer_timers.drains.next(); }, kill_drained,
              settle_drains},
    TimedPart{[](const State& state) { return state.silences.next_end(); }, end_silence,
              [](State& state) { state.silences.settle(); }},
    TimedPart{[](const State& state) { return state.private_agents.next_return(); }, return_private_agents},
    TimedPart{[](const State& state) { return state.filters.next_end(); }, end_filter,
              [](State& state) { state.filters.settle(); }},
    TimedPart{[](const State& state) { return state.starvation.clocks.next(); }, relieve_one},
    TimedPart{[](const State& state) { return state.starvation.claims.next(); }, enforce_one},
    TimedPart{[](const State& state) { return state.tasks.next_resend(); }, resend_one,
              [](State& state) { state.tasks.settle(); }},
    TimedPart{[](const State& state) { return state.job_changes.next_due(); }, give_up_job_change},
    TimedPart{[](const State& state) { return state.guarantees.next_look; }, look_if_due},
    TimedPart{[](const State& state) { return state.peer_timers.next_beat; }, beat},
    TimedPart{[](const State& state) { return state.agenda.next; }},
};

bool do_one_due(const Turn& turn) {
  return std::any_of(kTimedParts.begin(), kTimedParts.end(),
                     [&](const TimedPart& part) { return part.do_one != nullptr && part.do_one(turn); });
}

void settle(State& state) {
  for (const auto& part : kTimedParts) {
    if (part.settle != nullptr) part.settle(state);
  }
}

std::optional<Time> next_deadline(const State& state) {
  std::optional<Time> next;
  for (const auto& part : kTimedParts) next = earlier(next, part.next(state));
  return next;
}

}  // namespace
}  // namespace allocator

struct Allocator::Impl {
  allocator::State state;
  session::OwnTime own_time;
  Time newest;  ///< own time of the last step
};

Allocator::Allocator(AllocatorConfig config, ClusterId cluster, Epoch epoch, Random random,
                     SecretSource secrets, std::vector<Kept> kept)
    : impl_(new Impl{
          allocator::State(std::move(config), {{cluster, epoch}, std::move(random), std::move(secrets)}),
          {},
          {}}) {
  allocator::take_over(impl_->state, kept);
}
Allocator::~Allocator() = default;

void Allocator::step(const Event& event, Actions& actions, Time now) {
  auto& state = impl_->state;
  // The first step of a further life is due at once, whenever it comes: that is no pause of this process.
  const auto due = state.recovery.begun ? allocator::next_deadline(state) : std::nullopt;
  const auto slept = impl_->own_time.slept();
  impl_->newest = impl_->own_time.at(now, due, state.config.heartbeat);
  // Peers that heard nothing meanwhile have cut their connections, which shows in what comes next.
  if (impl_->own_time.slept() > slept) {
    state.peer_timers.forgiving_until = impl_->newest + state.config.disconnected_after;
  }
  const allocator::Turn turn(state, actions, impl_->newest);
  allocator::begin_recovery(turn);
  dispatch(allocator::Events{}, event, turn);
  // Each deadline is an event of its own, with a pass of its own: else a later deadline of the same instant
  // would find slots idle that the pass of an earlier one gives away.
  do {
    allocator::discount_drained(turn);
    // On the slots of a few agents, while others are still to come, nothing is decided.
    if (!state.recovery.holds()) allocator::assign_private_agents(turn);
    allocator::run_pass(turn);
  } while (allocator::do_one_due(turn));
  allocator::settle(state);
  // Last, since only what is left idle or owed after the passes says which pools are short.
  if (!state.recovery.holds()) allocator::watch_shortages(state, turn.now);
}

std::optional<Epoch> Allocator::superseded() const { return impl_->state.identity.superseded; }

std::optional<Time> Allocator::next_deadline() const {
  const auto own = allocator::next_deadline(impl_->state);
  if (!own) return {};
  return impl_->own_time.to_world(*own);
}

ClusterView Allocator::view(std::size_t most_tasks) const {
  return allocator::view(impl_->state, impl_->newest, most_tasks);
}

void Allocator::check_invariants() const { allocator::check(impl_->state, impl_->newest); }

}  // namespace proffer

#include "allocator/pools/preemption.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/pools/victims.hpp"
#include "allocator/tasks/task_handlers.hpp"
#include "proffer/bulk.hpp"

namespace proffer::allocator {
namespace {

/// Returns what the pool should have at least, or 0 when it is not short.
std::int64_t target_of(const State& state, const StarvationClocks::Key& key) {
  return shortage_target(state.shares.tree().numbers(key.pool, key.kind), key.shortage,
                         state.config.preemption.fair_share_threshold_milli);
}

/// Returns the slots on their way to the pool, or to pools in it, or to one that it is in.
std::int64_t expected(const State& state, ShareNode pool, Kind kind) {
  const auto& tree = state.shares.tree();
  return state.starvation.claims.expected(
      kind, [&](ShareNode other) { return tree.is_within(other, pool) || tree.is_within(pool, other); });
}

/// Rescinds offers that can be spared, the newest first. Returns how many units came free.
std::int64_t rescind_offers(const Turn& turn, ShareNode starved, Kind kind, std::int64_t units) {
  auto& state = turn.state;
  std::vector<OfferId> newest_first;
  for (const auto& [n, offer] : state.offers.all()) {
    if (offer.kind == kind) newest_first.push_back(offer.id);
  }
  std::reverse(newest_first.begin(), newest_first.end());
  std::int64_t freed = 0;
  const Surplus surplus(state, starved, kind);  // it follows what offers take
  for (const auto id : newest_first) {
    if (freed >= units) break;
    const auto& offer = *state.offers.find(id);
    const auto& agent = state.cluster[offer.agent];
    if (!ClusterTable::offerable(agent) || !is_of_all(agent)) continue;
    // An offer is taken back whole; what its framework is entitled to of it goes by the order.
    const auto held = std::min({offer.units(), surplus.of(offer.framework), units - freed});
    if (held <= 0) continue;
    // The slots are held before the offer ends, and `offer` with it.
    state.starvation.claims.hold({starved, offer.agent, kind, held});
    freed += held;
    rescind_one(turn, id);
  }
  return freed;
}

void demand_back(const Turn& turn, ShareNode starved, Kind kind, const Loss& loss) {
  auto& state = turn.state;
  const auto& settings = state.config.preemption;
  auto& framework = state.frameworks[loss.framework];
  const bool in_earnest = settings.mode == PreemptionMode::on;
  turn.trace(SlotsPreempted{framework.id, state.starvation.name_of(starved), kind, loss.units, in_earnest});
  if (!in_earnest) return;
  state.starvation.claims.add(
      {starved, loss.framework, kind, loss.units, turn.now + settings.deadline, false});
  turn.to_framework(framework, Preempt{{{kind, loss.units}}, settings.deadline});
}

void relieve(const Turn& turn, const StarvationClocks::Key& key, std::int64_t target) {
  auto& state = turn.state;
  const auto used = state.shares.tree().numbers(key.pool, key.kind).used;
  turn.trace(PoolStarved{state.starvation.name_of(key.pool), key.kind, used, target});
  auto missing = target - used - expected(state, key.pool, key.kind);
  if (missing > 0 && state.config.preemption.mode == PreemptionMode::on) {
    missing -= rescind_offers(turn, key.pool, key.kind, missing);
  }
  if (missing <= 0 || state.config.preemption.mode == PreemptionMode::off) return;
  // Computed after offers were rescinded, whose slots nobody can give a second time.
  Surplus surplus(state, key.pool, key.kind);
  for (const auto& loss : choose_losses(state, surplus, key.kind, missing)) {
    demand_back(turn, key.pool, key.kind, loss);
  }
}

/// Counts dying tasks of the framework towards what it owes, as far as they are not being killed for other
/// claims, and shortens their grace. Returns how many units these are, `units` at most.
std::int64_t hurry_dying(const Turn& turn, const PreemptClaim& claim, std::int64_t units) {
  auto& state = turn.state;
  const auto& framework = state.frameworks[claim.framework];
  const auto spare =
      framework.slots.dying[claim.kind] - state.starvation.claims.being_killed(claim.framework, claim.kind);
  const auto paid = std::clamp<std::int64_t>(spare, 0, units);
  auto left = paid;
  for (const auto launch : framework.launches()) {
    if (left <= 0) break;
    auto& task = state.tasks[launch];
    const bool dies = !task.ended() && task.kill && !task.preempted && state.cluster[*task.agent].counted;
    if (!dies || task.resources[claim.kind] == 0) continue;
    left -= task.resources[claim.kind];
    kill(turn, task, state.config.kill_grace);
  }
  return paid;
}

/// Kills the newest tasks of the framework, as far as it can spare them. Returns how many units die for the
/// claim.
std::int64_t kill_newest(const Turn& turn, const PreemptClaim& claim, std::int64_t units) {
  auto& state = turn.state;
  Surplus surplus(state, claim.pool, claim.kind);
  std::int64_t killed = 0;
  for (const auto launch : newest_tasks(state, claim.kind, claim.framework)) {
    if (killed >= units) break;
    auto& task = state.tasks[launch];
    const auto size = task.resources[claim.kind];
    if (size > surplus.of(claim.framework)) continue;
    surplus.deduct(claim.framework, size);
    killed += size;
    task.preempted = true;
    kill(turn, task, state.config.kill_grace);
  }
  return std::min(killed, units);
}

/// Returns what the pool of a claim lacks beyond all other claims. The claim must have been taken out: else
/// what it owes would count as being on its way.
std::int64_t lacking(const State& state, const PreemptClaim& claim) {
  const auto numbers = state.shares.tree().numbers(claim.pool, claim.kind);
  return numbers.least_fair - numbers.used - expected(state, claim.pool, claim.kind);
}

/// Returns until when frameworks in the pool that want slots refuse them, or have refused them.
StarvationClocks::End refused_until(const State& state, ShareNode pool, Kind kind) {
  const auto& tree = state.shares.tree();
  return state.starvation.clocks.refused_until(kind, [&](FrameworkIndex index) {
    return tree.is_within(tree.node_of(index), pool) && tree.wants(index, kind);
  });
}

}  // namespace

void watch_shortages(State& state, Time now) {
  for (const auto& pool : state.starvation.watched) {
    for (const auto kind : state.shares.kinds()) {
      if (is_bulk(kind)) continue;                   // shared without guarantees
      std::optional<StarvationClocks::End> refused;  // a look at all refusals, for pools that are short only
      const auto watch = [&](Shortage shortage, std::optional<Duration> patience) {
        const StarvationClocks::Key key{pool.pool, kind, shortage};
        if (!patience || target_of(state, key) == 0) return state.starvation.clocks.stop(key);
        if (!refused) refused = refused_until(state, pool.pool, kind);
        state.starvation.clocks.run(key, *patience, *refused, now);
      };
      watch(Shortage::of_min_share, pool.min_share_timeout);
      watch(Shortage::of_fair_share, state.config.preemption.fair_share_timeout);
    }
  }
  state.starvation.clocks.drop_past(now);
}

/// The pool is looked at anew: since its clock was last set, other events of this step may have helped it.
bool relieve_one(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.starvation.clocks.pop_due(turn.now);
  if (!due) return false;
  const auto target = target_of(state, *due);
  if (target == 0) {
    state.starvation.clocks.stop(*due);
  } else {
    relieve(turn, *due, target);
  }
  return true;
}

/// Kills no more than the pool still lacks and the framework can still spare.
bool enforce_one(const Turn& turn) {
  auto& state = turn.state;
  auto claim = state.starvation.claims.pop_due(turn.now);
  if (!claim) return false;
  if (claim->killing) return true;  // its agents do not answer; the pool will come up again
  const auto units = std::max<std::int64_t>(std::min(claim->owed, lacking(state, *claim)), 0);
  // Tasks that die anyway pay first, so that no more are killed than needed.
  const auto dying = hurry_dying(turn, *claim, units);
  claim->owed = dying + kill_newest(turn, *claim, units - dying);
  if (claim->owed == 0) return true;
  claim->killing = true;
  claim->deadline = turn.now + state.config.kill_grace + state.config.preemption.deadline;
  state.starvation.claims.put_back(*claim);
  return true;
}

}  // namespace proffer::allocator

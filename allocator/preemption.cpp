#include "allocator/preemption.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "allocator/offer_endings.hpp"
#include "allocator/task_handlers.hpp"
#include "allocator/victims.hpp"

namespace proffer::allocator {
namespace {

constexpr std::int64_t kThousandths = 1000;

bool is_on(const AllocatorState& state) { return state.config.preemption.mode != PreemptionMode::off; }

/// What the pool should have at least, or 0 when it is not short.
std::int64_t target_of(const AllocatorState& state, const StarvationClocks::Key& key) {
  const auto numbers = state.shares.tree().numbers(key.pool, key.kind);
  if (key.shortage == Shortage::of_min_share) {
    return numbers.used < numbers.guaranteed ? numbers.guaranteed : 0;
  }
  const auto threshold = state.config.preemption.fair_share_threshold_milli;
  return numbers.used * kThousandths < numbers.fair * threshold ? numbers.fair : 0;
}

/// What is on its way to the pool, or to pools in it, or to one that it is in.
std::int64_t expected(const AllocatorState& state, ShareNode pool, Kind kind) {
  const auto& tree = state.shares.tree();
  return state.claims.expected(
      kind, [&](ShareNode other) { return tree.is_within(other, pool) || tree.is_within(pool, other); });
}

const std::string& name_of(const AllocatorState& state, ShareNode pool) {
  return std::find_if(state.watched.begin(), state.watched.end(),
                      [&](const WatchedPool& watched) { return watched.pool == pool; })
      ->name;
}

/// Offers that can be spared, the newest first. Returns how many units came free.
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
    if (!ClusterTable::offerable(state.cluster[offer.agent])) continue;
    if (offer.units() > surplus.of(offer.framework)) continue;
    state.claims.hold({starved, offer.agent, kind, offer.units()});
    freed += offer.units();
    rescind_one(turn, id);
  }
  return freed;
}

void demand_back(const Turn& turn, ShareNode starved, Kind kind, const Loss& loss) {
  auto& state = turn.state;
  const auto& settings = state.config.preemption;
  auto& framework = state.frameworks[loss.framework];
  const bool enforced = settings.mode == PreemptionMode::on;
  turn.trace(SlotsPreempted{framework.id, name_of(state, starved), kind, loss.units, enforced});
  if (!enforced) return;
  state.claims.add({starved, loss.framework, kind, loss.units, turn.now + settings.deadline, false});
  turn.to_framework(framework, Preempt{{{kind, loss.units}}, settings.deadline});
}

/// Claims that are still out count as taken: their tasks have not ended yet.
void take_claims(const AllocatorState& state, Kind kind, Surplus& surplus) {
  for (const auto& claim : state.claims.all()) {
    if (claim.kind == kind && !claim.enforced) surplus.take(claim.framework, claim.owed);
  }
}

void relieve(const Turn& turn, const StarvationClocks::Key& key, std::int64_t target) {
  auto& state = turn.state;
  const auto used = state.shares.tree().numbers(key.pool, key.kind).used;
  turn.trace(PoolStarved{name_of(state, key.pool), key.kind, used, target});
  auto missing = target - used - expected(state, key.pool, key.kind);
  if (missing > 0 && state.config.preemption.mode == PreemptionMode::on) {
    missing -= rescind_offers(turn, key.pool, key.kind, missing);
  }
  if (missing <= 0) return;
  Surplus surplus(state, key.pool, key.kind);
  take_claims(state, key.kind, surplus);
  for (const auto& loss : choose_losses(state, surplus, key.kind, missing)) {
    demand_back(turn, key.pool, key.kind, loss);
  }
}

/// Tasks of the framework that are dying count towards what it owes; those are hurried up. Returns what is
/// left.
std::int64_t hurry_dying(const Turn& turn, const PreemptClaim& claim, std::int64_t units) {
  auto& state = turn.state;
  for (const auto launch : state.frameworks[claim.framework].launches()) {
    auto& task = state.tasks[launch];
    if (task.ended() || !task.kill || task.resources[claim.kind] == 0 || units <= 0) continue;
    units -= task.resources[claim.kind];
    kill(turn, task, state.config.kill_grace);
  }
  return units;
}

}  // namespace

void watch_shortages(AllocatorState& state, Time now) {
  const auto patience = state.config.preemption.fair_share_timeout;
  for (const auto& pool : state.watched) {
    for (const auto kind : state.shares.kinds()) {
      const auto note = [&](Shortage shortage, std::optional<Duration> most) {
        if (!most) return;
        const StarvationClocks::Key key{pool.pool, kind, shortage};
        state.clocks.note(key, target_of(state, key) > 0, *most, now);
      };
      note(Shortage::of_min_share, pool.min_share_timeout);
      note(Shortage::of_fair_share, patience);
    }
  }
}

/// What has happened since the clocks were looked at may have helped the pool.
bool relieve_one(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.clocks.take_due(turn.now);
  if (!due) return false;
  const auto target = target_of(state, *due);
  if (target == 0) {
    state.clocks.note(*due, false, {}, turn.now);
  } else {
    relieve(turn, *due, target);
  }
  return true;
}

/// No more than the pool still lacks and the framework can still spare.
bool enforce_one(const Turn& turn) {
  auto& state = turn.state;
  auto claim = state.claims.take_due(turn.now);
  if (!claim) return false;
  if (claim->enforced) return true;  // its agents do not answer; the pool will come up again
  const auto numbers = state.shares.tree().numbers(claim->pool, claim->kind);
  const auto lacking =
      std::max(numbers.fair, numbers.guaranteed) - numbers.used - expected(state, claim->pool, claim->kind);
  auto units = hurry_dying(turn, *claim, std::min(claim->owed, lacking));
  Surplus surplus(state, claim->pool, claim->kind);
  for (const auto launch : newest_tasks(state, claim->kind, claim->framework)) {
    auto& task = state.tasks[launch];
    const auto size = task.resources[claim->kind];
    if (units <= 0) break;
    if (size > surplus.of(claim->framework)) continue;
    surplus.take(claim->framework, size);
    units -= size;
    task.preempted = true;
    kill(turn, task, state.config.kill_grace);
  }
  claim->owed = std::min(claim->owed, std::max<std::int64_t>(lacking, 0));
  if (claim->owed == 0) return true;
  claim->enforced = true;
  claim->deadline = turn.now + state.config.kill_grace + state.config.preemption.deadline;
  state.claims.add(*claim);
  return true;
}

std::optional<Time> next_preemption(const AllocatorState& state) {
  return earlier(state.clocks.next(), state.claims.next());
}

void note_refusal(AllocatorState& state, LeafId framework, Kind kind, std::optional<Time> until) {
  if (!is_on(state)) return;
  for (const auto node : state.shares.tree().path_of(framework)) {
    state.clocks.refused(node, kind, until);
    state.claims.refused(node, kind);
  }
}

void note_revival(AllocatorState& state, LeafId framework, Kind kind, Time now) {
  if (!is_on(state)) return;
  for (const auto node : state.shares.tree().path_of(framework)) state.clocks.revived(node, kind, now);
}

bool starved(const AllocatorState& state, LeafId framework, Kind kind) {
  if (!is_on(state)) return false;
  const auto path = state.shares.tree().path_of(framework);
  return std::any_of(path.begin(), path.end(),
                     [&](ShareNode node) { return state.clocks.starved(node, kind); });
}

}  // namespace proffer::allocator

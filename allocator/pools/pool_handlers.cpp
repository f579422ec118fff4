#include "allocator/pools/pool_handlers.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "allocator/pools/guarantees.hpp"
#include "allocator/pools/places.hpp"
#include "allocator/pools/pool_rules.hpp"
#include "allocator/state/records.hpp"
#include "proffer/pool_list.hpp"

namespace proffer::allocator {
namespace {

using ByName = std::map<std::string, const AllocatorPool*>;

ByName by_name(const std::vector<AllocatorPool>& pools) {
  ByName names;
  for (const auto& pool : pools) names[pool.share.name] = &pool;
  return names;
}

void put(const Turn& turn, const AllocatorPool& pool) {
  auto& tree = turn.state.shares.tree();
  const auto& name = pool.share.name;
  const auto put = tree.has_pool(name) ? tree.set_pool(pool.share) : tree.declare_pool(pool.share);
  PROFFER_CHECK(put.ok(), "pools were checked before they were changed");
  if (const auto known = tree.find_pool(name)) turn.state.starvation.forget(*known);
  turn.trace(pool_note(pool));
}

/// Removes a pool, and pools above it that were there for its sake only. A pool with others in it stays for
/// their sake (the root always does), with the usual settings.
void drop(const Turn& turn, const std::string& name, const ByName& wanted) {
  auto& tree = turn.state.shares.tree();
  // The clocks go while the pool can still be found: the next pool gets its place in the tree, and would
  // inherit them.
  if (const auto known = tree.find_pool(name)) turn.state.starvation.forget(*known);
  auto pool = name;
  while (!pool.empty() && !wanted.contains(pool) && tree.remove_pool(pool).ok()) {
    PoolChanged gone;
    gone.pool = pool;
    gone.removed = true;
    turn.trace(std::move(gone));
    const auto dot = pool.rfind('.');
    pool = dot == std::string::npos ? "" : pool.substr(0, dot);
  }
  if (pool != name || !tree.has_pool(name)) return;
  PoolSpec usual;
  usual.name = name;
  PROFFER_CHECK(tree.set_pool(usual).ok(), "a pool may be as usual");
  turn.trace(pool_note(usual));
}

constexpr std::size_t kNamed = 10;

/// "a, b, c", with "..." in place of what goes too far.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kNamed ? text + ", ..." : text;
}

struct Changes {
  std::size_t created = 0;
  std::size_t set = 0;
  std::vector<std::string> removed;
  std::string sentence() const {
    return std::to_string(created) + " created, " + std::to_string(set) + " set, " +
           std::to_string(removed.size()) + " removed" +
           (removed.empty() ? "" : " (" + listed(removed) + ")");
  }
};

/// Sets pools that were not refused.
Changes set_pools(const Turn& turn, std::vector<AllocatorPool> pools) {
  auto& state = turn.state;
  Changes changes;
  const auto former = std::exchange(state.config.pools, std::move(pools));
  const auto before = by_name(former);
  const auto now = by_name(state.config.pools);
  for (const auto& pool : state.config.pools) {
    const auto known = before.find(pool.share.name);
    if (known != before.end() && *known->second == pool) continue;
    ++(known == before.end() ? changes.created : changes.set);
    put(turn, pool);
  }
  for (auto at = before.rbegin(); at != before.rend(); ++at) {  // those within others before these
    if (now.contains(at->first)) continue;
    changes.removed.push_back(at->first);
    drop(turn, at->first, now);
  }
  // Pools have their final shape by now: which agents they may have, and which are watched, depends on it.
  change_places(turn);
  state.shares.show_admitted();
  return changes;
}

/// Sets the limits of users; returns whether any has changed. Frameworks that get a place by it are shown the
/// idle slots by set_pools(), which is to follow.
bool set_users(const Turn& turn, std::vector<UserLimit> users) {
  auto& state = turn.state;
  if (state.config.users == users) return false;
  std::map<std::string, UserLimit> before;
  for (auto& user : std::exchange(state.config.users, std::move(users))) before[user.name] = user;
  for (const auto& user : state.config.users) {
    const auto known = before.extract(user.name);
    if (!known.empty() && known.mapped() == user) continue;
    state.shares.tree().set_user_limit(user.name, user.max_running);
    turn.trace(user_note(user));
  }
  for (const auto& [name, user] : before) {
    state.shares.tree().set_user_limit(name, {});
    turn.trace(UserLimited{name, true, 0});
  }
  return true;
}

/// Sets the preemption. Slots demanded back under the former settings are demanded no longer.
void change_preemption(State& state, const PreemptionConfig& preemption) {
  for (const auto& pool : state.starvation.watched) state.starvation.forget(pool.pool);
  state.config.preemption = preemption;
}

using Warnings = std::vector<std::string>;

void answer(const Turn& turn, PeerId peer, std::uint64_t request, std::string text, Warnings warnings = {}) {
  if (warnings.size() > kWarningsSaid) warnings.resize(kWarningsSaid);
  if (peer != PeerId{}) turn.answer(peer, AdminDone{request, {}, std::move(text), std::move(warnings)});
}

/// Returns a warning for racks and agents to which pools are bound and which are not there: probably a
/// misspelt name. Returns none before the first agent.
Warnings unknown_places(const State& state) {
  std::set<std::string> racks, agents;
  for (const auto& [id, index] : state.cluster.in_order()) {
    racks.insert(state.cluster[index].info.rack);
    agents.insert(state.cluster[index].info.name);
  }
  Warnings warnings;
  const auto look = [&](const AllocatorPool& pool, const char* what, const auto& wanted, const auto& there) {
    std::vector<std::string> unknown;
    std::set_difference(wanted.begin(), wanted.end(), there.begin(), there.end(),
                        std::back_inserter(unknown));
    if (unknown.empty()) return;
    warnings.push_back(std::string(what) + " of " +
                       (pool.share.name.empty() ? "the root" : "pool '" + pool.share.name + "'") +
                       ": no agent " + (what[0] == 'r' ? "stands in " : "is called ") + listed(unknown) +
                       "; the pool has no slots there until one does");
  };
  for (const auto& pool : state.config.pools) {
    if (agents.empty()) break;
    look(pool, "racks", pool.racks, racks);
    look(pool, "agents", pool.agents, agents);
  }
  return warnings;
}

/// Returns all warnings about the pools as they are now, for the operator who set them, and traces new ones.
Warnings warnings_of(const Turn& turn, const std::optional<std::string>& idle_before) {
  Warnings warnings;
  const auto idle = idle_preemption(turn.state.config);
  if (idle) warnings.push_back(*idle);
  if (idle && idle != idle_before) turn.trace(PoolWarned{{}, *idle});
  for (auto& sentence : look_at_guarantees(turn)) warnings.push_back(std::move(sentence));
  for (auto& sentence : unknown_places(turn.state)) warnings.push_back(std::move(sentence));
  return warnings;
}

std::string want_restart(const std::vector<std::string>& keys) {
  std::string names;
  for (const auto& key : keys) names += (names.empty() ? "" : ", ") + key;
  return "changed in the file since the allocator was started, and counts after a restart: " + names;
}

void refuse(const Turn& turn, PeerId peer, std::uint64_t request, const char* what, Error error) {
  turn.trace(MessageRefused{what, error.code, error.message});
  if (peer != PeerId{}) turn.answer(peer, AdminDone{request, std::move(error), {}});
}

std::string done_to(const ChangePool& change) {
  const auto* done = change.verb == "create" ? " is created"
                     : change.verb == "set"  ? " is set"
                                             : " is removed";
  return (change.pool.empty() ? "the root" : "pool " + change.pool) + done;
}

}  // namespace

void handle(const Turn& turn, const StoreRoom& store) {
  auto& state = turn.state;
  state.disk_full.reset();
  if (store.room == Room::plenty) return;
  state.disk_full = Error{ErrorCode::no_space, "pools cannot be changed until there is room: " + store.why};
}

void handle(const Turn& turn, const MessageReceived& in, const ChangePool& message) {
  if (auto full = turn.state.disk_full) {
    return refuse(turn, in.peer, message.request, "CHANGE_POOL", std::move(*full));
  }
  auto pools = changed_pools(turn.state, message);
  if (!pools) return refuse(turn, in.peer, message.request, "CHANGE_POOL", pools.error());
  if (auto error = refuse_pools(turn.state, *pools)) {
    return refuse(turn, in.peer, message.request, "CHANGE_POOL", std::move(*error));
  }
  const auto idle_before = idle_preemption(turn.state.config);
  set_pools(turn, std::move(*pools));
  // Pools are kept before the answer: an operator who reads that a pool is set must find it so after a crash.
  turn.keep_pools(turn.state.config.pools);
  answer(turn, in.peer, message.request, done_to(message), warnings_of(turn, idle_before));
}

void handle(const Turn& turn, const MessageReceived& in, const ReloadPools& message) {
  turn.read_pools(in.peer, message.request);
}

void handle(const Turn& turn, const PoolsRead& read) {
  auto error = read.error ? read.error : refuse_pools(turn.state, read.pools);
  const auto clash = refuse_preemption(read.preemption, turn.state.config.share_by);
  if (!error && !clash.empty()) error = Error{ErrorCode::invalid, clash};
  if (error) {
    error->message += " (the pools stay as they were)";
    return refuse(turn, read.peer, read.request, "RELOAD_POOLS", std::move(*error));
  }
  const auto idle_before = idle_preemption(turn.state.config);
  const bool other_preemption = read.preemption != turn.state.config.preemption;
  // Preemption first: which pools are watched, as set_pools() finds, depends on it.
  if (other_preemption) change_preemption(turn.state, read.preemption);
  const bool other_users = set_users(turn, read.users);
  const auto changes = set_pools(turn, read.pools);
  turn.keep_pools({});
  auto warnings = warnings_of(turn, idle_before);
  if (!read.want_restart.empty()) {
    turn.trace(PoolWarned{{}, want_restart(read.want_restart)});
    warnings.insert(warnings.begin(), want_restart(read.want_restart));
  }
  answer(turn, read.peer, read.request,
         "pools: " + changes.sentence() + (other_preemption ? "; preemption is set" : "") +
             (other_users ? "; limits of users are set" : ""),
         std::move(warnings));
}

/// Moves a framework with all it holds. Its new pool may have other agents, so it is shown the idle slots.
void handle(const Turn& turn, const MessageReceived& in, const MoveFramework& message) {
  auto& state = turn.state;
  if (auto error = refuse_move(state, message)) {
    return refuse(turn, in.peer, message.request, "MOVE_FRAMEWORK", std::move(*error));
  }
  auto& framework = state.frameworks[named(state.frameworks, message.framework)->index];
  PROFFER_CHECK(state.shares.tree().move_leaf(framework.index, message.pool).ok(), "the pool is there");
  state.starvation.claims.forget_framework(
      framework.index);  // it may be in the pool now to which it owes slots
  framework.place.pool = message.pool;
  framework.place.eligibility = state.eligibility.class_of(message.pool);
  rescind_misplaced(turn);  // after the class is set, by which offers are judged
  turn.trace(FrameworkMoved{framework.id, message.pool});
  keep(turn, framework);  // before the operator is told
  state.shares.show_admitted();
  for (const auto kind : state.shares.kinds()) state.shares.note_hungry(framework.index, kind);
  answer(turn, in.peer, message.request,
         "framework " + framework.name + " is in " + (message.pool.empty() ? "the root" : message.pool));
}

}  // namespace proffer::allocator

#include "allocator/pools/pool_rules.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "proffer/limits.hpp"
#include "proffer/pool_list.hpp"
#include "proffer/pool_settings.hpp"

namespace proffer::allocator {
namespace {

Error bad_change(std::string sentence) { return {ErrorCode::invalid, std::move(sentence)}; }

std::string quoted(const std::string& pool) { return pool.empty() ? "the root" : "pool '" + pool + "'"; }

Error no_pool(const State& state, const std::string& name) {
  return {ErrorCode::unknown_pool,
          "there is no " + quoted(name) + "; " + pools_in_words(state.shares.tree())};
}

std::vector<AllocatorPool>::iterator find_entry(std::vector<AllocatorPool>& pools, const std::string& name) {
  return std::find_if(pools.begin(), pools.end(),
                      [&](const AllocatorPool& pool) { return pool.share.name == name; });
}

std::optional<Error> refuse_removal(const std::vector<AllocatorPool>& pools, const std::string& name) {
  if (name.empty()) return bad_change("the root stays");
  for (const auto& pool : pools) {
    if (!pool.share.name.starts_with(name + ".")) continue;
    return bad_change(quoted(name) + " has pools in it, as '" + pool.share.name + "': remove those first");
  }
  return {};
}

/// An entry of its own for one that is only there because of the pools in it, or because it is the root.
Result<std::vector<AllocatorPool>::iterator> entry_to_set(const State& state,
                                                          std::vector<AllocatorPool>& pools,
                                                          const std::string& name) {
  const auto known = find_entry(pools, name);
  if (known != pools.end()) return known;
  if (!state.shares.tree().has_pool(name)) return no_pool(state, name);
  AllocatorPool pool;
  pool.share.name = name;
  return pools.insert(pools.end(), std::move(pool));
}

}  // namespace

Result<std::vector<AllocatorPool>> changed_pools(const State& state, const ChangePool& change) {
  auto pools = state.config.pools;
  const auto known = find_entry(pools, change.pool);
  if (change.verb == "create") {
    if (known != pools.end() || change.pool.empty())
      return Error{ErrorCode::exists, quoted(change.pool) + " is there already"};
    AllocatorPool pool;
    pool.share.name = change.pool;
    if (auto set = apply_settings(change, pool); !set) return set.error();
    pools.push_back(std::move(pool));
    return pools;
  }
  if (change.verb == "remove") {
    if (auto error = refuse_removal(pools, change.pool)) return *error;
    if (known == pools.end()) return no_pool(state, change.pool);
    pools.erase(known);
    return pools;
  }
  if (change.verb != "set") return bad_change("a pool is created, set or removed, not '" + change.verb + "'");
  const auto entry = entry_to_set(state, pools, change.pool);
  if (!entry) return entry.error();
  if (auto set = apply_settings(change, **entry); !set) return set.error();
  return pools;
}

std::optional<Error> refuse_pools(const State& state, const std::vector<AllocatorPool>& pools) {
  if (pools.size() > limits::kPools) {
    return Error{ErrorCode::slow_down,
                 "there can be at most " + std::to_string(limits::kPools) + " pools: remove one first"};
  }
  ShareTree tree;
  for (const auto& pool : pools) {
    if (auto declared = tree.declare_pool(pool.share); !declared) return declared.error();
  }
  if (auto found = find_contradiction(pools)) return bad_change(std::move(found->sentence));
  if (!tree.has_pool(state.config.default_pool)) {
    return bad_change(quoted(state.config.default_pool) + " is the default pool, and stays");
  }
  for (const auto& [id, index] : state.frameworks.in_order()) {
    const auto& framework = state.frameworks[index];
    if (tree.has_pool(framework.place.pool)) continue;
    return bad_change(quoted(framework.place.pool) + " has the framework '" + framework.name +
                      "' in it: move or end that first");
  }
  return {};
}

const FrameworkRecord* named(const FrameworkTable& frameworks, const std::string& name) {
  const FrameworkRecord* found = nullptr;
  for (const auto& [id, index] : frameworks.in_order()) {
    const auto& framework = frameworks[index];
    if (framework.name != name || framework.failover.removed) continue;
    if (found == nullptr || found->contact.heard < framework.contact.heard) found = &framework;
  }
  return found;
}

const FrameworkRecord* only(const FrameworkTable& frameworks) {
  const FrameworkRecord* found = nullptr;
  for (const auto& [id, index] : frameworks.in_order()) {
    const auto& framework = frameworks[index];
    if (framework.failover.removed || framework.name == kDriversFramework) continue;
    if (found != nullptr) return nullptr;
    found = &framework;
  }
  return found;
}

std::optional<Error> refuse_move(const State& state, const MoveFramework& move) {
  if (named(state.frameworks, move.framework) == nullptr) {
    return Error{ErrorCode::unknown_framework, "there is no framework '" + move.framework + "'"};
  }
  if (!state.shares.tree().has_pool(move.pool)) return no_pool(state, move.pool);
  return {};
}

}  // namespace proffer::allocator

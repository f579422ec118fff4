// The settings of a pool, listed once: where each stands in configurations, messages and traces. Whatever
// copies the settings of a pool from one of these to another does so by this list, so a new setting is one
// more row.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "proffer/messages/admin.hpp"
#include "proffer/pool.hpp"
#include "proffer/result.hpp"
#include "proffer/trace.hpp"

namespace proffer {

/// One setting: pointers to its members. `InPool` is a member of PoolSpec or of AllocatorPool; `InNote` is a
/// null pointer where traces do not have the setting.
template <class InPool, class InState, class InChange, class InNote>
struct PoolSetting {
  std::string_view key;  ///< the name in configuration files, in `proffer pool set` and in JSON
  InPool pool;
  InState state;
  InChange change;
  InNote note;

  static constexpr bool noted = !std::is_null_pointer_v<InNote>;

  template <class Value, class Pool>
  static constexpr auto& of(Pool& in, Value PoolSpec::*member) {
    return in.share.*member;
  }
  template <class Value, class Pool>
  static constexpr auto& of(Pool& in, Value AllocatorPool::*member) {
    return in.*member;
  }
  /// The setting in an AllocatorPool.
  constexpr auto& in(AllocatorPool& where) const { return of(where, pool); }
  constexpr const auto& in(const AllocatorPool& where) const { return of(where, pool); }
};

template <class InPool, class InState, class InChange, class InNote>
PoolSetting(std::string_view, InPool, InState, InChange, InNote)
    -> PoolSetting<InPool, InState, InChange, InNote>;

/// All settings, in the order of JSON.
inline constexpr std::tuple kPoolSettings{
    PoolSetting{"weight", &PoolSpec::weight_milli, &PoolState::weight_milli, &ChangePool::weight_milli,
                &PoolChanged::weight_milli},
    PoolSetting{"min_share", &PoolSpec::min_share, &PoolState::min_share, &ChangePool::min_share,
                &PoolChanged::min_share},
    PoolSetting{"order", &PoolSpec::order, &PoolState::order, &ChangePool::order, &PoolChanged::order},
    PoolSetting{"max_running", &PoolSpec::max_running, &PoolState::max_running, &ChangePool::max_running,
                &PoolChanged::max_running},
    PoolSetting{"max_running_per_user", &PoolSpec::max_running_per_user, &PoolState::max_running_per_user,
                &ChangePool::max_running_per_user, &PoolChanged::max_running_per_user},
    PoolSetting{"racks", &AllocatorPool::racks, &PoolState::racks, &ChangePool::racks, &PoolChanged::racks},
    PoolSetting{"agents", &AllocatorPool::agents, &PoolState::agents, &ChangePool::agents,
                &PoolChanged::agents},
    PoolSetting{"private_agents", &AllocatorPool::private_agents, &PoolState::private_agents,
                &ChangePool::private_agents, &PoolChanged::private_agents},
    PoolSetting{"user_limit", &PoolSpec::user_limit, &PoolState::user_limit, &ChangePool::user_limit,
                &PoolChanged::user_limit},
    PoolSetting{"min_share_timeout", &PoolSpec::min_share_timeout, &PoolState::min_share_timeout,
                &ChangePool::min_share_timeout, nullptr},
    PoolSetting{"return_after", &AllocatorPool::return_after, &PoolState::return_after,
                &ChangePool::return_after, nullptr},
};

/// Calls visit(setting) for each setting, in order.
template <class Visit>
constexpr void for_each_pool_setting(Visit&& visit) {
  std::apply([&](const auto&... setting) { (visit(setting), ...); }, kPoolSettings);
}

/// The settings of a pool as an event log has them.
PoolChanged pool_note(const AllocatorPool& pool);
PoolChanged pool_note(const PoolSpec& pool);
/// The settings in a line of an event log, as a share tree takes them: what is out of range counts as the
/// nearest that is in range, and an unknown order as fair.
PoolSpec spec_of(const PoolChanged& note);
/// The settings of a pool as DESCRIBE shows them: the first kPlacesShown racks and agents.
void describe_settings(const AllocatorPool& pool, PoolState& state);
/// The setting `key` of `pool` as a wish to set it; for min_share the kinds that `pool` has. Returns false,
/// and changes nothing, for a key that is not in the list.
bool add_setting(std::string_view key, const AllocatorPool& pool, ChangePool& change);
/// Sets in `pool` what `change` names. Error `invalid` for a value out of range; the pool may be changed in
/// part then.
Result<> apply_settings(const ChangePool& change, AllocatorPool& pool);

}  // namespace proffer

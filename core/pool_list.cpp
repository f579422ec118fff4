#include "proffer/pool_list.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/limits.hpp"
#include "proffer/names.hpp"

namespace proffer {
namespace {

std::optional<PoolOrder> order_named(std::string_view name) {
  const auto at = std::find(kPoolOrders.begin(), kPoolOrders.end(), name);
  if (at == kPoolOrders.end()) return {};
  return static_cast<PoolOrder>(at - kPoolOrders.begin());
}

// ---- showing a pool ----

template <class Value>
void show(const Value& from, Value& to) {
  to = from;
}
void show(PoolOrder from, std::string& to) { to = enum_name(kPoolOrders, from); }
void show(const Resources& from, Quantities& to) { to.insert(from.begin(), from.end()); }
void show(const std::set<std::string>& from, std::vector<std::string>& to) {
  to.assign(from.begin(), from.end());
}

// ---- making a wish of a pool ----

template <class Value>
void wish(const Value& from, std::optional<Value>& to) {
  to = from;
}
void wish(const std::optional<Duration>& from, std::optional<Duration>& to) {
  to = from.value_or(Duration::zero());
}
void wish(const std::set<std::string>& from, std::optional<std::vector<std::string>>& to) {
  to.emplace(from.begin(), from.end());
}
void wish(PoolOrder from, std::string& to) { show(from, to); }
void wish(const Resources& from, Quantities& to) { show(from, to); }

// ---- carrying out a wish on a pool ----

Error bad_change(std::string sentence) { return {ErrorCode::invalid, std::move(sentence)}; }

template <class Value>
Result<> set(std::string_view, const std::optional<Value>& from, Value& to) {
  if (from) to = *from;
  return {};
}
Result<> set(std::string_view key, const std::optional<Duration>& from, Duration& to) {
  if (from && *from <= Duration::zero()) return bad_change(std::string(key) + " is above 0");
  if (from) to = *from;
  return {};
}
Result<> set(std::string_view, const std::optional<Duration>& from, std::optional<Duration>& to) {
  if (from) to = from;
  if (from == Duration::zero()) to.reset();
  return {};
}
Result<> set(std::string_view, const std::optional<std::vector<std::string>>& from,
             std::set<std::string>& to) {
  if (from) to = {from->begin(), from->end()};
  return {};
}
Result<> set(std::string_view, const std::string& from, PoolOrder& to) {
  if (from.empty()) return {};
  const auto order = order_named(from);
  if (!order) return bad_change("there is no order '" + from + "': it is fair, fifo or capacity");
  to = *order;
  return {};
}
Result<> set(std::string_view, const Quantities& from, Resources& to) {
  for (const auto& [kind, units] : from) {
    if (units < 0 || units > limits::kQuantity) return bad_change("a min share of " + std::to_string(units));
    to.set(kind, units);
  }
  return {};
}

// ---- reading a pool from a line of an event log ----

template <class Value>
void read(const Value& from, Value& to) {
  to = from;
}
void read(const std::string& from, PoolOrder& to) { to = order_named(from).value_or(PoolOrder::fair); }
void read(const std::vector<std::string>& from, std::set<std::string>& to) {
  to = {from.begin(), from.end()};
}

void keep_first(std::vector<std::string>& names) {
  if (names.size() > kPlacesShown) names.resize(kPlacesShown);
}

}  // namespace

PoolChanged pool_note(const AllocatorPool& pool) {
  PoolChanged note;
  note.pool = pool.share.name;
  for_each_pool_setting([&]<class Setting>(const Setting& setting) {
    if constexpr (Setting::noted) show(setting.in(pool), note.*setting.note);
  });
  return note;
}

PoolChanged pool_note(const PoolSpec& pool) { return pool_note(AllocatorPool{pool}); }

PoolSpec spec_of(const PoolChanged& note) {
  AllocatorPool pool;
  pool.share.name = note.pool;
  for_each_pool_setting([&]<class Setting>(const Setting& setting) {
    if constexpr (Setting::noted) read(note.*setting.note, setting.in(pool));
  });
  auto& spec = pool.share;
  spec.weight_milli = std::max<std::int64_t>(1, spec.weight_milli);
  spec.user_limit = std::clamp<std::uint32_t>(spec.user_limit, 1, kNoUserLimit);
  return spec;
}

void describe_settings(const AllocatorPool& pool, PoolState& state) {
  for_each_pool_setting([&](const auto& setting) { show(setting.in(pool), state.*setting.state); });
  keep_first(state.racks);
  keep_first(state.agents);
}

bool add_setting(std::string_view key, const AllocatorPool& pool, ChangePool& change) {
  bool found = false;
  for_each_pool_setting([&](const auto& setting) {
    if (setting.key != key) return;
    wish(setting.in(pool), change.*setting.change);
    found = true;
  });
  return found;
}

Result<> apply_settings(const ChangePool& change, AllocatorPool& pool) {
  Result<> result;
  for_each_pool_setting([&](const auto& setting) {
    if (result) result = set(setting.key, change.*setting.change, setting.in(pool));
  });
  return result;
}

}  // namespace proffer

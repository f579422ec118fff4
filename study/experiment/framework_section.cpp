#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "proffer/formats/job_pools.hpp"
#include "proffer/pool_path.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::AsCount;
using formats::AsDuration;
using formats::AsText;
using formats::error_at;
using formats::Setting;

/// [{ name = "research", weight = 2, order = "fifo" }], or [[framework.pools]]
Result<> read_pools_of(const TomlNode* list, std::string_view file, PlanFramework& framework) {
  const auto tables = tables_of(list, "pools", file);
  if (!tables) return tables.error();
  if (tables->empty()) return {};
  auto read = formats::read_job_pools(*list, "a pool", file, framework.sharing.mode);
  if (!read) return read.error();
  framework.sharing.pools = std::move(*read);
  return {};
}

std::span<const Setting<FrameworkSection>> framework_keys() {
  using S = FrameworkSection;
  static constexpr std::array kKeys{
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.each.name; }>("name"),
      reading<S, AsOptional<AsCount<1>>, [](auto& s) -> auto& { return s.count; }>("count"),
      reading<S, AsText<formats::Pool>, [](auto& s) -> auto& { return s.each.pool; }>("pool"),
      reading<S, AsText<formats::Short>, [](auto& s) -> auto& { return s.each.user; }>("user"),
      reading<S, AsPolicy, [](auto& s) -> auto& { return s.each.policy; }>("policy"),
      reading<S, AsChoice<PoolOrder, kPoolOrders>, [](auto& s) -> auto& { return s.each.sharing.mode; }>(
          "mode"),
      reading<S, formats::AsPercent, [](auto& s) -> auto& { return s.each.sharing.user_limit; }>(
          "user_limit"),
      elsewhere<S>("pools"),
      elsewhere<S>("users"),
      reading<S, AsChoice<ShareBy, kSharesBy>, [](auto& s) -> auto& { return s.each.sharing.share_by; }>(
          "share_by"),
      reading<S, AsChoice<PreemptionMode, kPreemptionModes>,
              [](auto& s) -> auto& { return s.each.sharing.preemption.mode; }>("preemption"),
      reading<S, AsOptional<formats::AsPositiveDuration>,
              [](auto& s) -> auto& { return s.each.sharing.preemption.fair_share_timeout; }>(
          "fair_share_timeout"),
      reading<S, formats::AsPart,
              [](auto& s) -> auto& { return s.each.sharing.preemption.fair_share_threshold_milli; }>(
          "fair_share_threshold"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.each.max_running_jobs; }>("max_running_jobs"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.each.sharing.commit_time; }>(
          "stock_hadoop_counts"),
      reading<S, AsPartOrNone, [](auto& s) -> auto& { return s.each.slow_start_milli; }>("slow_start"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.each.max_copying; }>("max_copying"),
      reading<S, AsBoolean, [](auto& s) -> auto& { return s.each.balance_long_tasks; }>("balance_long_tasks"),
      reading<S, formats::AsPositiveDuration, [](auto& s) -> auto& { return s.each.gather_for; }>(
          "gather_for"),
      reading<S, AsBoolean, [](auto& s) -> auto& { return s.each.speculation.on; }>("speculative"),
      reading<S, formats::AsPart, [](auto& s) -> auto& { return s.each.speculation.cap_milli; }>(
          "speculative_cap"),
      reading<S, AsFactor, [](auto& s) -> auto& { return s.each.speculation.slowness_milli; }>(
          "speculative_slowness"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.each.speculation.after; }>("speculative_after"),
      reading<S, AsChoice<Priority, kPriorities>, [](auto& s) -> auto& { return s.each.priority; }>(
          "priority"),
  };
  return kKeys;
}

bool has_pool(const std::vector<AllocatorPool>& pools, const std::string& name) {
  return name.empty() || std::any_of(pools.begin(), pools.end(), [&](const AllocatorPool& pool) {
           return lies_in(pool.share.name, name);
         });
}

formats::Position place_of(const TomlNode& table, std::string_view key) {
  const auto* member = find_member(table, key);
  return member == nullptr ? table.position : member->position;
}

Result<> check_framework(const TomlNode& table, std::string_view file, const Scenario& scenario,
                         const FrameworkSection& framework, std::set<std::string>& names) {
  if (framework.each.name.empty()) return error_at(file, table.position, "a [[framework]] needs a name");
  // Numbers, and the pool of a static partition, are still put around it.
  constexpr std::size_t kMostBytes = 100;
  if (framework.each.name.size() > kMostBytes) {
    return error_at(file, place_of(table, "name"), fmt::format("name may be up to {} bytes", kMostBytes));
  }
  if (framework.count.value_or(1) > limits::kFrameworks) {
    return error_at(file, place_of(table, "count"),
                    fmt::format("count may be up to {}", limits::kFrameworks));
  }
  for (const auto& name : framework.names()) {
    if (!names.insert(name).second) {
      return error_at(file, place_of(table, "name"), fmt::format("two frameworks are named \"{}\"", name));
    }
  }
  if (framework.each.sharing.user_limit != kNoUserLimit && framework.each.sharing.mode == PoolOrder::fair) {
    return error_at(file, place_of(table, "user_limit"),
                    "user_limit would do nothing where mode is \"fair\"; leave it out");
  }
  if (auto refused = refuse_preemption(framework.each.sharing.preemption, framework.each.sharing.share_by);
      !refused.empty()) {
    return error_at(file, place_of(table, "fair_share_timeout"), refused);
  }
  if (auto checked = check_speculation(framework.each.speculation); !checked) {
    return error_at(file, place_of(table, "speculative_slowness"), checked.error().message);
  }
  if (has_pool(scenario.pools, framework.each.pool)) return {};
  return error_at(file, place_of(table, "pool"),
                  fmt::format("pool \"{}\" is not the name of a [[pool]]", framework.each.pool));
}

}  // namespace

std::vector<std::string> numbered(const std::string& name, std::optional<std::uint32_t> count) {
  if (!count) return {name};
  std::vector<std::string> names;
  const auto digits = std::to_string(*count - 1).size();
  for (std::uint32_t i = 0; i < *count; ++i) names.push_back(fmt::format("{}-{:0{}}", name, i, digits));
  return names;
}

std::vector<std::string> FrameworkSection::names() const { return numbered(each.name, count); }

Result<> read_frameworks(const TomlNode* list, std::string_view file, Scenario& scenario) {
  const auto tables = tables_of(list, "[[framework]]", file);
  if (!tables) return tables.error();
  if (tables->empty()) return error_at(file, {1, 1}, "there is no [[framework]]");
  std::set<std::string> names;
  for (const auto* table : *tables) {
    FrameworkSection framework;
    auto read = formats::read_settings(*table, framework_keys(), "[[framework]]", file, framework);
    if (!read) return read;
    if (auto pools = read_pools_of(find_member(*table, "pools"), file, framework.each); !pools) return pools;
    if (auto users = read_users(find_member(*table, "users"), "users", file, framework.each.sharing.users);
        !users)
      return users;
    if (auto checked = check_framework(*table, file, scenario, framework, names); !checked) return checked;
    scenario.frameworks.push_back(std::move(framework));
  }
  return {};
}

}  // namespace proffer::study

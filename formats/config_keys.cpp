#include "proffer/formats/config_keys.hpp"

#include <algorithm>
#include <array>

#include "proffer/pool_list.hpp"
#include "proffer/pool_path.hpp"

namespace proffer::formats {
namespace {

/// A switch that is on where nothing is said; only false is printed.
struct AsSwitchOff : AsSwitch {
  static std::string print(bool value) { return value ? "" : "false"; }
};

struct AsJobPoolName : AsText<Pool> {
  static Complaint read(const TomlNode& node, std::string& value) {
    if (is_named_root(node.text)) return std::string(kNotNamedRoot);
    return AsText<Pool>::read(node, value);
  }
};
/// The name of a pool; even the empty one, which is the root's, is printed.
struct AsPoolName : AsJobPoolName {
  static std::string print(const std::string& value) { return toml_quoted(value); }
};

/// The use of a synthetic task's time: the task computes, or it waits.
struct AsSynthetic {
  static Complaint read(const TomlNode& node, bool& waits) {
    const bool known = node.type == TomlType::string && (node.text == "computes" || node.text == "waits");
    if (!known) return "must be \"computes\" or \"waits\"";
    waits = node.text == "waits";
    return {};
  }
  static std::string print(bool waits) { return waits ? "\"waits\"" : ""; }
};

}  // namespace

std::span<const Setting<AllocatorSettings>> allocator_keys() {
  using S = AllocatorSettings;
  static constexpr std::array kKeys{
      setting<S, AsText<ListenAt>, [](auto& s) -> auto& { return s.frameworks_endpoint; }>(
          "frameworks_endpoint"),
      setting<S, AsText<ListenAt>, [](auto& s) -> auto& { return s.agents_endpoint; }>("agents_endpoint"),
      setting<S, AsText<ConnectToOrEmpty>, [](auto& s) -> auto& { return s.allocator.catalog_endpoint; }>(
          "catalog_endpoint"),
      setting<S, AsText<HttpAt>, [](auto& s) -> auto& { return s.http; }>("http"),
      setting<S, AsText<Path>, [](auto& s) -> auto& { return s.state_dir; }>("state_dir"),
      setting<S, AsText<Path>, [](auto& s) -> auto& { return s.event_log; }>("event_log"),
      setting<S, AsText<Pool>, [](auto& s) -> auto& { return s.allocator.default_pool; }>("default_pool"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.offer_timeout; }>(
          "offer_timeout"),
      setting<S, AsDuration, [](auto& s) -> auto& { return s.allocator.batch; }>("batch"),
      setting<S, AsDuration, [](auto& s) -> auto& { return s.allocator.report_period; }>("report_period"),
      setting<S, AsCount<0>, [](auto& s) -> auto& { return s.allocator.report_slots; }>("report_slots"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.heartbeat; }>("heartbeat"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.suspect_after; }>(
          "suspect_after"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.disconnected_after; }>(
          "disconnected_after"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.unreachable_after; }>(
          "unreachable_after"),
      setting<S, AsDuration, [](auto& s) -> auto& { return s.allocator.recovery_hold; }>("recovery_hold"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.reregister_window; }>(
          "reregister_window"),
      setting<S, AsDuration, [](auto& s) -> auto& { return s.allocator.kill_grace; }>("kill_grace"),
      setting<S, AsChoice<ShareBy, kSharesBy>, [](auto& s) -> auto& { return s.allocator.share_by; }>(
          "share_by"),
      setting<S, AsChoice<PreemptionMode, kPreemptionModes>,
              [](auto& s) -> auto& { return s.allocator.preemption.mode; }>("preemption"),
      setting<S, AsOptional<AsPositiveDuration>,
              [](auto& s) -> auto& { return s.allocator.preemption.fair_share_timeout; }>(
          "fair_share_timeout"),
      setting<S, AsPart, [](auto& s) -> auto& { return s.allocator.preemption.fair_share_threshold_milli; }>(
          "fair_share_threshold"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.allocator.preemption.deadline; }>(
          "preemption_deadline"),
      setting<S, AsSwitch, [](auto& s) -> auto& { return s.insecure; }>("insecure"),
      setting<S, AsSwitchOff, [](auto& s) -> auto& { return s.drivers; }>("drivers"),
  };
  return kKeys;
}

namespace {

/// The keys that a pool of frameworks and one of jobs have in common. `Spec`: from an S to its PoolSpec.
template <class S, class AsName, auto Spec>
constexpr std::array<Setting<S>, 8> keys_of_any_pool() {
  return {
      setting<S, AsName, [](auto& s) -> auto& { return Spec(s).name; }>("name"),
      setting<S, AsWeight, [](auto& s) -> auto& { return Spec(s).weight_milli; }>("weight"),
      setting<S, AsQuantities, [](auto& s) -> auto& { return Spec(s).min_share; }>("min_share"),
      setting<S, AsChoice<PoolOrder, kPoolOrders>, [](auto& s) -> auto& { return Spec(s).order; }>("order"),
      setting<S, AsCount<0>, [](auto& s) -> auto& { return Spec(s).max_running; }>("max_running"),
      setting<S, AsCount<0>, [](auto& s) -> auto& { return Spec(s).max_running_per_user; }>(
          "max_running_per_user"),
      setting<S, AsOptional<AsPositiveDuration>, [](auto& s) -> auto& { return Spec(s).min_share_timeout; }>(
          "min_share_timeout"),
      setting<S, AsPercent, [](auto& s) -> auto& { return Spec(s).user_limit; }>("user_limit"),
  };
}

template <class S, std::size_t N, std::size_t M>
constexpr std::array<Setting<S>, N + M> joined(const std::array<Setting<S>, N>& first,
                                               const std::array<Setting<S>, M>& then) {
  std::array<Setting<S>, N + M> all{};
  std::copy(then.begin(), then.end(), std::copy(first.begin(), first.end(), all.begin()));
  return all;
}

}  // namespace

namespace {

/// Whether the keys are "name" and those of kPoolSettings.
template <std::size_t N>
constexpr bool are_pool_settings(const std::array<Setting<AllocatorPool>, N>& keys) {
  bool all = N == std::tuple_size_v<decltype(kPoolSettings)> + 1;
  for_each_pool_setting([&](const auto& setting) {
    all = all &&
          std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.name == setting.key; });
  });
  return all;
}

}  // namespace

std::span<const Setting<AllocatorPool>> pool_keys() {
  using S = AllocatorPool;
  static constexpr std::array kOwn{
      setting<S, AsNames, [](auto& s) -> auto& { return s.racks; }>("racks"),
      setting<S, AsNames, [](auto& s) -> auto& { return s.agents; }>("agents"),
      setting<S, AsCount<0>, [](auto& s) -> auto& { return s.private_agents; }>("private_agents"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.return_after; }>("return_after"),
  };
  static constexpr auto kKeys =
      joined(keys_of_any_pool<S, AsPoolName, [](auto& s) -> auto& { return s.share; }>(), kOwn);
  static_assert(are_pool_settings(kKeys), "a setting of pools is missing here or in proffer/pool_list.hpp");
  return kKeys;
}

std::span<const Setting<PoolSpec>> job_pool_keys() {
  using S = PoolSpec;
  static constexpr auto kKeys = keys_of_any_pool<S, AsJobPoolName, [](auto& s) -> auto& { return s; }>();
  return kKeys;
}

std::span<const Setting<AgentSettings>> agent_keys() {
  using S = AgentSettings;
  static constexpr std::array kKeys{
      setting<S, AsText<Name>, [](auto& s) -> auto& { return s.agent.name; }>("name"),
      setting<S, AsText<Name>, [](auto& s) -> auto& { return s.agent.rack; }>("rack"),
      setting<S, AsSlots, [](auto& s) -> auto& { return s.agent.slots; }>("slots"),
      setting<S, AsCount<0>, [](auto& s) -> auto& { return s.agent.max_computing; }>("max_computing"),
      setting<S, AsText<ConnectTo>, [](auto& s) -> auto& { return s.allocator; }>("allocator"),
      setting<S, AsText<ListenAt>, [](auto& s) -> auto& { return s.data_endpoint; }>("data_endpoint"),
      setting<S, AsText<ConnectToOrEmpty>, [](auto& s) -> auto& { return s.advertise; }>("advertise"),
      setting<S, AsText<Path>, [](auto& s) -> auto& { return s.work_dir; }>("work_dir"),
      setting<S, AsRate, [](auto& s) -> auto& { return s.uplink; }>("uplink"),
      setting<S, AsBytes, [](auto& s) -> auto& { return s.cache_bytes; }>("cache"),
      setting<S, AsSynthetic, [](auto& s) -> auto& { return s.synthetic_waits; }>("synthetic"),
      setting<S, AsSwitch, [](auto& s) -> auto& { return s.kill_tasks_at_stop; }>("kill_tasks"),
      setting<S, AsText<Path>, [](auto& s) -> auto& { return s.event_log; }>("event_log"),
      setting<S, AsSwitch, [](auto& s) -> auto& { return s.agent.adopt; }>("adopt"),
      setting<S, AsSwitch, [](auto& s) -> auto& { return s.insecure; }>("insecure"),
  };
  return kKeys;
}

std::span<const Setting<CatalogSettings>> catalog_keys() {
  using S = CatalogSettings;
  static constexpr std::array kKeys{
      setting<S, AsText<ListenAt>, [](auto& s) -> auto& { return s.endpoint; }>("endpoint"),
      setting<S, AsText<Path>, [](auto& s) -> auto& { return s.state_dir; }>("state_dir"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.catalog.agent_silent_after; }>(
          "agent_silent_after"),
      setting<S, AsText<Path>, [](auto& s) -> auto& { return s.event_log; }>("event_log"),
      setting<S, AsChoice<ReplicationPolicy, kReplicationPolicies>,
              [](auto& s) -> auto& { return s.catalog.replication.policy; }>("replication"),
      setting<S, AsChoice<DsbraVariant, kDsbraVariants>,
              [](auto& s) -> auto& { return s.catalog.replication.variant; }>("replication_variant"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.catalog.replication.interval; }>(
          "replication_interval"),
      setting<S, AsPart, [](auto& s) -> auto& { return s.catalog.replication.alpha_milli; }>(
          "replication_alpha"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.catalog.replication.threshold; }>(
          "replication_threshold"),
      setting<S, AsPart, [](auto& s) -> auto& { return s.catalog.replication.extra_milli; }>(
          "replication_extra"),
      setting<S, AsPositiveDuration, [](auto& s) -> auto& { return s.catalog.replication.copy_timeout; }>(
          "replication_copy_timeout"),
      setting<S, AsDuration, [](auto& s) -> auto& { return s.catalog.replication.restore_after; }>(
          "replication_restore_after"),
      setting<S, AsSwitch, [](auto& s) -> auto& { return s.insecure; }>("insecure"),
  };
  return kKeys;
}

std::span<const Setting<ClientSettings>> client_keys() {
  using S = ClientSettings;
  static constexpr std::array kKeys{
      setting<S, AsText<ConnectTo>, [](auto& s) -> auto& { return s.allocator; }>("allocator"),
      setting<S, AsText<ConnectToOrEmpty>, [](auto& s) -> auto& { return s.catalog; }>("catalog"),
      setting<S, AsOptional<AsDuration>, [](auto& s) -> auto& { return s.failover_timeout; }>(
          "failover_timeout"),
  };
  return kKeys;
}

}  // namespace proffer::formats

// Sections that are only settings.
#include <array>
#include <map>

#include "proffer/formats/config_keys.hpp"
#include "proffer/formats/user_limits.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::AsBytes;
using formats::AsCount;
using formats::AsDuration;
using formats::AsPositiveDuration;
using formats::error_at;
using formats::Setting;

constexpr std::array<std::string_view, 2> kReadings{"fluid", "penalty"};
constexpr std::array<std::string_view, 2> kPlacements{"hdfs", "random"};
constexpr std::array<std::string_view, 3> kPartitions{"shared", "static", "hod"};

std::span<const Setting<CostModel>> cost_keys() {
  using S = CostModel;
  static constexpr std::array kKeys{
      reading<S, AsChoice<CostModel::Reading, kReadings>, [](auto& s) -> auto& { return s.reading; }>(
          "reading"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.start_up; }>("start_up"),
      reading<S, AsLimit, [](auto& s) -> auto& { return s.disk_rate; }>("disk_rate"),
      reading<S, AsLimit, [](auto& s) -> auto& { return s.nic_rate; }>("nic_rate"),
      reading<S, AsLimit, [](auto& s) -> auto& { return s.remote_rate; }>("remote_rate"),
      reading<S, AsLimit, [](auto& s) -> auto& { return s.rack_uplink_rate; }>("rack_uplink_rate"),
      reading<S, AsLimit, [](auto& s) -> auto& { return s.write_rate; }>("write_rate"),
      reading<S, AsFactor, [](auto& s) -> auto& { return s.rack_factor_milli; }>("rack_factor"),
      reading<S, AsFactor, [](auto& s) -> auto& { return s.any_factor_milli; }>("any_factor"),
  };
  return kKeys;
}

std::span<const Setting<StoreSection>> store_keys() {
  using S = StoreSection;
  static constexpr std::array kKeys{
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.replication; }>("replication"),
      reading<S, AsBytes, [](auto& s) -> auto& { return s.block_bytes; }>("block_size"),
      reading<S, AsChoice<Placement, kPlacements>, [](auto& s) -> auto& { return s.placement; }>("placement"),
  };
  return kKeys;
}

std::span<const Setting<ReplicationConfig>> replication_keys() {
  using S = ReplicationConfig;
  static constexpr std::array kKeys{
      reading<S, AsChoice<ReplicationPolicy, kReplicationPolicies>,
              [](auto& s) -> auto& { return s.policy; }>("policy"),
      reading<S, AsChoice<DsbraVariant, kDsbraVariants>, [](auto& s) -> auto& { return s.variant; }>(
          "variant"),
      reading<S, AsPositiveDuration, [](auto& s) -> auto& { return s.interval; }>("interval"),
      reading<S, formats::AsPart, [](auto& s) -> auto& { return s.alpha_milli; }>("alpha"),
      reading<S, AsPositiveDuration, [](auto& s) -> auto& { return s.threshold; }>("threshold"),
      reading<S, formats::AsPart, [](auto& s) -> auto& { return s.extra_milli; }>("extra"),
      reading<S, AsPositiveDuration, [](auto& s) -> auto& { return s.copy_timeout; }>("copy_timeout"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.restore_after; }>("restore_after"),
  };
  return kKeys;
}

std::span<const Setting<AllocatorSection>> allocator_keys() {
  using S = AllocatorSection;
  static constexpr std::array kKeys{
      reading<S, AsPositiveDuration, [](auto& s) -> auto& { return s.offer_timeout; }>("offer_timeout"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.batch; }>("batch"),
      reading<S, AsOptional<AsDuration>, [](auto& s) -> auto& { return s.heartbeat; }>("heartbeat"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.latency; }>("latency"),
      reading<S, AsDuration, [](auto& s) -> auto& { return s.report_period; }>("report_period"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.report_slots; }>("report_slots"),
      reading<S, AsChoice<Partition, kPartitions>, [](auto& s) -> auto& { return s.partition; }>("partition"),
      reading<S, AsOptional<AsCount<1>>, [](auto& s) -> auto& { return s.private_agents; }>("private_agents"),
      reading<S, AsOptional<formats::AsPositiveDuration>, [](auto& s) -> auto& { return s.return_after; }>(
          "return_after"),
      reading<S, AsChoice<ShareBy, kSharesBy>, [](auto& s) -> auto& { return s.share_by; }>("share_by"),
      reading<S, AsChoice<PreemptionMode, kPreemptionModes>,
              [](auto& s) -> auto& { return s.preemption.mode; }>("preemption"),
      reading<S, AsOptional<AsPositiveDuration>,
              [](auto& s) -> auto& { return s.preemption.fair_share_timeout; }>("fair_share_timeout"),
      reading<S, formats::AsPart, [](auto& s) -> auto& { return s.preemption.fair_share_threshold_milli; }>(
          "fair_share_threshold"),
      reading<S, AsPositiveDuration, [](auto& s) -> auto& { return s.preemption.deadline; }>(
          "preemption_deadline"),
  };
  return kKeys;
}

template <class Owner>
Result<> read_plain(const TomlNode* section, std::span<const Setting<Owner>> keys, std::string_view name,
                    std::string_view file, Owner& owner) {
  return section == nullptr ? Result<>() : formats::read_settings(*section, keys, name, file, owner);
}

}  // namespace

Result<> read_cost(const TomlNode* section, std::string_view file, CostModel& cost) {
  return read_plain(section, cost_keys(), "[cost]", file, cost);
}

Result<> read_store(const TomlNode* section, std::string_view file, StoreSection& store) {
  return read_plain(section, store_keys(), "[store]", file, store);
}

Result<> read_replication(const TomlNode* section, std::string_view file, ReplicationConfig& replication) {
  return read_plain(section, replication_keys(), "[replication]", file, replication);
}

Result<> read_allocator(const TomlNode* section, std::string_view file, AllocatorSection& allocator) {
  if (auto read = read_plain(section, allocator_keys(), "[allocator]", file, allocator); !read) return read;
  const auto refused = refuse_preemption(allocator.preemption, allocator.share_by);
  if (refused.empty()) return {};
  return error_at(file, find_member(*section, "fair_share_timeout")->position, refused);
}

Result<> read_pools(const TomlNode* list, std::string_view file, std::vector<AllocatorPool>& pools) {
  const auto tables = tables_of(list, "[[pool]]", file);
  if (!tables) return tables.error();
  std::map<std::string, formats::Position> seen;
  for (const auto* table : *tables) {
    AllocatorPool pool;
    if (auto read = formats::read_settings(*table, formats::pool_keys(), "[[pool]]", file, pool); !read)
      return read;
    if (find_member(*table, "name") == nullptr)
      return error_at(file, table->position, "a [[pool]] needs a name");
    const auto [first, is_new] = seen.try_emplace(pool.share.name, table->position);
    if (!is_new) {
      return error_at(
          file, table->position,
          fmt::format("the pool \"{}\" stands in line {} already", first->first, first->second.line));
    }
    pools.push_back(std::move(pool));
  }
  return {};
}

Result<> read_users(const TomlNode* list, std::string_view what, std::string_view file,
                    std::vector<UserLimit>& users) {
  if (list == nullptr) return {};
  auto read = formats::read_user_limits(*list, what, file);
  if (!read) return read.error();
  users = std::move(*read);
  return {};
}

Result<std::vector<const TomlNode*>> tables_of(const TomlNode* list, std::string_view what,
                                               std::string_view file) {
  std::vector<const TomlNode*> tables;
  if (list == nullptr) return tables;
  const auto is_table = [](const TomlNode& item) { return item.type == TomlType::table; };
  if (list->type != TomlType::array || !std::all_of(list->items.begin(), list->items.end(), is_table)) {
    const bool doubled = what.starts_with("[[");
    return error_at(file, list->position,
                    doubled ? fmt::format("write {}, with two brackets, once for each", what)
                            : fmt::format("{} must be a list of tables", what));
  }
  for (const auto& item : list->items) tables.push_back(&item);
  return tables;
}

}  // namespace proffer::study

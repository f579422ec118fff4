#include "allocator/tables/eligibility.hpp"

#include <algorithm>

namespace proffer::allocator {

Eligibility::Eligibility(const std::vector<AllocatorPool>& pools) : rules_(1) {
  std::map<std::string, const AllocatorPool*> by_name;  // pools before those below them
  for (const auto& pool : pools) by_name[pool.share.name] = &pool;
  for (const auto& [name, pool] : by_name) {
    if (pool->racks.empty() && pool->agents.empty() && pool->private_agents == 0) continue;
    rules_.push_back({pool->racks, pool->agents, class_of(name)});
    by_pool_[name] = rules_.size() - 1;
    if (pool->private_agents > 0) leases_[rules_.size() - 1] = {pool->private_agents, pool->return_after};
  }
}

std::size_t Eligibility::class_of(std::string_view pool) const {
  while (true) {
    if (const auto found = by_pool_.find(pool); found != by_pool_.end()) return found->second;
    if (pool.empty()) return 0;
    const auto dot = pool.rfind('.');
    pool = dot == std::string_view::npos ? std::string_view{} : pool.substr(0, dot);
  }
}

std::string_view Eligibility::pool_of(std::size_t number) const {
  const auto found =
      std::find_if(by_pool_.begin(), by_pool_.end(), [&](const auto& pool) { return pool.second == number; });
  return found == by_pool_.end() ? std::string_view{} : found->first;
}

std::map<std::size_t, std::size_t> Eligibility::kept_in(const Eligibility& next) const {
  std::map<std::size_t, std::size_t> kept{{0, 0}};
  for (const auto& [name, number] : by_pool_) {  // pools before those below them
    const auto found = next.by_pool_.find(name);
    if (found == next.by_pool_.end() || !kept.contains(rules_[number].above)) continue;
    auto rule = rules_[number];
    rule.above = kept.at(rule.above);
    const bool same_sort = leases_.contains(number) == next.leases_.contains(found->second);
    if (same_sort && rule == next.rules_[found->second]) kept[number] = found->second;
  }
  return kept;
}

bool Eligibility::admits(const AgentInfo& agent, std::size_t number) const {
  for (; number != 0; number = rules_[number].above) {
    if (!rules_[number].admits(agent)) return false;
  }
  return true;
}

std::vector<bool> Eligibility::admits(const AgentInfo& agent) const {
  std::vector<bool> admitted(rules_.size(), true);
  for (std::size_t i = 1; i < rules_.size(); ++i) {
    admitted[i] = admitted[rules_[i].above] && rules_[i].admits(agent);
  }
  return admitted;
}

}  // namespace proffer::allocator

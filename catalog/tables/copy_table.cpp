#include "catalog/tables/copy_table.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::catalog {

void CopyTable::open(BlockId block, AgentId target, Copy copy) {
  bytes_ += copy.length;
  ++loads_[target];
  by_deadline_.emplace(copy.deadline, Key{block, target});
  const bool fresh = copies_.emplace(Key{block, target}, std::move(copy)).second;
  PROFFER_CHECK(fresh, "that copy is under way already");
}

std::optional<CopyTable::Copy> CopyTable::close(BlockId block, AgentId target) {
  auto node = copies_.extract(Key{block, target});
  if (node.empty()) return {};
  by_deadline_.erase({node.mapped().deadline, node.key()});
  bytes_ -= node.mapped().length;
  const auto load = loads_.find(target);
  if (--load->second == 0) loads_.erase(load);
  return std::move(node.mapped());
}

CopyTable::Closed CopyTable::close_all(const std::vector<Key>& keys) {
  Closed closed;
  for (const auto& key : keys) closed.emplace_back(key, *close(key.first, key.second));
  return closed;
}

CopyTable::Closed CopyTable::close_to(AgentId target) {
  if (!loads_.contains(target)) return {};
  std::vector<Key> keys;
  for (const auto& [key, copy] : copies_) {
    if (key.second == target) keys.push_back(key);
  }
  return close_all(keys);
}

CopyTable::Closed CopyTable::close_of(BlockId block) {
  std::vector<Key> keys;
  for (auto at = first_of(block); at != copies_.end() && at->first.first == block; ++at) {
    keys.push_back(at->first);
  }
  return close_all(keys);
}

CopyTable::Closed CopyTable::close_overdue(Time now) {
  std::vector<Key> keys;
  for (const auto& [deadline, key] : by_deadline_) {
    if (deadline > now) break;
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return close_all(keys);
}

std::size_t CopyTable::count(BlockId block) const {
  std::size_t count = 0;
  for (auto at = first_of(block); at != copies_.end() && at->first.first == block; ++at) ++count;
  return count;
}

std::size_t CopyTable::load_of(AgentId target) const {
  const auto at = loads_.find(target);
  return at == loads_.end() ? 0 : at->second;
}

std::optional<Time> CopyTable::next_deadline() const {
  return by_deadline_.empty() ? std::nullopt : std::optional(by_deadline_.begin()->first);
}

void CopyTable::check_invariants() const {
  std::uint64_t bytes = 0;
  std::map<AgentId, std::size_t> loads;
  for (const auto& [key, copy] : copies_) {
    bytes += copy.length;
    ++loads[key.second];
    PROFFER_CHECK(by_deadline_.contains({copy.deadline, key}), "a copy whose time would never be over");
  }
  PROFFER_CHECK(by_deadline_.size() == copies_.size(), "the time of a copy that is not under way");
  PROFFER_CHECK(bytes == bytes_, "the bytes under way are not those of the copies");
  PROFFER_CHECK(loads == loads_, "copies to an agent are miscounted");
}

}  // namespace proffer::catalog

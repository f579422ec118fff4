#include "storage/copy_table.hpp"

#include "proffer/check.hpp"

namespace proffer {

void CopyTable::open(BlockId block, AgentId target, Copy copy) {
  bytes_ += copy.length;
  ++loads_[target];
  const bool fresh = copies_.emplace(Key{block, target}, std::move(copy)).second;
  PROFFER_CHECK(fresh, "that copy is under way already");
}

std::optional<CopyTable::Copy> CopyTable::close(BlockId block, AgentId target) {
  auto node = copies_.extract(Key{block, target});
  if (node.empty()) return {};
  bytes_ -= node.mapped().length;
  const auto load = loads_.find(target);
  if (--load->second == 0) loads_.erase(load);
  return std::move(node.mapped());
}

template <class Which>
std::vector<std::pair<CopyTable::Key, CopyTable::Copy>> CopyTable::close_if(Which&& which) {
  std::vector<Key> keys;
  for (const auto& [key, copy] : copies_) {
    if (which(key, copy)) keys.push_back(key);
  }
  std::vector<std::pair<Key, Copy>> closed;
  for (const auto& key : keys) closed.emplace_back(key, *close(key.first, key.second));
  return closed;
}

std::vector<std::pair<CopyTable::Key, CopyTable::Copy>> CopyTable::close_to(AgentId target) {
  if (!loads_.contains(target)) return {};
  return close_if([target](const Key& key, const Copy&) { return key.second == target; });
}

std::vector<std::pair<CopyTable::Key, CopyTable::Copy>> CopyTable::close_of(BlockId block) {
  return close_if([block](const Key& key, const Copy&) { return key.first == block; });
}

std::vector<std::pair<CopyTable::Key, CopyTable::Copy>> CopyTable::close_overdue(Time now) {
  return close_if([now](const Key&, const Copy& copy) { return copy.deadline <= now; });
}

std::set<AgentId> CopyTable::targets(BlockId block) const {
  std::set<AgentId> targets;
  for (auto at = copies_.lower_bound({block, AgentId{}}); at != copies_.end() && at->first.first == block;
       ++at)
    targets.insert(at->first.second);
  return targets;
}

std::size_t CopyTable::load_of(AgentId target) const {
  const auto at = loads_.find(target);
  return at == loads_.end() ? 0 : at->second;
}

std::optional<Time> CopyTable::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [key, copy] : copies_) next = earlier(next, copy.deadline);
  return next;
}

void CopyTable::check_invariants() const {
  std::uint64_t bytes = 0;
  std::map<AgentId, std::size_t> loads;
  for (const auto& [key, copy] : copies_) {
    bytes += copy.length;
    ++loads[key.second];
  }
  PROFFER_CHECK(bytes == bytes_, "the bytes under way are not those of the copies");
  PROFFER_CHECK(loads == loads_, "copies to an agent are miscounted");
}

}  // namespace proffer

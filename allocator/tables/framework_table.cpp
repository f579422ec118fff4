#include "allocator/tables/framework_table.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::allocator {

std::vector<LaunchId> FrameworkRecord::launches() const {
  std::vector<LaunchId> launches;
  launches.reserve(tasks.size());
  for (const auto& [task, launch] : tasks) launches.push_back(launch);
  std::sort(launches.begin(), launches.end());
  return launches;
}

FrameworkRecord& FrameworkTable::add(FrameworkId id, LeafId leaf, PeerId brought_by) {
  if (leaf.value >= frameworks_.size()) frameworks_.resize(leaf.value + 1);
  auto& slot = frameworks_[leaf.value];
  PROFFER_CHECK(!slot && !by_id_.contains(id), "a framework is added twice");
  slot = std::make_unique<FrameworkRecord>();
  slot->id = id;
  slot->leaf = leaf;
  slot->brought_by = brought_by;
  brought_.add(brought_by);
  by_id_[id] = leaf;
  return *slot;
}

void FrameworkTable::remove(FrameworkRecord& framework) {
  PROFFER_CHECK(framework.tasks.empty() && framework.offers.empty(),
                "a framework is removed with what it holds");
  by_id_.erase(framework.id);
  brought_.remove(framework.brought_by);
  frameworks_[framework.leaf.value].reset();
}

FrameworkRecord* FrameworkTable::find(FrameworkId id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : frameworks_[found->second.value].get();
}

FrameworkRecord* FrameworkTable::find(LeafId leaf) {
  return leaf.value < frameworks_.size() ? frameworks_[leaf.value].get() : nullptr;
}

FrameworkRecord* FrameworkTable::next_to_forget() {
  FrameworkRecord* next = nullptr;
  for (const auto& [id, leaf] : by_id_) {
    auto& framework = (*this)[leaf];
    if (!framework.give_up_at || !framework.tasks.empty()) continue;
    if (next == nullptr || framework.give_up_at < next->give_up_at) next = &framework;
  }
  return next;
}

FrameworkRecord& FrameworkTable::operator[](LeafId leaf) {
  auto* framework = find(leaf);
  PROFFER_CHECK(framework != nullptr, "no such framework");
  return *framework;
}

const FrameworkRecord& FrameworkTable::operator[](LeafId leaf) const {
  PROFFER_CHECK(leaf.value < frameworks_.size() && frameworks_[leaf.value], "no such framework");
  return *frameworks_[leaf.value];
}

void FrameworkTable::check_invariants() const {
  for (const auto& [id, leaf] : by_id_) {
    const auto& framework = (*this)[leaf];
    PROFFER_CHECK(framework.id == id && framework.leaf == leaf, "a framework under another number");
    PROFFER_CHECK(!framework.removed || (!framework.connected() && !framework.tasks.empty()),
                  "a removed framework stays only for its tasks");
    PROFFER_CHECK(framework.connected() || framework.offers.empty(), "offers outlived their session");
    PROFFER_CHECK(framework.connected() || framework.removed || framework.give_up_at,
                  "a disconnected framework is given up some time");
  }
}

}  // namespace proffer::allocator

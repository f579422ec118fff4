#include "allocator/tables/framework_table.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "proffer/check.hpp"

namespace proffer::allocator {

std::vector<LaunchId> FrameworkRecord::launches() const {
  std::vector<LaunchId> launches;
  launches.reserve(tasks.size());
  for (const auto& [task, launch] : tasks) launches.push_back(launch);
  std::sort(launches.begin(), launches.end());
  return launches;
}

FrameworkRecord& FrameworkTable::add(FrameworkId id, FrameworkIndex index, PeerId brought_by) {
  if (index.value >= frameworks_.size()) frameworks_.resize(index.value + 1);
  auto& slot = frameworks_[index.value];
  PROFFER_CHECK(!slot && !by_id_.contains(id), "a framework is added twice");
  slot = std::make_unique<FrameworkRecord>();
  slot->id = id;
  slot->index = index;
  slot->brought_by = brought_by;
  brought_.add(brought_by);
  by_id_[id] = index;
  return *slot;
}

void FrameworkTable::remove(FrameworkRecord& framework) {
  PROFFER_CHECK(framework.tasks.empty() && framework.offers.empty(),
                "a framework is removed with what it holds");
  by_id_.erase(framework.id);
  brought_.remove(framework.brought_by);
  frameworks_[framework.index.value].reset();
}

const FrameworkRecord* FrameworkTable::find(FrameworkId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : frameworks_[found->second.value].get();
}

FrameworkRecord* FrameworkTable::find(FrameworkId id) {
  return const_cast<FrameworkRecord*>(std::as_const(*this).find(id));
}

FrameworkRecord* FrameworkTable::find(FrameworkIndex index) {
  return index.value < frameworks_.size() ? frameworks_[index.value].get() : nullptr;
}

FrameworkRecord* FrameworkTable::next_to_forget() {
  FrameworkRecord* next = nullptr;
  for (const auto& [id, index] : by_id_) {
    auto& framework = (*this)[index];
    if (!framework.failover.give_up_at || !framework.tasks.empty()) continue;
    if (next == nullptr || framework.failover.give_up_at < next->failover.give_up_at) next = &framework;
  }
  return next;
}

FrameworkRecord& FrameworkTable::operator[](FrameworkIndex index) {
  auto* framework = find(index);
  PROFFER_CHECK(framework != nullptr, "no such framework");
  return *framework;
}

const FrameworkRecord& FrameworkTable::operator[](FrameworkIndex index) const {
  PROFFER_CHECK(index.value < frameworks_.size() && frameworks_[index.value], "no such framework");
  return *frameworks_[index.value];
}

void FrameworkTable::count(const Trace& trace) {
  std::visit(
      [this]<class T>(const T& line) {
        if constexpr (requires(FrameworkCounts& counts) { counts.apply(line); }) {
          auto* framework = find(line.framework);
          // An offer that ends with its session is rescinded from nobody, and so counts as nothing.
          const bool counts =
              framework != nullptr && (framework->connected() || !std::is_same_v<T, OfferRescinded>);
          if (counts) framework->counts.apply(line);
        }
      },
      trace);
}

void FrameworkTable::check_invariants() const {
  for (const auto& [id, index] : by_id_) {
    const auto& framework = (*this)[index];
    PROFFER_CHECK(framework.id == id && framework.index == index, "a framework under another number");
    PROFFER_CHECK(!framework.failover.removed || (!framework.connected() && !framework.tasks.empty()),
                  "a removed framework stays only for its tasks");
    PROFFER_CHECK(framework.connected() || framework.offers.empty(), "offers outlived their session");
    PROFFER_CHECK(framework.connected() || framework.failover.removed || framework.failover.give_up_at,
                  "a disconnected framework is given up some time");
  }
}

}  // namespace proffer::allocator

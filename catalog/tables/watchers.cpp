#include "catalog/tables/watchers.hpp"

#include <iterator>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::catalog {

Watchers::Watcher* Watchers::find_or_add(PeerId peer) {
  if (const auto at = all_.find(peer); at != all_.end()) return &at->second;
  return all_.size() < limits::kFrameworks ? &all_[peer] : nullptr;
}

void Watchers::listed(PeerId peer, BlockId block, Time now) {
  auto* watcher = find_or_add(peer);
  if (watcher == nullptr) return;
  watcher->heard = now;
  if (watcher->all) return;
  watcher->listed.add(block);
  if (watcher->listed.runs().size() <= limits::kItems) return;
  watcher->all = true;
  watcher->listed = {};
}

void Watchers::heard(PeerId peer, Time now) {
  const bool is_new = !all_.contains(peer);
  auto* watcher = find_or_add(peer);
  if (watcher == nullptr) return;
  watcher->heard = now;
  watcher->all |= is_new;
  watcher->reports = true;
  if (!watcher->changed.empty()) waiting_.insert(peer);
}

void Watchers::read(PeerId peer, BlockId block) {
  const auto at = all_.find(peer);
  if (at != all_.end() && !at->second.listed.has(block)) at->second.all = true;
}

void Watchers::forget(PeerId peer) {
  all_.erase(peer);
  waiting_.erase(peer);
}

void Watchers::expire(Time before) {
  for (auto at = all_.begin(); at != all_.end();) {
    const bool is_over = at->second.heard < before;
    if (is_over) waiting_.erase(at->first);
    at = is_over ? all_.erase(at) : std::next(at);
  }
}

const std::set<PeerId>& Watchers::distribute_changes() {
  if (changed_.empty()) return waiting_;
  const auto changed = std::exchange(changed_, {});
  for (auto& [peer, watcher] : all_) {
    if (watcher.all) watcher.changed.insert(changed.begin(), changed.end());
    for (const auto& [first, last] : watcher.listed.runs()) {
      watcher.changed.insert(changed.lower_bound(first), changed.upper_bound(last));
    }
    if (watcher.reports && !watcher.changed.empty()) waiting_.insert(peer);
  }
  return waiting_;
}

void Watchers::begin_beat() {
  for (auto& [peer, watcher] : all_) watcher.bytes = 0;
}

}  // namespace proffer::catalog

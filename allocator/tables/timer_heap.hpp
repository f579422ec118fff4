// Deadlines in order of time. A void entry is not searched for: its owner says that it is void when it comes
// to the top, which costs nothing while it lies deeper. When there may be more void entries than others, all
// are looked at, so a heap holds at most twice as many entries as are wanted, and a few.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::allocator {

template <class Key>
class TimerHeap {
 public:
  void push(Time at, Key key) {
    entries_.push_back({at, next_++, std::move(key)});
    std::push_heap(entries_.begin(), entries_.end(), later);
  }

  /// Drops entries at the top for which `wanted(at, key)` is false, for good. To be called before next() is
  /// believed.
  template <class Wanted>
  void settle(const Wanted& wanted) {
    if (entries_.size() > most_) sift(wanted);
    while (!entries_.empty() && !wanted(entries_.front().at, entries_.front().key)) pop();
  }
  std::optional<Time> next() const {
    if (entries_.empty()) return {};
    return entries_.front().at;
  }
  /// Takes out the first entry that is due and wanted; of one instant, the one that was pushed first.
  template <class Wanted>
  std::optional<Key> pop_due(Time now, const Wanted& wanted) {
    settle(wanted);
    if (entries_.empty() || entries_.front().at > now) return {};
    return pop();
  }
  std::size_t size() const { return entries_.size(); }

 private:
  static constexpr std::size_t kFew = 64;
  struct Entry {
    Time at;
    std::uint64_t number = 0;
    Key key;
  };
  template <class Wanted>
  void sift(const Wanted& wanted) {
    std::erase_if(entries_, [&](const Entry& entry) { return !wanted(entry.at, entry.key); });
    std::make_heap(entries_.begin(), entries_.end(), later);
    most_ = std::max(kFew, 2 * entries_.size());
  }
  static bool later(const Entry& a, const Entry& b) {
    return std::tie(a.at, a.number) > std::tie(b.at, b.number);
  }
  Key pop() {
    std::pop_heap(entries_.begin(), entries_.end(), later);
    auto key = std::move(entries_.back().key);
    entries_.pop_back();
    return key;
  }

  std::vector<Entry> entries_;
  std::size_t most_ = kFew;  ///< entries before they are sifted
  std::uint64_t next_ = 0;
};

}  // namespace proffer::allocator

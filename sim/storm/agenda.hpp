// The things that are to happen in a storm, in the order (time, number): those of one instant in the order in
// which they were put there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::sim::storm {

class Agenda {
 public:
  using Task = std::function<void()>;

  Time now() const { return now_; }
  void at(Time time, Task task) {
    heap_.push_back({std::max(time, now_), next_++, std::move(task)});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  void after(Duration delay, Task task) { at(now_ + delay, std::move(task)); }

  /// Does the first thing that is due until then, and moves the clock there. False: there is none, and the
  /// clock stands at `until`.
  bool run_one(Time until) {
    if (heap_.empty() || heap_.front().at > until) {
      now_ = std::max(now_, until);
      return false;
    }
    std::pop_heap(heap_.begin(), heap_.end(), later);
    auto entry = std::move(heap_.back());
    heap_.pop_back();
    now_ = entry.at;
    entry.task();
    return true;
  }

 private:
  struct Entry {
    Time at;
    std::uint64_t number;
    Task task;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }

  Time now_ = time_from_us(1'000'000);
  std::vector<Entry> heap_;
  std::uint64_t next_ = 0;
};

}  // namespace proffer::sim::storm

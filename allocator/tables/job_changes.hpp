// Requests of operators that wait for the answers of frameworks. Invariants: numbers are never used twice,
// and the first request is the first that is due.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "proffer/check.hpp"
#include "proffer/ids.hpp"
#include "proffer/machine.hpp"

namespace proffer::allocator {

class JobChanges {
 public:
  struct Open {
    PeerId asker;
    std::uint64_t request = 0;  ///< the asker's number
    FrameworkId framework;
    Time due;
  };

  /// Returns the number under which the framework is asked. Aborts when an earlier request is due later.
  std::uint64_t open(Open change) {
    PROFFER_CHECK(open_.empty() || open_.rbegin()->second.due <= change.due,
                  "changes of jobs are out of order");
    open_.emplace(++newest_, std::move(change));
    return newest_;
  }
  /// Ends a request. Returns none when that framework was not asked under that number, or has answered.
  std::optional<Open> answered(std::uint64_t number, FrameworkId framework) {
    const auto at = open_.find(number);
    if (at == open_.end() || at->second.framework != framework) return {};
    return remove(at);
  }
  /// Ends one request that the framework has not answered.
  std::optional<Open> pop_of(FrameworkId framework) {
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      if (at->second.framework == framework) return remove(at);
    }
    return {};
  }
  std::optional<Open> pop_due(Time now) {
    if (open_.empty() || open_.begin()->second.due > now) return {};
    return remove(open_.begin());
  }
  std::optional<Time> next_due() const {
    if (open_.empty()) return {};
    return open_.begin()->second.due;
  }
  std::size_t size() const { return open_.size(); }
  const std::map<std::uint64_t, Open>& all() const { return open_; }

 private:
  Open remove(std::map<std::uint64_t, Open>::iterator at) { return std::move(open_.extract(at).mapped()); }

  std::map<std::uint64_t, Open> open_;
  std::uint64_t newest_ = 0;
};

}  // namespace proffer::allocator

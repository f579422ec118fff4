// The answers to RECONCILE that one framework may ask for in a second: each costs as many steps as it has
// tasks.
#pragma once

#include <chrono>
#include <cstddef>

#include "proffer/limits.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

class ReconcileBudget {
 public:
  /// Returns whether an answer about so many tasks may be given now, and counts it. The first of a second
  /// always may, or a framework with very many tasks would never hear of them.
  bool take(std::size_t tasks, Time now) {
    if (now >= since_ + std::chrono::seconds(1)) {
      since_ = now;
      spent_ = 0;
    }
    if (spent_ > 0 && spent_ + tasks + kEach > limits::kReconciledTasksPerSecond) return false;
    spent_ += tasks + kEach;
    return true;
  }

 private:
  static constexpr std::size_t kEach = 64;  ///< the cost of a question that names nothing
  Time since_{};
  std::size_t spent_ = 0;
};

}  // namespace proffer::allocator

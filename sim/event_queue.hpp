// What is going to happen, in the order (time, number): events of one instant in the order in which they were
// caused. Small entries only: what they stand for is kept by whoever pushed them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::sim {

enum class What : std::uint8_t {
  message,     ///< `id`: in the network's keeping
  wake,        ///< `id`: a node, whose deadline this may be
  run_phase,   ///< `id`: a run, `version`: of its phase
  flow_end,    ///< `id`: a flow, `version`: of its rate
  submission,  ///< `id`: a job
  node_start,  ///< `id`: a node's first step
  fault,       ///< `id`: of the plan's, `version`: 0 when it begins, 1 when it is over
};

struct Happening {
  Time at;
  std::uint64_t number = 0;
  std::uint32_t id = 0;
  std::uint32_t version = 0;
  What what = What::wake;
};

class EventQueue {
 public:
  void push(Time at, What what, std::uint32_t id, std::uint32_t version = 0) {
    heap_.push_back({at, next_++, id, version, what});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  std::optional<Time> next() const {
    if (heap_.empty()) return {};
    return heap_.front().at;
  }
  /// Aborts (undefined) on an empty queue: look at next() first.
  Happening pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const auto first = heap_.back();
    heap_.pop_back();
    return first;
  }

 private:
  static bool later(const Happening& a, const Happening& b) {
    return a.at != b.at ? a.at > b.at : a.number > b.number;
  }
  std::vector<Happening> heap_;
  std::uint64_t next_ = 0;
};

}  // namespace proffer::sim

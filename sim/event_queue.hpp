// The happenings to come, in the order (time, number): those of one instant in the order in which they were
// caused. Entries are small: whoever pushes one keeps the thing that it stands for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::sim {

enum class What : std::uint8_t {
  message,     ///< a message arrives. `id`: its number in the network
  wake,        ///< a node's deadline may have come. `id`: the node
  run_phase,   ///< a phase of a run is over. `id`: the run, `version`: the run's
  flow_end,    ///< a flow may have ended. `id`: the flow, `version`: of its rate
  submission,  ///< a job is submitted. `id`: its number in the workload
  node_start,  ///< a node takes its first step. `id`: the node
  fault,       ///< a fault begins or ends. `id`: its number in the plan, `version`: 0 begin, 1 end
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
  /// Returns the time of the first happening; none: there is none.
  std::optional<Time> next() const {
    if (heap_.empty()) return {};
    return heap_.front().at;
  }
  /// Takes the first happening; undefined on an empty queue.
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

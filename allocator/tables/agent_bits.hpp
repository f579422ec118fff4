// A set of agents as one bit each, for questions that are asked of every agent in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "allocator/tables/indices.hpp"

namespace proffer::allocator {

class AgentBits {
 public:
  bool contains(AgentIndex agent) const {
    const auto word = agent.value / kBits;
    return word < words_.size() && (words_[word] >> agent.value % kBits & 1) != 0;
  }
  void insert(AgentIndex agent) {
    const auto word = agent.value / kBits;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << agent.value % kBits;
  }
  void erase(AgentIndex agent) {
    const auto word = agent.value / kBits;
    if (word < words_.size()) words_[word] &= ~(std::uint64_t{1} << agent.value % kBits);
  }
  void clear() { words_.clear(); }

 private:
  static constexpr std::uint32_t kBits = 64;
  std::vector<std::uint64_t> words_;
};

}  // namespace proffer::allocator

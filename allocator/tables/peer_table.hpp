// The agent or framework that speaks through each connection. A peer speaks for one of them at most.
#pragma once

#include <unordered_map>
#include <variant>

#include "allocator/tables/indices.hpp"
#include "proffer/ids.hpp"

namespace proffer::allocator {

/// An agent or a framework; std::monostate: nobody.
using Speaker = std::variant<std::monostate, AgentIndex, FrameworkIndex>;

class PeerTable {
 public:
  void bind(PeerId peer, Speaker speaker) { speakers_[peer.value] = speaker; }
  void release(PeerId peer) { speakers_.erase(peer.value); }
  Speaker find(PeerId peer) const {
    const auto found = speakers_.find(peer.value);
    return found == speakers_.end() ? Speaker{} : found->second;
  }
  std::size_t size() const { return speakers_.size(); }

 private:
  std::unordered_map<std::uint64_t, Speaker> speakers_;
};

}  // namespace proffer::allocator

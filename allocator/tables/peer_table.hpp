// The agent or framework that speaks through each connection. A peer speaks for one of them at most.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "allocator/tables/indices.hpp"
#include "proffer/ids.hpp"

namespace proffer::allocator {

/// An agent or a framework; std::monostate: nobody.
using Speaker = std::variant<std::monostate, AgentIndex, FrameworkIndex>;

class PeerTable {
 public:
  void bind(PeerId peer, Speaker speaker) {
    ousted_.erase(peer.value);
    speakers_[peer.value] = speaker;
  }
  void release(PeerId peer) { speakers_.erase(peer.value); }
  Speaker find(PeerId peer) const {
    const auto found = speakers_.find(peer.value);
    return found == speakers_.end() ? Speaker{} : found->second;
  }
  /// Notes that another process has taken the id of the one that speaks through this connection.
  void oust(PeerId peer) {
    release(peer);
    ousted_.insert(peer.value);
  }
  bool is_ousted(PeerId peer) const { return ousted_.contains(peer.value); }
  /// Forgets a connection that has ended.
  void forget(PeerId peer) { ousted_.erase(peer.value); }
  std::size_t size() const { return speakers_.size(); }

 private:
  std::unordered_map<std::uint64_t, Speaker> speakers_;
  std::unordered_set<std::uint64_t> ousted_;  // never iterated
};

}  // namespace proffer::allocator

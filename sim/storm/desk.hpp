// The desk of an operator, with a connection of its own to the allocator that nothing disturbs: changes of
// agents, and looks at the state of the cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "proffer/machine.hpp"
#include "proffer/messages/admin.hpp"
#include "sim/storm/agenda.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

class Desk {
 public:
  /// Hands an event to the allocator, if it is there.
  using Deliver = std::function<void(Event)>;
  Desk(Agenda& agenda, Record& record, Deliver deliver)
      : agenda_(agenda), record_(record), deliver_(std::move(deliver)) {}

  /// The connections of operators have these numbers.
  static bool is_mine(PeerId peer) { return peer.value >= kPeers; }
  void receive(const Envelope& envelope);

  /// Asks until it is answered. `done`: true when the allocator has done it.
  void change(const std::string& agent, const std::string& verb, std::optional<Duration> kill_after,
              std::function<void(bool)> done);
  void look();
  /// The newest answer to look(), and when it came.
  const std::optional<ClusterState>& seen() const { return seen_; }
  Time seen_at() const { return seen_at_; }

 private:
  static constexpr std::uint64_t kPeers = 1ull << 40;
  struct Request {
    ChangeAgent message;
    std::function<void(bool)> done;
  };
  void ask(std::uint64_t request);
  void close(std::uint64_t request, bool done);

  Agenda& agenda_;
  Record& record_;
  Deliver deliver_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Request> open_;
  std::optional<ClusterState> growing_;
  std::optional<ClusterState> seen_;
  Time seen_at_{};
};

}  // namespace proffer::sim::storm

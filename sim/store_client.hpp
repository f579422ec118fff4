// The workers of all nodes as clients of the catalog, over one connection: it says for them what is to be
// said about the outputs that they write.
#pragma once

#include "sim/node.hpp"
#include "sim/output_writes.hpp"

namespace proffer::sim {

class StoreClient final : public Node {
 public:
  explicit StoreClient(OutputWrites& writes) : Node("workers"), writes_(writes) {}

  void step(const Event& event, Actions& actions, Time now) override;
  std::optional<Time> next_deadline() const override;
  void check_invariants() const override {}

 private:
  void send(Actions& actions, Message message) const;
  /// Greets the catalog when there is something to ask, again and again until it answers.
  void greet(Actions& actions, Time now);

  OutputWrites& writes_;
  std::optional<SessionId> session_;  ///< none: nothing is asked until the catalog has answered a greeting
  Time greet_at_{};                   ///< the catalog is not greeted before
};

}  // namespace proffer::sim

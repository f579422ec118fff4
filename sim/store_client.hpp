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
  std::optional<Time> next_deadline() const override { return writes_.next_deadline(); }
  void check_invariants() const override {}

 private:
  void send(Actions& actions, Message message) const;

  OutputWrites& writes_;
  bool greeted_ = false;
  SessionId session_ = {};  ///< 0 until the catalog has named it
};

}  // namespace proffer::sim

// A machine on the virtual clock, whatever its role.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "proffer/machine.hpp"
#include "proffer/result.hpp"

namespace proffer::sim {

using NodeNo = std::uint32_t;

class Node {
 public:
  explicit Node(std::string source) : source_(std::move(source)) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  virtual void step(const Event& event, Actions& actions, Time now) = 0;
  virtual std::optional<Time> next_deadline() const = 0;
  virtual void check_invariants() const = 0;
  /// Returns why the node can never take part; null: nobody has said that it cannot.
  virtual const Error* refusal() const { return nullptr; }

  const std::string& source() const { return source_; }
  std::uint64_t next_line() { return ++lines_; }

  /// The earliest wake of the node that is on the queue.
  std::optional<Time> wake_at;

 private:
  std::string source_;  ///< the source that its trace lines name
  std::uint64_t lines_ = 0;
};

/// An event that has arrived at a node and is not handed over yet; the inbox has them in order.
struct Arrival {
  NodeNo to = 0;
  Event event;
};
using Inbox = std::deque<Arrival>;

template <Machine M>
class MachineNode final : public Node {
 public:
  template <class... Args>
  explicit MachineNode(std::string source, Args&&... args)
      : Node(std::move(source)), machine(std::forward<Args>(args)...) {}

  void step(const Event& event, Actions& actions, Time now) override { machine.step(event, actions, now); }
  std::optional<Time> next_deadline() const override { return machine.next_deadline(); }
  void check_invariants() const override { machine.check_invariants(); }

  M machine;
};

}  // namespace proffer::sim

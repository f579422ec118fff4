// The unlaunched tasks of one job and one kind, found by how near they are to an agent. Nothing here scans
// tasks: queues by node and by rack hold numbers of tasks in order of arrival, and forget dead ones when they
// come to the front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "proffer/frameworks/task_pool.hpp"
#include "proffer/ids.hpp"
#include "proffer/topology.hpp"

namespace proffer::frameworks {

class TaskIndex {
 public:
  /// A task that was taken out.
  struct Taken {
    PendingTask task;
    Locality locality = Locality::any;
    bool preferred = false;  ///< the task preferred some place, this one or another
  };

  /// Adds a task after all others. Aborts on an id that is already waiting here.
  void add(PendingTask task);
  /// Takes back a task; none when no such task waits.
  std::optional<PendingTask> remove(const TaskId& task);
  /// Has a task prefer these places from now on; it keeps its place among the others. True when a node is
  /// among them that it did not prefer before; none when no such task waits.
  std::optional<bool> prefer(const TaskId& task, std::vector<AgentId> nodes, std::vector<std::string> racks);
  /// Has tasks without a place of their own prefer these agents from now on, also tasks that come later. True
  /// when an agent is among them that was not, and such a task waits.
  bool prefer_all(std::vector<AgentId> nodes);
  /// The agents that a task of this index prefers, prefer_all() included.
  std::span<const AgentId> nodes_of(const PendingTask& task) const;
  /// The distance of the nearest task to that agent; none when there is no task.
  std::optional<Locality> nearest(const AgentInfo& agent) const;
  /// Takes out the nearest task; of several the one that came first. Aborts when there is none.
  Taken take_nearest(const AgentInfo& agent);
  /// Takes out the task of that id. Aborts when there is none.
  Taken take(const TaskId& task, const AgentInfo& agent);
  /// Visits the first `most` tasks, in order of arrival, of those at `within` or nearer on that agent. Where
  /// tasks with places of their own are, the others that are near only by prefer_all are left out.
  void each(const AgentInfo& agent, Locality within, std::size_t most,
            const std::function<void(const PendingTask&)>& visit);

  std::size_t size() const { return tasks_.size(); }
  bool has_preferences() const { return preferring_ > 0 || (placeless_.live > 0 && !for_all_.empty()); }
  /// The number of agents that some task here prefers.
  std::size_t preferred_agents() const;
  void check_invariants() const;

 private:
  using Number = std::uint64_t;
  struct Queue {
    std::vector<Number> numbers;  // in order of arrival; some may be of tasks that are gone
    std::size_t head = 0;         // everything before it is gone
    std::size_t live = 0;
  };
  struct AgentHash {
    std::size_t operator()(const AgentId& id) const {
      return id.value.hi ^ (id.value.lo * 0x9e3779b97f4a7c15u);
    }
  };

  /// Counts a task among those with a place of their own, or without.
  void count(const PendingTask& task, Number number);
  void uncount(const PendingTask& task, Number number);
  Number front(Queue& queue) const;
  /// Forgets numbers of tasks that are gone, when most are.
  void tidy(Queue& queue) const;
  bool is_for_all(AgentId agent) const;
  Queue& nearest_queue(const AgentInfo& agent, Locality locality);
  Locality distance(const PendingTask& task, const AgentInfo& agent) const;
  Queue* queue_of(const AgentInfo& agent, Locality within);
  Taken take_number(Number number, const AgentInfo& agent);
  PendingTask take_out(Number number);
  template <class Queues, class Key>
  static void enqueue(Queues& queues, const Key& key, Number number);
  template <class Queues, class Key>
  static void one_less(Queues& queues, const Key& key);
  template <class Queues, class Keys>
  static bool requeue(Queues& queues, const Keys& before, const Keys& after, Number number);

  Number next_ = 0;
  std::size_t preferring_ = 0;
  Queue all_;
  Queue placeless_;               // tasks without a place of their own
  std::vector<AgentId> for_all_;  // the agents that placeless tasks prefer; sorted
  // Only ever looked up by key, never iterated where order could matter.
  std::unordered_map<Number, PendingTask> tasks_;
  std::unordered_map<std::string, Number> numbers_;
  std::unordered_map<AgentId, Queue, AgentHash> by_node_;
  std::unordered_map<std::string, Queue> by_rack_;
};

}  // namespace proffer::frameworks

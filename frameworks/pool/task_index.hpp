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

namespace proffer {

class TaskIndex {
 public:
  struct Taken {
    PendingTask task;
    Locality locality = Locality::any;
    bool preferred = false;  ///< it preferred some place, this one or another
  };

  /// Aborts on an id that is already waiting here.
  void add(PendingTask task);
  /// None when no such task waits.
  std::optional<PendingTask> remove(const TaskId& task);
  /// The task prefers these places from now on, and keeps its place among the others. Whether a node is among
  /// them that it did not prefer before; none when no such task waits.
  std::optional<bool> prefer(const TaskId& task, std::vector<AgentId> nodes, std::vector<std::string> racks);
  /// Tasks without a place of their own prefer these agents from now on, also those that come later. Whether
  /// one is among them that was not, and a task waits for which that is so.
  bool prefer_all(std::vector<AgentId> nodes);
  /// What a task of this index prefers, with that.
  std::span<const AgentId> nodes_of(const PendingTask& task) const;
  /// The nearest a task would be on that agent; none when there is no task.
  std::optional<Locality> nearest(const AgentInfo& agent) const;
  /// Takes out the nearest task; of several the one that came first. Aborts when there is none.
  Taken take_nearest(const AgentInfo& agent);
  /// Takes out that one. Aborts when there is none of that id.
  Taken take(const TaskId& task, const AgentInfo& agent);
  /// The first `most` tasks, in order of arrival, of those at `within` or nearer on that agent. Where tasks
  /// with places of their own are, the others that are near only by prefer_all are left out.
  void each(const AgentInfo& agent, Locality within, std::size_t most,
            const std::function<void(const PendingTask&)>& visit);

  std::size_t size() const { return tasks_.size(); }
  bool has_preferences() const { return preferring_ > 0 || (placeless_.live > 0 && !for_all_.empty()); }
  /// Agents that some task here prefers.
  std::size_t preferred_agents() const;
  void check_invariants() const;

 private:
  using Number = std::uint64_t;
  struct Queue {
    std::vector<Number> numbers;  // in order of arrival; may name tasks that are gone
    std::size_t head = 0;         // everything before it is gone
    std::size_t live = 0;
  };
  struct AgentHash {
    std::size_t operator()(const AgentId& id) const {
      return id.value.hi ^ (id.value.lo * 0x9e3779b97f4a7c15u);
    }
  };

  /// Among tasks with a place of their own, or without.
  void count(const PendingTask& task, Number number);
  void uncount(const PendingTask& task, Number number);
  Number front(Queue& queue) const;
  /// Forgets what is gone, when that is most of it.
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
  std::vector<AgentId> for_all_;  // what these prefer; sorted
  // Only ever looked up by key, never iterated where order could matter.
  std::unordered_map<Number, PendingTask> tasks_;
  std::unordered_map<std::string, Number> numbers_;
  std::unordered_map<AgentId, Queue, AgentHash> by_node_;
  std::unordered_map<std::string, Queue> by_rack_;
};

}  // namespace proffer

#include "frameworks/task_index.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool prefers(const PendingTask& task) { return !task.nodes.empty() || !task.racks.empty(); }

Locality distance(const PendingTask& task, const AgentInfo& agent) {
  if (std::binary_search(task.nodes.begin(), task.nodes.end(), agent.id)) return Locality::node;
  if (std::binary_search(task.racks.begin(), task.racks.end(), agent.rack)) return Locality::rack;
  return Locality::any;
}

}  // namespace

template <class Queues, class Key>
void TaskIndex::enqueue(Queues& queues, const Key& key, Number number) {
  auto& queue = queues[key];
  queue.numbers.push_back(number);
  ++queue.live;
}

template <class Queues, class Key>
void TaskIndex::one_less(Queues& queues, const Key& key) {
  const auto at = queues.find(key);
  PROFFER_CHECK(at != queues.end() && at->second.live > 0, "a place lost more tasks than it had");
  if (--at->second.live == 0) queues.erase(at);
}

void TaskIndex::add(PendingTask task) {
  sort_unique(task.nodes);
  sort_unique(task.racks);
  const auto number = next_++;
  const bool fresh = numbers_.emplace(task.id.value, number).second;
  PROFFER_CHECK(fresh, "a task waits already under that id");
  for (const auto& node : task.nodes) enqueue(by_node_, node, number);
  for (const auto& rack : task.racks) enqueue(by_rack_, rack, number);
  all_.numbers.push_back(number);
  ++all_.live;
  if (prefers(task)) ++preferring_;
  tasks_.emplace(number, std::move(task));
}

std::optional<PendingTask> TaskIndex::remove(const TaskId& task) {
  const auto at = numbers_.find(task.value);
  if (at == numbers_.end()) return {};
  return take_out(at->second);
}

/// From the queues of places that it prefers no more into those that are new; whether any is.
template <class Queues, class Keys>
bool TaskIndex::requeue(Queues& queues, const Keys& before, const Keys& after, Number number) {
  for (const auto& key : before) {
    if (std::binary_search(after.begin(), after.end(), key)) continue;
    auto& queue = queues.at(key);
    queue.numbers.erase(std::lower_bound(queue.numbers.begin(), queue.numbers.end(), number));
    queue.head = 0;
    one_less(queues, key);
  }
  bool any_new = false;
  for (const auto& key : after) {
    if (std::binary_search(before.begin(), before.end(), key)) continue;
    auto& queue = queues[key];
    queue.numbers.insert(std::lower_bound(queue.numbers.begin(), queue.numbers.end(), number), number);
    queue.head = 0;
    ++queue.live;
    any_new = true;
  }
  return any_new;
}

std::optional<bool> TaskIndex::prefer(const TaskId& id, std::vector<AgentId> nodes,
                                      std::vector<std::string> racks) {
  const auto at = numbers_.find(id.value);
  if (at == numbers_.end()) return {};
  sort_unique(nodes);
  sort_unique(racks);
  auto& task = tasks_.at(at->second);
  if (prefers(task)) --preferring_;
  const bool nearer = requeue(by_node_, task.nodes, nodes, at->second);
  requeue(by_rack_, task.racks, racks, at->second);
  task.nodes = std::move(nodes);
  task.racks = std::move(racks);
  if (prefers(task)) ++preferring_;
  return nearer;
}

PendingTask TaskIndex::take_out(Number number) {
  const auto at = tasks_.find(number);
  PROFFER_CHECK(at != tasks_.end(), "only a waiting task can be taken out");
  auto task = std::move(at->second);
  tasks_.erase(at);
  numbers_.erase(task.id.value);
  for (const auto& node : task.nodes) one_less(by_node_, node);
  for (const auto& rack : task.racks) one_less(by_rack_, rack);
  if (--all_.live == 0) all_ = {};
  if (prefers(task)) --preferring_;
  return task;
}

TaskIndex::Number TaskIndex::front(Queue& queue) const {
  while (queue.head < queue.numbers.size() && !tasks_.contains(queue.numbers[queue.head])) ++queue.head;
  PROFFER_CHECK(queue.head < queue.numbers.size(), "a queue promised a task that it does not have");
  return queue.numbers[queue.head];
}

std::optional<Locality> TaskIndex::nearest(const AgentInfo& agent) const {
  if (tasks_.empty()) return {};
  if (by_node_.contains(agent.id)) return Locality::node;
  if (by_rack_.contains(agent.rack)) return Locality::rack;
  return Locality::any;
}

TaskIndex::Taken TaskIndex::take_nearest(const AgentInfo& agent) {
  const auto locality = nearest(agent);
  PROFFER_CHECK(locality.has_value(), "no task to take");
  auto& queue = *locality == Locality::node   ? by_node_.at(agent.id)
                : *locality == Locality::rack ? by_rack_.at(agent.rack)
                                              : all_;
  auto taken = take_number(front(queue), agent);
  taken.locality = *locality;
  return taken;
}

TaskIndex::Taken TaskIndex::take(const TaskId& task, const AgentInfo& agent) {
  const auto at = numbers_.find(task.value);
  PROFFER_CHECK(at != numbers_.end(), "no such task to take");
  return take_number(at->second, agent);
}

TaskIndex::Taken TaskIndex::take_number(Number number, const AgentInfo& agent) {
  Taken taken{take_out(number)};
  taken.locality = distance(taken.task, agent);
  taken.preferred = prefers(taken.task);
  return taken;
}

void TaskIndex::each(const AgentInfo& agent, Locality within, std::size_t most,
                     const std::function<void(const PendingTask&)>& visit) {
  auto* queue = queue_of(agent, within);
  if (queue == nullptr) return;
  tidy(*queue);
  for (auto i = queue->head; i < queue->numbers.size() && most > 0; ++i) {
    const auto at = tasks_.find(queue->numbers[i]);
    if (at == tasks_.end()) continue;
    visit(at->second);
    --most;
  }
}

TaskIndex::Queue* TaskIndex::queue_of(const AgentInfo& agent, Locality within) {
  if (within == Locality::any) return &all_;
  if (within == Locality::rack) {
    const auto at = by_rack_.find(agent.rack);
    return at == by_rack_.end() ? nullptr : &at->second;
  }
  const auto at = by_node_.find(agent.id);
  return at == by_node_.end() ? nullptr : &at->second;
}

void TaskIndex::tidy(Queue& queue) const {
  if (queue.numbers.size() - queue.head <= 2 * queue.live + 8) return;
  std::erase_if(queue.numbers, [this](Number number) { return !tasks_.contains(number); });
  queue.head = 0;
}

void TaskIndex::check_invariants() const {
  std::size_t preferring = 0;
  std::size_t in_nodes = 0;
  std::size_t in_racks = 0;
  for (const auto& [number, task] : tasks_) {
    preferring += prefers(task) ? 1 : 0;
    in_nodes += task.nodes.size();
    in_racks += task.racks.size();
    PROFFER_CHECK(numbers_.at(task.id.value) == number, "a task and its number disagree");
  }
  for (const auto& [node, queue] : by_node_) in_nodes -= queue.live;
  for (const auto& [rack, queue] : by_rack_) in_racks -= queue.live;
  PROFFER_CHECK(in_nodes == 0 && in_racks == 0, "places and tasks disagree");
  PROFFER_CHECK(preferring == preferring_, "tasks with a preference are miscounted");
  PROFFER_CHECK(all_.live == tasks_.size() && numbers_.size() == tasks_.size(),
                "waiting tasks are miscounted");
}

}  // namespace proffer

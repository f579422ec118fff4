#include "frameworks/pool/task_index.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::frameworks {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool prefers(const PendingTask& task) { return !task.nodes.empty() || !task.racks.empty(); }

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

Locality TaskIndex::distance(const PendingTask& task, const AgentInfo& agent) const {
  const auto nodes = nodes_of(task);
  if (std::binary_search(nodes.begin(), nodes.end(), agent.id)) return Locality::node;
  if (std::binary_search(task.racks.begin(), task.racks.end(), agent.rack)) return Locality::rack;
  return Locality::any;
}

std::span<const AgentId> TaskIndex::nodes_of(const PendingTask& task) const {
  return prefers(task) ? task.nodes : for_all_;
}

bool TaskIndex::is_for_all(AgentId agent) const {
  return placeless_.live > 0 && std::binary_search(for_all_.begin(), for_all_.end(), agent);
}

bool TaskIndex::prefer_all(std::vector<AgentId> nodes) {
  sort_unique(nodes);
  const bool known = std::includes(for_all_.begin(), for_all_.end(), nodes.begin(), nodes.end());
  for_all_ = std::move(nodes);
  return !known && placeless_.live > 0;
}

std::size_t TaskIndex::preferred_agents() const {
  if (placeless_.live == 0) return by_node_.size();
  const auto is_new = [this](AgentId agent) { return !by_node_.contains(agent); };
  return by_node_.size() + static_cast<std::size_t>(std::count_if(for_all_.begin(), for_all_.end(), is_new));
}

void TaskIndex::count(const PendingTask& task, Number number) {
  if (prefers(task)) {
    ++preferring_;
    return;
  }
  ++placeless_.live;
  auto& numbers = placeless_.numbers;
  if (numbers.empty() || numbers.back() < number) return numbers.push_back(number);
  numbers.insert(std::lower_bound(numbers.begin(), numbers.end(), number), number);
  placeless_.head = 0;
}

void TaskIndex::uncount(const PendingTask& task, Number number) {
  if (prefers(task)) {
    --preferring_;
    return;
  }
  std::erase(placeless_.numbers, number);
  placeless_.head = 0;
  --placeless_.live;
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
  count(task, number);
  tasks_.emplace(number, std::move(task));
}

std::optional<PendingTask> TaskIndex::remove(const TaskId& task) {
  const auto at = numbers_.find(task.value);
  if (at == numbers_.end()) return {};
  return take_out(at->second);
}

/// Moves a task from the queues of places that it prefers no more into those that are new; true when any is.
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
  uncount(task, at->second);
  const bool nearer = requeue(by_node_, task.nodes, nodes, at->second);
  requeue(by_rack_, task.racks, racks, at->second);
  task.nodes = std::move(nodes);
  task.racks = std::move(racks);
  count(task, at->second);
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
  if (prefers(task)) {
    --preferring_;
  } else if (--placeless_.live == 0) {
    placeless_ = {};
  }
  return task;
}

TaskIndex::Number TaskIndex::front(Queue& queue) const {
  while (queue.head < queue.numbers.size() && !tasks_.contains(queue.numbers[queue.head])) ++queue.head;
  PROFFER_CHECK(queue.head < queue.numbers.size(), "a queue promised a task that it does not have");
  return queue.numbers[queue.head];
}

std::optional<Locality> TaskIndex::nearest(const AgentInfo& agent) const {
  if (tasks_.empty()) return {};
  if (by_node_.contains(agent.id) || is_for_all(agent.id)) return Locality::node;
  if (by_rack_.contains(agent.rack)) return Locality::rack;
  return Locality::any;
}

TaskIndex::Queue& TaskIndex::nearest_queue(const AgentInfo& agent, Locality locality) {
  if (locality != Locality::node) return locality == Locality::rack ? by_rack_.at(agent.rack) : all_;
  const auto own = by_node_.find(agent.id);
  if (!is_for_all(agent.id)) return own->second;
  const bool is_first = own != by_node_.end() && front(own->second) < front(placeless_);
  return is_first ? own->second : placeless_;
}

TaskIndex::Taken TaskIndex::take_nearest(const AgentInfo& agent) {
  const auto locality = nearest(agent);
  PROFFER_CHECK(locality.has_value(), "no task to take");
  auto taken = take_number(front(nearest_queue(agent, *locality)), agent);
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
  taken.preferred = prefers(taken.task) || !for_all_.empty();
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
  auto* const placeless = is_for_all(agent.id) ? &placeless_ : nullptr;
  if (within == Locality::rack) {
    const auto at = by_rack_.find(agent.rack);
    return at == by_rack_.end() ? placeless : &at->second;
  }
  const auto at = by_node_.find(agent.id);
  return at == by_node_.end() ? placeless : &at->second;
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
  PROFFER_CHECK(preferring == preferring_ && placeless_.live == tasks_.size() - preferring,
                "tasks with a preference are miscounted");
  PROFFER_CHECK(all_.live == tasks_.size() && numbers_.size() == tasks_.size(),
                "waiting tasks are miscounted");
}

}  // namespace proffer::frameworks

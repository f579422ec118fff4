#include "agent/status_outbox.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::agent {
namespace {

constexpr int kPerSecond = 500;

Duration jittered(Duration delay, Random& random) {
  return delay * (80 + static_cast<std::int64_t>(random.below(41))) / 100;
}

}  // namespace

void StatusOutbox::schedule(Queues::iterator queue, Time due) {
  due_.erase({queue->second.due, queue->first});
  queue->second.due = due;
  due_.insert({due, queue->first});
}

void StatusOutbox::begin_head(Queues::iterator queue, Time due) {
  queue->second.sent = false;
  queue->second.delay = first_;
  schedule(queue, is_terminal(queue->second.statuses.front().status.state) ? std::max(due, report_) : due);
}

/// Drops a first status that was sent in vain, once another waits behind it: a framework that does not
/// acknowledge must not keep the allocator from hearing of an end, which frees slots.
void StatusOutbox::supersede(Queues::iterator queue) {
  auto& [statuses, sent, delay, at] = queue->second;
  if (!sent || statuses.size() == 1 || is_terminal(statuses.front().status.state)) return;
  statuses.pop_front();
  delay = first_;
}

void StatusOutbox::push(Status status, Time now) {
  const TaskKey key{status.status.framework, status.status.task};
  const auto [queue, is_new] = queues_.try_emplace(key);
  auto& statuses = queue->second.statuses;
  PROFFER_CHECK(is_new || statuses.back().status.seq < status.status.seq, "a status number fell");
  const bool unsent = statuses.size() > 1 || !queue->second.sent;
  if (!is_new && unsent && !is_terminal(statuses.back().status.state)) statuses.pop_back();
  if (is_terminal(status.status.state)) ++terminal_[key.framework];
  statuses.push_back(std::move(status));
  if (is_new) begin_head(queue, now);
  // One that was sent again and again would be so less and less often.
  if (queue->second.sent && queue->second.due > now + 2 * first_) schedule(queue, now + 2 * first_);
}

std::vector<Status> StatusOutbox::take_due(Random& random, Time now) {
  std::vector<Status> due;
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto queue = queues_.find(due_.begin()->second);
    supersede(queue);
    auto& [statuses, sent, delay, at] = queue->second;
    due.push_back(statuses.front());
    sent = true;
    schedule(queue, now + jittered(delay, random));
    delay = std::min(delay * 2, std::max(max_, first_));
  }
  return due;
}

std::optional<Status> StatusOutbox::acknowledge(const TaskKey& key, std::uint64_t seq, Time now) {
  const auto queue = queues_.find(key);
  if (queue == queues_.end()) return {};
  auto& statuses = queue->second.statuses;
  if (!queue->second.sent || statuses.front().status.seq != seq) return {};
  auto done = std::move(statuses.front());
  statuses.pop_front();
  if (statuses.empty()) {
    due_.erase({queue->second.due, key});
    queues_.erase(queue);
  } else {
    begin_head(queue, now);
  }
  if (!is_terminal(done.status.state)) return done;
  const auto count = terminal_.find(key.framework);
  if (--count->second == 0) terminal_.erase(count);
  return done;
}

std::size_t StatusOutbox::terminal_count(FrameworkId framework) const {
  const auto found = terminal_.find(framework);
  return found == terminal_.end() ? 0 : found->second;
}

void StatusOutbox::new_session(Time now) {
  int n = 0;
  for (auto queue = queues_.begin(); queue != queues_.end(); ++queue, ++n) {
    queue->second.delay = first_;
    schedule(queue, now + std::chrono::seconds(n / kPerSecond));
  }
}

std::optional<Time> StatusOutbox::next_deadline() const {
  if (due_.empty()) return {};
  return due_.begin()->first;
}

std::vector<TaskStatus> StatusOutbox::of(const TaskKey& key, LaunchId launch) const {
  std::vector<TaskStatus> found;
  const auto queue = queues_.find(key);
  if (queue == queues_.end()) return found;
  for (const auto& status : queue->second.statuses) {
    if (status.launch == launch) found.push_back(status.status);
  }
  return found;
}

bool StatusOutbox::all_sent() const {
  return std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) {
    return queue.second.sent && queue.second.statuses.size() == 1;
  });
}

std::vector<Status> StatusOutbox::terminal() const {
  std::vector<Status> found;
  for (const auto& [key, queue] : queues_) {
    for (const auto& status : queue.statuses) {
      if (is_terminal(status.status.state)) found.push_back(status);
    }
  }
  return found;
}

void StatusOutbox::check_invariants() const {
  PROFFER_CHECK(due_.size() == queues_.size(), "a queue of statuses is due twice, or never");
  std::map<FrameworkId, std::size_t> terminal;
  for (const auto& [key, queue] : queues_) {
    PROFFER_CHECK(!queue.statuses.empty(), "an empty queue of statuses");
    PROFFER_CHECK(due_.contains({queue.due, key}), "a queue of statuses is never due");
    std::uint64_t seq = 0;
    for (const auto& [launch, status] : queue.statuses) {
      PROFFER_CHECK(status.seq > seq, "status numbers do not rise");
      seq = status.seq;
      if (is_terminal(status.state)) ++terminal[key.framework];
    }
  }
  PROFFER_CHECK(terminal == terminal_, "the terminal statuses were miscounted");
}

}  // namespace proffer::agent

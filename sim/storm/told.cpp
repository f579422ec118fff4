#include "sim/storm/told.hpp"

#include <fmt/format.h>

namespace proffer::sim::storm {

void Told::asked(Lineage lineage, Instance instance, FrameworkId framework, const TaskId& task, Time now) {
  auto& entry = tasks_[{lineage, task}];
  if (entry.asker != 0) return;
  entry.key = {framework, task};
  entry.asker = instance;
  entry.asked_at = now;
  record_.count("tasks asked for");
}

void Told::update(Lineage lineage, Instance instance, const TaskStatus& status, Time now) {
  const Key key{lineage, status.task};
  auto& entry = tasks_[key];
  if (entry.asker == 0) entry.key = {status.framework, status.task};
  if (record_.keeps()) {
    record_.line(now, fmt::format("framework {}: told that {} is {} ({})", lineage, name_of(entry.key),
                                  to_string(status.state), to_string(status.reason)));
  }
  const auto wrong = [&](const std::string& what) {
    record_.blame(now, "a framework hears of one end of a task, and of nothing after it",
                  fmt::format("{} is told to be {} ({}), {}", name_of(entry.key), to_string(status.state),
                              to_string(status.reason), what));
  };
  const auto former = entry.told_end.contains(instance) ? entry.end : end_heard(key);
  if (former) return wrong(fmt::format("after its end, {}", to_string(*former)));
  const bool binds = !replaced(lineage, instance);
  if (binds) heard_.push_back({key, instance, status.state});
  if (!is_terminal(status.state)) return;
  if (binds && entry.end && *entry.end != status.state) {
    return wrong(fmt::format("and its former process was told {}", to_string(*entry.end)));
  }
  table_.told({status.framework, status.task}, status.state, status.reason, now);
}

void Told::committed() {
  for (const auto& heard : std::exchange(heard_, {})) {
    auto& entry = tasks_[heard.task];
    entry.state = heard.state;
    if (!is_terminal(heard.state)) continue;
    if (!entry.end) record_.count(fmt::format("tasks {}", to_string(heard.state)));
    entry.end = heard.state;
    entry.told_end.insert(heard.instance);
  }
}

std::optional<TaskState> Told::end_heard(const Key& task) const {
  for (const auto& heard : heard_) {
    if (heard.task == task && is_terminal(heard.state)) return heard.state;
  }
  return {};
}

bool Told::replaced(Lineage lineage, Instance instance) const {
  const auto speaker = speakers_.find(lineage);
  return speaker != speakers_.end() && speaker->second > instance;
}

const AskedTask* Told::find(Lineage lineage, const TaskId& task) const {
  const auto found = tasks_.find({lineage, task});
  return found == tasks_.end() ? nullptr : &found->second;
}

std::vector<TaskId> Told::open(Lineage lineage) const {
  std::vector<TaskId> all;
  for (auto it = tasks_.lower_bound({lineage, TaskId{}}); it != tasks_.end() && it->first.first == lineage;
       ++it) {
    if (!it->second.end && !end_heard(it->first)) all.push_back(it->first.second);
  }
  return all;
}

}  // namespace proffer::sim::storm

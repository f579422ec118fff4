#include "proffer/study/fairness.hpp"

#include <algorithm>
#include <utility>

#include "proffer/study/jain.hpp"

namespace proffer {

FairnessMeter::FairnessMeter(Kind kind, Time from) : kind_(kind), from_(from) {}

void FairnessMeter::line(const TraceLine& line) {
  add_interval_until(line.time);
  apply(line.trace);
}

std::optional<double> FairnessMeter::jain() const {
  if (seconds_ <= 0) return {};
  return weighted_ / seconds_;
}

double FairnessMeter::seconds() const { return seconds_; }

void FairnessMeter::add_interval_until(Time now) {
  const auto start = last_ ? std::max(*last_, from_) : now;
  last_ = now;
  if (now <= start) return;
  const auto index = jain_now();
  if (!index) return;
  const double length = std::chrono::duration<double>(now - start).count();
  weighted_ += *index * length;
  seconds_ += length;
}

std::optional<double> FairnessMeter::jain_now() const {
  study::Jain jain;
  for (const auto& [id, tenant] : tenants_) {
    const auto owed = std::min(tree_.fair_share(tenant.leaf, kind_), tenant.demand);
    if (owed <= 0) continue;
    jain.add(static_cast<double>(tenant.running) / static_cast<double>(owed));
  }
  return jain.index();
}

void FairnessMeter::task_changed(const TaskChanged& changed) {
  const auto at = tasks_.find({changed.framework, changed.task});
  if (at == tasks_.end()) return;
  auto& task = at->second;
  const auto before = task.away ? 0 : task.units;
  const bool ends = is_terminal(changed.state);
  task.away = changed.state == TaskState::unreachable;
  const auto now = ends || task.away ? 0 : task.units;
  if (const auto tenant = tenants_.find(changed.framework); tenant != tenants_.end()) {
    tenant->second.running += now - before;
  }
  if (ends) tasks_.erase(at);
}

void FairnessMeter::apply(const Trace& trace) {
  const auto set_capacity = [this] {
    std::int64_t slots = 0;
    for (const auto& [id, n] : agents_) slots += n;
    tree_.set_capacity(kind_, slots);
  };
  if (const auto* registered = std::get_if<AgentRegistered>(&trace)) {
    agents_[registered->agent] = registered->slots[kind_];
    set_capacity();
  } else if (const auto* agent_lost = std::get_if<AgentLost>(&trace)) {
    agents_.erase(agent_lost->agent);
    set_capacity();
  } else if (const auto* subscribed = std::get_if<FrameworkSubscribed>(&trace)) {
    if (tenants_.contains(subscribed->framework)) return;
    const auto leaf = tree_.add_leaf("", {.name = subscribed->name, .submitted = submitted_++});
    tree_.set_demand(*leaf, kind_, 0);
    tenants_[subscribed->framework].leaf = *leaf;
  } else if (const auto* gone = std::get_if<FrameworkLost>(&trace)) {
    const auto tenant = tenants_.find(gone->framework);
    if (!gone->removed || tenant == tenants_.end()) return;
    tree_.remove_leaf(tenant->second.leaf);
    tenants_.erase(tenant);
  } else if (const auto* changed = std::get_if<DemandChanged>(&trace)) {
    const auto tenant = tenants_.find(changed->framework);
    if (changed->kind != kind_ || tenant == tenants_.end()) return;
    tenant->second.demand = changed->demand < 0 ? kUnbounded : changed->demand;
    tree_.set_demand(tenant->second.leaf, kind_, tenant->second.demand);
  } else if (const auto* launched = std::get_if<TaskLaunched>(&trace)) {
    const auto units = launched->resources[kind_];
    const auto tenant = tenants_.find(launched->framework);
    if (units == 0 || tenant == tenants_.end()) return;
    tasks_[{launched->framework, launched->task}] = {units, false};
    tenant->second.running += units;
  } else if (const auto* state = std::get_if<TaskChanged>(&trace)) {
    task_changed(*state);
  }
}

}  // namespace proffer

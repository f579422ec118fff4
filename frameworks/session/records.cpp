#include "frameworks/session/records.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "frameworks/session/scheduler_calls.hpp"

namespace proffer::frameworks {
namespace {

/// The records of a former process, by kind.
struct Former {
  std::vector<KeptTask> tasks;  ///< in order of asking
  std::map<std::string, std::string> notes;
};

Former sort_out(const Turn& turn, std::vector<Kept> kept) {
  Former former;
  for (auto& record : kept) {
    if (auto* identity = std::get_if<KeptIdentity>(&record)) {
      turn.state.identity = {identity->id, identity->secret};
    } else if (auto* task = std::get_if<KeptTask>(&record)) {
      former.tasks.push_back(std::move(*task));
    } else if (auto* note = std::get_if<KeptNote>(&record)) {
      former.notes.emplace(std::move(note->key), std::move(note->value));
    }
  }
  std::ranges::sort(former.tasks, {}, &KeptTask::number);
  return former;
}

/// Tasks that nobody goes on with are found at the allocator, and killed there.
void drop(const Turn& turn, const Former& former) {
  if (!turn.state.config.keeps) return;
  for (const auto& task : former.tasks) turn.act(DropRecord{key_of(task.task)});
  for (const auto& [key, value] : former.notes) turn.act(DropRecord{key_of_note(key)});
}

}  // namespace

void keep_identity(const Turn& turn) {
  const auto& state = turn.state;
  if (!state.config.keeps) return;
  turn.act(
      KeepRecord{KeptIdentity{state.identity.id, state.identity.secret, state.allocator.framework_epoch}});
}

void keep_server(const Turn& turn) {
  if (turn.state.config.keeps) turn.act(KeepRecord{turn.state.allocator.server});
}

void keep_task(const Turn& turn, const TaskId& task) {
  const auto& state = turn.state;
  if (!state.config.keeps || !state.tasks.knows(task) || state.owed.acknowledgements.contains(task)) return;
  turn.act(KeepRecord{state.tasks.kept(task)});
}

void sweep_tasks(const Turn& turn) {
  for (const auto& task : turn.state.tasks.forget(turn.now)) {
    // The record of one whose end is held says that it has not ended: a later process hears of the end anew.
    const bool held = turn.state.owed.acknowledgements.contains(task);
    if (turn.state.config.keeps && !held) turn.act(DropRecord{key_of(task)});
  }
}

void keep_notes(const Turn& turn, std::vector<Driver::Call>& calls) {
  const bool keeps = turn.state.config.keeps;
  std::erase_if(calls, [&](Driver::Call& call) {
    if (auto* keep = std::get_if<Driver::KeepCall>(&call)) {
      if (keeps) turn.act(KeepRecord{KeptNote{std::move(keep->key), std::move(keep->value)}});
      return true;
    }
    if (const auto* forget = std::get_if<Driver::ForgetCall>(&call)) {
      if (keeps) turn.act(DropRecord{key_of_note(forget->key)});
      return true;
    }
    return false;
  });
}

KeptServer known_allocator(const std::vector<Kept>& kept) {
  for (const auto& record : kept) {
    const auto* server = std::get_if<KeptServer>(&record);
    if (server != nullptr && server->role == ServerRole::allocator) return *server;
  }
  return {};
}

void restore(const Turn& turn) {
  auto& state = turn.state;
  const auto kept = std::exchange(state.kept, {});
  if (kept.empty()) return;
  const auto former = sort_out(turn, kept);
  state.tasks.belong_to(state.identity.id);
  state.views.foreign_tasks = !state.identity.id.value.is_nil();
  if (!state.scheduler.resumes()) return drop(turn, former);
  std::vector<ResumedTask> tasks;
  for (const auto& task : former.tasks) {
    state.tasks.restore(task, turn.now);
    tasks.push_back({task.task, task.agent, task.resources, task.state});
  }
  call_scheduler(turn, [&](Driver& driver) { state.scheduler.resumed(driver, tasks, former.notes); });
}

}  // namespace proffer::frameworks

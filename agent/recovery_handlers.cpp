#include "agent/recovery_handlers.hpp"

#include <algorithm>

#include "agent/catalog_handlers.hpp"
#include "agent/ending.hpp"
#include "agent/records.hpp"
#include "agent/run_handlers.hpp"

namespace proffer::agent {
namespace {

void restore_launch(State& state, const KeptLaunch& kept) {
  state.history.restore(kept);
  if (kept.ended) return;
  Run run{kept.launch, {kept.framework, kept.task}, kept.resources};
  run.end_asked = kept.end_asked;
  state.runs.restore(std::move(run));
  state.recovery.await(kept.launch);
}

/// Queues statuses in the order of their numbers, which rise over all launches of a task.
void restore_statuses(State& state, std::vector<Status> statuses) {
  std::sort(statuses.begin(), statuses.end(),
            [](const Status& a, const Status& b) { return a.status.seq < b.status.seq; });
  for (auto& status : statuses) state.statuses.push(std::move(status), Time{});
}

void note_boot(const Turn& turn) {
  auto& state = turn.state;
  const auto& boot = state.config.boot;
  if (boot.empty() || boot == state.former_boot) return;
  if (!state.former_boot.empty()) {
    for (const auto launch : state.recovery.take_awaited()) perish(turn, launch);
  }
  turn.act(KeepRecord{KeptBoot{boot}});
}

/// Ends a run that nobody knows, or nobody wants any more. Slots are not offered before it has ended.
void end_stranger(const Turn& turn, LaunchId launch) {
  auto& state = turn.state;
  if (!state.history.knows(launch)) state.recovery.disown(launch);
  turn.act(SignalRun{launch, RunSignal::kill});
}

/// Settles a run of which nobody will ask: its end is acknowledged, or was never wanted.
void settle_stranger(const Turn& turn, LaunchId launch) {
  const auto& history = turn.state.history;
  if (history.knows(launch) && history.at(launch).settled == 0) return;
  if (!history.knows(launch)) turn.act(DropRecord{key_of(launch)});
  turn.act(SettleRun{launch});
}

}  // namespace

void restore(State& state, const std::vector<Kept>& kept) {
  std::vector<Status> statuses;
  for (const auto& record : kept) {
    if (const auto* launch = std::get_if<KeptLaunch>(&record)) {
      restore_launch(state, *launch);
      for (const auto& status : launch->statuses) statuses.push_back({launch->launch, status});
    } else if (const auto* server = std::get_if<KeptServer>(&record)) {
      state.servers.restore(*server);
    } else if (const auto* boot = std::get_if<KeptBoot>(&record)) {
      state.former_boot = boot->boot;
    } else if (const auto* own = std::get_if<KeptAgent>(&record)) {
      state.identity.id = own->info.id;
      state.identity.for_allocator = own->secret;
    }
  }
  restore_statuses(state, std::move(statuses));
  state.servers.teach(ServerRole::allocator, state.allocator.session);
}

void begin_life(const Turn& turn) {
  if (!turn.state.recovery.take_beginning()) return;
  drop_oldest(turn);
  note_boot(turn);
}

// Runs of this life are none of this: they may be in the list or not, by when it was made.
void handle(const Turn& turn, const RunsListed& listed) {
  auto& state = turn.state;
  auto awaited = state.recovery.take_awaited();
  for (const auto& [launch, age] : listed.living) {
    const bool was_awaited = awaited.erase(launch) > 0;
    auto* run = state.runs.find(launch);
    if (run == nullptr) {
      end_stranger(turn, launch);
    } else if (was_awaited) {
      go_on(turn, *run, age);
    }
  }
  for (const auto& exited : listed.ended) {
    awaited.erase(exited.launch);
    if (state.runs.find(exited.launch) != nullptr) {
      handle(turn, exited);
    } else {
      settle_stranger(turn, exited.launch);
    }
  }
  for (const auto launch : awaited) {
    if (state.runs.find(launch) != nullptr) {
      vanish(turn, launch);
    } else {
      settle_stranger(turn, launch);
    }
  }
}

// A record goes when its run has ended: were it dropped before, and this life ended in between, the next
// would offer the slots of a run that lives.
void disown_all(const Turn& turn) {
  auto& state = turn.state;
  const auto runs = std::exchange(state.runs, TaskRuns(state.config.slots));
  for (const auto& [launch, run] : runs.all()) {
    if (state.recovery.awaits(launch)) continue;  // whether it lives is told yet
    state.recovery.disown(launch);
    turn.act(SignalRun{launch, RunSignal::kill});
  }
  for (const auto& [launch, known] : state.history.all()) {
    if (runs.all().contains(launch)) continue;
    turn.act(DropRecord{key_of(launch)});
    turn.act(SettleRun{launch});
  }
  state.history = {};
  state.statuses = StatusOutbox(state.config.status_retry_first, state.config.status_retry_max);
  state.permits = ComputePermits(state.config.max_computing);
}

// Launches are numbered within a cluster: those of the former one would pass for the new one's.
void change_over(const Turn& turn) {
  auto& state = turn.state;
  state.config.adopt = false;
  disown_all(turn);
  use_catalog(turn, "");
  forget_server(turn, ServerRole::catalog);
  forget_server(turn, ServerRole::allocator);
  state.allocator.refused.reset();
  state.allocator.session =
      session::ClientSession(session_settings(state.config, state.config.allocator_silent_after));
}

void forget_server(const Turn& turn, ServerRole role) {
  turn.state.servers.forget(role);
  turn.act(DropRecord{key_of(KeptServer{role, {}, {}, 0})});
}

// The secret stays: should the answer with the new id be lost, or this process end before it has kept the id,
// the allocator knows by the secret whose the id is. Else it would wait for that agent for ever.
void retire(const Turn& turn) {
  auto& state = turn.state;
  disown_all(turn);
  turn.act(DropRecord{key_of(state.identity.id)});
  state.identity.id = {};
  state.allocator.refused.reset();
  use_catalog(turn, "");
  state.allocator.session.attempt_at_once(turn.now);
}

}  // namespace proffer::agent

#include "agent/records.hpp"

namespace proffer::agent {
namespace {

KeptLaunch record_of(State& state, LaunchId id) {
  const auto& launch = state.history.at(id);
  KeptLaunch record;
  record.launch = id;
  record.framework = launch.key.framework;
  record.task = launch.key.task;
  record.job = launch.job;
  record.seq = launch.seq;
  record.statuses = state.statuses.of(launch.key, id);
  record.settled = launch.settled;
  const auto* run = state.runs.find(id);
  record.ended = run == nullptr;
  if (run == nullptr) return record;
  record.resources = run->resources;
  record.end_asked = run->end_asked;
  return record;
}

}  // namespace

void keep(const Turn& turn, LaunchId launch) { turn.act(KeepRecord{record_of(turn.state, launch)}); }

void drop_oldest(const Turn& turn) {
  for (const auto launch : turn.state.history.forget_oldest()) turn.act(DropRecord{key_of(launch)});
}

}  // namespace proffer::agent

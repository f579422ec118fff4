#include "sim/storm/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

Host::Host(const Plan& plan, HostNo number, Agenda& agenda, Record& record, ProcessTable& table, Tell tell)
    : plan_(plan),
      number_(number),
      agenda_(agenda),
      record_(record),
      table_(table),
      tell_(std::move(tell)),
      random_(plan.random(20, number)) {}

// ---- the agent ----

void Host::agent_started() {
  agent_ += agent_ % 2 == 0 ? 1 : 2;
  listed_ = false;
  list(agent_);
}

void Host::agent_died() {
  if (agent_ % 2 == 1) ++agent_;
}

/// Tells the agent of the runs that it finds, once a launcher is there.
void Host::list(std::uint64_t agent) {
  const auto ready = std::max(launcher_back_, agenda_.now()) + milliseconds(1 + random_.below(50));
  agenda_.at(ready, [this, agent] {
    if (agent != agent_) return;
    if (launcher_back_ > agenda_.now()) return list(agent);
    listed_ = true;
    RunsListed found;
    for (const auto& [launch, run] : runs_) {
      if (run.agent == agent) continue;
      if (run.alive) found.living.push_back({launch, agenda_.now() - table_.find(launch)->from});
      if (run.ended) found.ended.push_back(run.exited);
    }
    tell_(std::move(found));
  });
}

/// A command reaches the launcher, if both still live then, or the next launcher.
void Host::command(std::function<void()> task) {
  const auto there =
      std::max(launcher_back_, agenda_.now()) + Duration(50 + static_cast<std::int64_t>(random_.below(2000)));
  agenda_.at(there, [this, agent = agent_, boot = boot_, task = std::move(task)]() mutable {
    if (boot != boot_) return;
    if (launcher_back_ > agenda_.now()) {
      if (agent == agent_) command(std::move(task));  // the agent says it again
      return;
    }
    task();
  });
}

// A start that an agent has asked for before it died may still reach the launcher, or not. The launcher is
// asked in order, so that whoever lists the runs afterwards knows.
void Host::start(const StartRun& run) {
  runs_[run.launch] = {run, agent_, false, false, false, {}};
  agenda_.after(Duration(50 + static_cast<std::int64_t>(random_.below(200))),
                [this, launch = run.launch, boot = boot_, launcher = launcher_, agent = agent_] {
                  const auto found = runs_.find(launch);
                  if (boot != boot_ || found == runs_.end()) return;
                  if (agent != agent_) return void(runs_.erase(found));  // it was never said
                  if (launcher == launcher_ && launcher_back_ <= agenda_.now()) return begin(launch);
                  // Nobody started it: the next launcher does not know it.
                  found->second.ended = true;
                  found->second.exited = {
                      launch, {}, nullptr, {}, AgentFault{AgentFault::What::start, "the launcher ended"}};
                  report(launch);
                });
}

void Host::begin(LaunchId launch) {
  auto& run = runs_.at(launch);
  const auto& task = run.start.task;
  const bool fails = plan_.has(Fault::task_fails) && !calm_;
  if (fails && random_.below(12) == 0) {
    record_.count("fault task-fails");
    run.ended = true;
    run.exited = {launch, {}, nullptr, "no such program"};
    return report(launch);
  }
  run.alive = true;
  run.deaf = plan_.has(Fault::task_deaf) && !calm_ && random_.below(4) == 0;
  if (run.deaf) record_.count("fault task-deaf");
  record_.count("processes started");
  const TaskKey key{run.start.framework, task.id};
  if (record_.keeps()) {
    record_.line(agenda_.now(),
                 fmt::format("agent-{}: {} begins as {}", number_ + 1, name_of(key), name_of(launch)));
  }
  table_.began({launch, key, number_, task.resources, agenda_.now(), {}, false, {}});
  plan_end(run, fails);
  tell_started(launch);
}

/// Said after the list, which the agent waits for.
void Host::tell_started(LaunchId launch) {
  command([this, launch, agent = agent_] {
    const auto found = runs_.find(launch);
    if (agent != agent_ || agent_ % 2 == 0 || found == runs_.end() || !found->second.alive) return;
    if (!knows(found->second)) return tell_started(launch);
    tell_(RunStarted{launch});
  });
}

void Host::plan_end(const Run& run, bool fails) {
  ExitStatus exit;
  const auto luck = random_.below(10);
  if (fails && luck == 0) exit.code = 3;
  if (fails && luck == 1) exit.signal = 11;
  if (fails && luck <= 1) record_.count("fault task-fails");
  agenda_.after(duration(), [this, launch = run.start.launch, boot = boot_, exit] {
    if (boot == boot_) end(launch, exit, true);
  });
}

Duration Host::duration() {
  const auto luck = random_.below(20);
  if (luck < 9) return milliseconds(20 + random_.below(2000));
  if (luck < 17) return milliseconds(1000 + random_.below(20'000));
  return seconds(10 + random_.below(calm_ ? 30 : 300));
}

void Host::end(LaunchId launch, ExitStatus exit, bool by_itself) {
  const auto found = runs_.find(launch);
  if (found == runs_.end() || !found->second.alive) return;
  auto& run = found->second;
  run.alive = false;
  run.ended = true;
  run.exited.launch = launch;
  run.exited.exit = exit;
  table_.ended(launch, agenda_.now(), exit, by_itself);
  if (record_.keeps()) {
    record_.line(agenda_.now(),
                 fmt::format("agent-{}: {} ends {} (code {}, signal {})", number_ + 1, name_of(launch),
                             by_itself ? "by itself" : "as it is told", exit.code, exit.signal));
  }
  report(launch);
}

/// Told by the launcher that lives, or by the next one; an agent that starts later finds it listed.
void Host::report(LaunchId launch) {
  command([this, launch, agent = agent_] {
    const auto found = runs_.find(launch);
    if (agent != agent_ || agent_ % 2 == 0 || found == runs_.end() || !found->second.ended) return;
    if (knows(found->second)) tell_(found->second.exited);
  });
}

void Host::signal(const SignalRun& signal) {
  table_.signalled(signal.launch, agenda_.now());
  command([this, signal] {
    const auto found = runs_.find(signal.launch);
    if (found == runs_.end() || !found->second.alive) return;
    const bool kills = signal.signal == RunSignal::kill;
    if (!kills && found->second.deaf) return;
    const auto takes = Duration(static_cast<std::int64_t>(random_.below(kills ? 2000 : 400'000)));
    agenda_.after(takes, [this, launch = signal.launch, boot = boot_, kills] {
      if (boot == boot_) end(launch, {0, kills ? 9 : 15}, false);
    });
  });
}

void Host::settle(LaunchId launch) {
  const auto found = runs_.find(launch);
  if (found != runs_.end() && found->second.ended) runs_.erase(found);
}

void Host::probe() {
  command([this, agent = agent_] {
    if (agent == agent_) tell_(Probed{});
  });
}

// ---- faults ----

void Host::kill_launcher(Duration back_after) {
  ++launcher_;
  launcher_back_ = agenda_.now() + back_after;
}

void Host::reboot() {
  ++boot_;
  ++launcher_;
  launcher_back_ = {};
  for (auto& [launch, run] : runs_) {
    if (!run.alive) continue;
    run.alive = false;
    table_.rebooted(launch, agenda_.now());
  }
  // Processes that a reboot ends leave no record, and records of earlier ends were not synced.
  std::erase_if(runs_, [&](const auto& one) { return !one.second.ended || random_.below(2) == 0; });
}

bool Host::idle() const {
  return std::none_of(runs_.begin(), runs_.end(), [](const auto& one) { return one.second.alive; });
}

std::vector<LaunchId> Host::unsettled() const {
  std::vector<LaunchId> all;
  for (const auto& [launch, run] : runs_) {
    if (run.ended) all.push_back(launch);
  }
  return all;
}

}  // namespace proffer::sim::storm

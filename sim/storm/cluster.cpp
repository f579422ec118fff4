#include "sim/storm/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/storm/births.hpp"

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<Resources> slots(const Plan& plan) {
  std::vector<Resources> all;
  for (const auto& agent : plan.agents) all.push_back(slots_of(agent));
  return all;
}

}  // namespace

Oracle::Oracle(const Plan& plan, Record& record)
    : table(slots(plan), record), told(table, record), watch(table, told, record) {}

Cluster::Cluster(const Plan& plan, Agenda& agenda, Record& record)
    : oracle(plan, record),
      links(plan, agenda, record, [this](Pid to, Event event) { processes_[to]->deliver(std::move(event)); }),
      desk(agenda, record,
           [this](Event event) {
             // Later: the allocator may be in a step now.
             agenda_.after(milliseconds(1),
                           [this, event = std::move(event)] { processes_[kAllocator]->deliver(event); });
           }),
      plan_(plan),
      agenda_(agenda),
      record_(record),
      dice_(plan.random(30)) {
  add(Role::allocator, "allocator");
  add(Role::catalog, "catalog");
  for (HostNo host = 0; host < plan.agents.size(); ++host) {
    const auto pid = add(Role::agent, fmt::format("agent-{}", host + 1));
    links.add(pid, kAllocator, kAllocatorPeer);
    links.add(pid, kCatalog, kCatalogPeer);
    hosts_.push_back(
        std::make_unique<Host>(plan, host, agenda, record, oracle.table,
                               [this, pid](Event event) { processes_[pid]->deliver(std::move(event)); }));
  }
  first_framework_ = static_cast<Pid>(processes_.size());
  for (const auto& framework : plan.frameworks) {
    const auto lineage = ++last_lineage_;
    add_framework(framework, lineage,
                  fmt::format("{}-{}", kCharacters[static_cast<std::size_t>(framework.character)], lineage));
  }
}

Cluster::~Cluster() {
  for (auto& process : processes_) process->crash();  // before the schedulers that machines refer to
}

Pid Cluster::add(Role role, std::string name) {
  const auto pid = static_cast<Pid>(processes_.size());
  processes_.push_back(std::make_unique<Process>(pid, role, std::move(name), agenda_, *this));
  return pid;
}

void Cluster::add_framework(const FrameworkPlan& plan, Lineage lineage, std::string name) {
  const auto pid = add(Role::framework, std::move(name));
  links.add(pid, kAllocator, kAllocatorPeer);
  auto& slot = frameworks_.emplace_back();
  slot.plan = plan;
  slot.setup.character = plan.character;
  slot.setup.lineage = lineage;
  slot.setup.sleeps = plan_.rough;
}

// ---- names and numbers ----

bool Cluster::healthy(Pid pid) const {
  if (pid < 2) return true;
  if (pid < first_framework_) return plan_.agents[pid - 2].fate == Fate::healthy;
  const auto& slot = frameworks_[pid - first_framework_];
  return slot.plan.fate == Fate::healthy && !slot.over && !slot.ousted_at;
}

Instance Cluster::instance(Pid pid) const { return (Instance{pid} << 32) | processes_[pid]->life(); }

const Agent* Cluster::agent_machine(HostNo number) const {
  auto* machine = processes_[agent(number)]->machine();
  return machine == nullptr ? nullptr : &static_cast<Driven<Agent>*>(machine)->machine;
}

const Framework* Cluster::framework_machine(Pid pid) const {
  auto* machine = processes_[pid]->machine();
  return machine == nullptr ? nullptr : &static_cast<Driven<Framework>*>(machine)->machine;
}

// ---- lives ----

std::unique_ptr<AnyMachine> Cluster::make(Process& process) {
  auto random = plan_.random(40 + process.pid, process.life());
  const auto& image = process.disk.image;
  switch (process.role) {
    case Role::allocator:
      return make_allocator(image, std::move(random));
    case Role::catalog:
      return make_catalog(image, std::move(random));
    case Role::agent: {
      const auto host = host_of(process);
      return make_agent(plan_.agents[host], host, hosts_[host]->boot(), image, std::move(random));
    }
    case Role::framework:
      break;
  }
  auto& slot = framework(process.pid);
  slot.setup.instance = (Instance{process.pid} << 32) | (process.life() + 1);
  slot.setup.prefix = fmt::format("t{}.{}.{}", slot.setup.lineage, process.pid, process.life() + 1);
  slot.scheduler = make_scheduler(slot.setup, oracle.told, mood, Random(random.bits()));
  return make_framework(slot.plan, process.name, *slot.scheduler, image, std::move(random));
}

void Cluster::start(Pid pid) {
  auto& process = *processes_[pid];
  if (process.up() || (calm_ && !healthy(pid))) return;
  if (process.role == Role::framework && (framework(pid).over || framework(pid).ousted_at)) return;
  if (process.role == Role::framework && process.life() > 0 &&
      framework(pid).plan.character == Character::batch) {
    forget(pid);
  }
  if (process.role == Role::agent) mint_identity(process.disk.image, plan_.random(31, pid));
  ++process.disk.image.starts;
  record_.line(agenda_.now(), process.name + " starts");
  links.started(pid);
  if (process.role == Role::allocator) oracle.watch.allocator_started(agenda_.now());
  process.start(make(process));
  if (process.role == Role::agent && process.up()) hosts_[host_of(process)]->agent_started();
}

void Cluster::forget(Pid pid) {
  if (framework(pid).succeeds && !framework(pid).admitted) return;
  processes_[pid]->disk.image.records.clear();
  framework(pid).setup.lineage = ++last_lineage_;
}

void Cluster::start_later(Pid pid, Duration delay) {
  agenda_.after(delay, [this, pid] { start(pid); });
}

void Cluster::end(Process& process, Links::End how) {
  process.crash();
  links.died(process.pid, how);
  if (process.role == Role::agent) hosts_[host_of(process)]->agent_died();
}

void Cluster::crash(Pid pid, const std::string& why, bool silently) {
  auto& process = *processes_[pid];
  if (!process.up()) return;
  const auto recent = agenda_.now() - seconds(15);
  const bool recovers = process.started_at() > recent || processes_[kAllocator]->started_at() > recent;
  record_.count(fmt::format("crashes {} {}", to_string(process.role), recovers ? "recovering" : "at work"));
  record_.line(agenda_.now(), process.name + " dies: " + why);
  end(process, silently ? Links::End::silently : Links::End::killed);
}

void Cluster::die(Process& process, const char* why) {
  oracle.told.lost();
  record_.count(fmt::format("crashes {}", why));
  crash(process.pid, why);
  start_later(process.pid, mostly_short(dice_, seconds(20)));
}

void Cluster::pause(Pid pid, Duration time) {
  auto& process = *processes_[pid];
  if (!process.up() || process.paused()) return;
  record_.line(agenda_.now(), fmt::format("{} is paused for {:.1f} s", process.name,
                                          static_cast<double>(to_us(time)) / 1e6));
  process.pause();
  if (pid == kAllocator) oracle.watch.allocator_paused(agenda_.now());
  links.paused(pid);
  agenda_.after(time, [this, pid, life = process.life()] {
    if (processes_[pid]->life() == life) go_on(pid);
  });
}

void Cluster::stop(Pid pid, bool kill_tasks, Duration back_after) {
  auto& process = *processes_[pid];
  if (!process.up() || process.paused()) return;
  record_.count(fmt::format("stops {}", to_string(process.role)));
  record_.line(agenda_.now(), process.name + (kill_tasks ? " is stopped with its tasks" : " is stopped"));
  if (kill_tasks) oracle.table.may_end(host_of(process));
  const auto life = process.life();
  process.deliver(Stopping{kill_tasks});
  agenda_.after(kill_tasks ? Duration(seconds(8)) : Duration(milliseconds(dice_.below(500))),
                [this, pid, life, back_after, kill_tasks] {
                  auto& stopping = *processes_[pid];
                  if (stopping.up() && stopping.life() == life) {
                    record_.line(agenda_.now(), stopping.name + " ends");
                    end(stopping, Links::End::orderly);
                  }
                  if (kill_tasks) oracle.table.may_end_no_more(host_of(stopping));
                  start_later(pid, back_after);
                });
}

void Cluster::reboot(HostNo host, Duration down) {
  record_.line(agenda_.now(), fmt::format("the host of agent-{} goes down", host + 1));
  if (processes_[agent(host)]->up()) crash(agent(host), "its host goes down", true);
  hosts_[host]->reboot();
  start_later(agent(host), down);
}

bool Cluster::take_over(Pid pid, Duration later) {
  auto& old = *processes_[pid];
  auto& slot = framework(pid);
  const auto& records = old.disk.image.records;
  const bool has_id = std::any_of(records.begin(), records.end(), [](const auto& record) {
    return std::holds_alternative<KeptIdentity>(record.second);
  });
  const auto* machine = framework_machine(pid);
  // One that was never admitted in this life would be the newer of the two once it is.
  const bool admitted = machine != nullptr && machine->subscribed();
  if (!has_id || !admitted || slot.ousted_at || slot.over) return false;
  record_.line(agenda_.now(), old.name + " is taken over by another process");
  slot.ousted_at = agenda_.now();
  slot.ousted_as = oracle.watch.framework_of(instance(pid)).value_or(FrameworkId{});
  const auto plan = slot.plan;
  const auto lineage = slot.setup.lineage;
  add_framework(plan, lineage, old.name);
  auto& successor = *processes_.back();
  framework(successor.pid).succeeds = true;
  successor.disk.image = old.disk.image;
  start_later(successor.pid, later);
  pause(pid, std::chrono::minutes(30));
  wake_ousted(pid, successor.pid);
  return true;
}

/// The former process sleeps until the other has been admitted: before that, it would be right.
void Cluster::wake_ousted(Pid old, Pid successor) {
  agenda_.after(milliseconds(500 + dice_.below(3000)), [this, old, successor] {
    if (calm_) return;
    const auto* machine = framework_machine(successor);
    if (machine == nullptr || !machine->subscribed()) return wake_ousted(old, successor);
    if (plan_.rough && plan_.has(Fault::crash_allocator) && processes_[kAllocator]->up()) {
      crash(kAllocator, "after a framework was taken over");
      start_later(kAllocator, milliseconds(dice_.below(2000)));
    }
    go_on(old);
  });
}

void Cluster::go_on(Pid pid) {
  auto& process = *processes_[pid];
  if (!process.up() || !process.paused()) return;
  record_.line(agenda_.now(), process.name + " goes on");
  if (pid == kAllocator) oracle.watch.allocator_goes_on(agenda_.now());
  links.resumed(pid);
  process.resume();
}

// ---- calm ----

void Cluster::calm() {
  calm_ = true;
  mood.calm = true;
  links.calm();
  for (LineNo line = 0; line < links.lines(); ++line) links.mend(line);
  for (auto& host : hosts_) host->calm();
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    auto& process = *processes_[i];
    process.disk.set_full(false);
    process.has_room();
    const bool ousted = process.role == Role::framework && framework(process.pid).ousted_at;
    if (ousted && process.paused()) crash(process.pid, "without having known of its successor");
    go_on(process.pid);
    if (healthy(process.pid)) {
      start_later(process.pid, milliseconds(dice_.below(2000)));
    } else if (process.role == Role::framework || plan_.agents[host_of(process)].fate == Fate::dead) {
      if (!ousted && process.up()) crash(process.pid, "for good");
    }
  }
  for (LineNo line = 0; line < links.lines(); ++line) {
    const auto client = links.client_of(line);
    if (client < first_framework_ && plan_.agents[client - 2].fate == Fate::cut_off)
      links.cut(line, true, true);
  }
}

void Cluster::wind_down() {
  mood.working = false;
  for (auto& process : processes_) {
    if (process->role != Role::framework || !process->up()) continue;
    auto& slot = framework(process->pid);
    if (slot.plan.character != Character::batch) continue;
    slot.leaving = true;
    static_cast<Driven<Framework>*>(process->machine())->machine.end();
    process->deliver(TimePassed{});
  }
}

}  // namespace proffer::sim::storm

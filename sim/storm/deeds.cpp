// The deeds that follow a step of a machine: messages, runs, records, and what the oracle learns of them.
#include <fmt/format.h>

#include <utility>

#include "sim/storm/cluster.hpp"

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;

/// A message for the timeline; empty: it says nothing that matters.
std::string line_of(const Message& message) {
  if (std::holds_alternative<Heartbeat>(message) || std::holds_alternative<ClusterState>(message)) return {};
  auto line = std::string(type_name(message));
  if (const auto* launch = std::get_if<Launch>(&message)) {
    line += " " + launch->task.id.value + ", " + name_of(launch->launch);
  } else if (const auto* status = std::get_if<Status>(&message)) {
    line += fmt::format(" {} #{} {}", status->status.task.value, status->status.seq,
                        to_string(status->status.state));
  } else if (const auto* update = std::get_if<Update>(&message)) {
    line += fmt::format(" {} #{} {} ({})", update->status.task.value, update->status.seq,
                        to_string(update->status.state), to_string(update->status.reason));
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    line += fmt::format(" {}: {}", to_string(error->error.code), error->error.message);
  } else if (const auto* accept = std::get_if<Accept>(&message)) {
    line += fmt::format(" {}", accept->accept);
    for (const auto& task : accept->tasks) line += " " + task.id.value;
  } else if (const auto* kill = std::get_if<Kill>(&message)) {
    line += " " + kill->task.value;
  } else if (const auto* acknowledge = std::get_if<Acknowledge>(&message)) {
    line += fmt::format(" {} #{}", acknowledge->task.value, acknowledge->seq);
  } else if (const auto* hello = std::get_if<Register>(&message)) {
    line += fmt::format(" run {} with {} tasks", hello->run, hello->tasks.size());
  } else if (const auto* welcome = std::get_if<Registered>(&message)) {
    line += fmt::format(", {} to be killed", welcome->kill.size());
  } else if (const auto* subscribed = std::get_if<Subscribed>(&message)) {
    line += fmt::format(" epoch {}", subscribed->framework_epoch);
  }
  return line;
}

void carry_out_on(Host& host, const Action& action) {
  if (const auto* run = std::get_if<StartRun>(&action)) host.start(*run);
  if (const auto* signal = std::get_if<SignalRun>(&action)) host.signal(*signal);
  if (const auto* settled = std::get_if<SettleRun>(&action)) host.settle(settled->launch);
  if (std::holds_alternative<Probe>(action)) host.probe();
}

void note_framework_sent(Cluster& cluster, Record& record, Process& process, const Envelope& envelope,
                         Time now) {
  const auto& slot = cluster.framework(process.pid);
  const auto who = cluster.instance(process.pid);
  const auto id = cluster.oracle.watch.framework_of(who);
  const auto& message = envelope.message;
  if (const auto* hello = std::get_if<Subscribe>(&message)) {
    const auto& records = process.disk.image.records;
    for (const auto& [key, one] : records) {
      const auto* kept = std::get_if<KeptIdentity>(&one);
      if (kept == nullptr || !hello->framework.value.is_nil() || cluster.oracle.watch.given_up(kept->id))
        continue;
      record.blame(now, "a framework comes back as itself",
                   process.name + " subscribes as a new framework, although it has kept an id");
    }
  }
  if (!id) return;
  if (std::holds_alternative<Teardown>(message)) cluster.oracle.watch.teardown_sent(*id);
  if (const auto* kill = std::get_if<Kill>(&message))
    cluster.oracle.table.causes.kills.insert({kill->framework, kill->task});
  const auto* accept = std::get_if<Accept>(&message);
  if (accept == nullptr || slot.plan.character == Character::liar) return;
  for (const auto& task : accept->tasks) {
    cluster.oracle.told.asked(slot.setup.lineage, who, *id, task.id, now);
    cluster.oracle.watch.asked({*id, task.id}, accept->offers);
  }
}

/// Notes the tasks of an ACCEPT that was made to name other offers than were meant: should they start, it is
/// on another agent than the one of which their framework will ask.
void note_misplaced(Cluster& cluster, const Process& process, const Message& meant, const Message& said) {
  const auto* accept = std::get_if<Accept>(&said);
  const auto id = cluster.oracle.watch.framework_of(cluster.instance(process.pid));
  if (accept == nullptr || !id || accept->offers == std::get<Accept>(meant).offers) return;
  for (const auto& task : accept->tasks) cluster.oracle.table.causes.misplaced.insert({*id, task.id});
}

/// Notes the tasks that a framework has kept, each with its agent: the next process asks about them, also if
/// nothing was sent.
void note_kept(Cluster& cluster, const Process& process, const Actions& actions) {
  const auto id = cluster.oracle.watch.framework_of(cluster.instance(process.pid));
  if (!id) return;
  for (const auto& action : actions) {
    const auto* keep = std::get_if<KeepRecord>(&action);
    const auto* task = keep == nullptr ? nullptr : std::get_if<KeptTask>(&keep->record);
    if (task != nullptr) cluster.oracle.watch.meant({*id, task->task}, task->agent);
  }
}

void note_sent(Cluster& cluster, Record& record, Process& process, const Send& sent, Time now) {
  const auto& envelope = sent.envelope;
  if (cluster.on_message) cluster.on_message(process, envelope.message);
  if (process.role == Role::framework) return note_framework_sent(cluster, record, process, envelope, now);
  if (process.role != Role::allocator) return;
  const auto caller = cluster.links.caller(sent.peer);
  if (!caller) return;
  const auto* registered = std::get_if<Registered>(&envelope.message);
  // The id is that host's, even if its agent never hears of it.
  if (registered != nullptr)
    cluster.oracle.watch.registered(registered->agent, host_of(cluster.process(caller->process)));
  if (!std::holds_alternative<Subscribed>(envelope.message)) return;
  auto& slot = cluster.framework(caller->process);
  slot.admitted = true;
  const auto who = (Instance{caller->process} << 32) | caller->life;
  cluster.oracle.watch.subscribed({slot.setup.lineage, who, slot.plan.failover}, sent.peer, envelope, now);
}

}  // namespace

void Cluster::stepped(Process& process, const Event& event, const Actions& actions) {
  ++tally_.steps;
  tally_.digest = fnv1a(tally_.digest, static_cast<std::uint64_t>(to_us(agenda_.now())));
  tally_.digest = fnv1a(tally_.digest, process.pid);
  tally_.digest = fnv1a(tally_.digest, event.index());
  for (const auto& action : actions) {
    const auto* message = std::get_if<Send>(&action);
    tally_.digest =
        fnv1a(tally_.digest, message == nullptr ? action.index() : 1000 + message->envelope.message.index());
  }
  const auto* in = std::get_if<MessageReceived>(&event);
  if (in != nullptr && process.role == Role::allocator) oracle.watch.heard(in->peer, agenda_.now());
  if (!calm_ && process.role == Role::framework && framework(process.pid).plan.character == Character::slow) {
    process.busy_for(milliseconds(5 + dice_.below(60)));
  }
}

CrashPoint Cluster::crash_point(Process& process) {
  if (calm_ || !plan_.has(Fault::crash_commit)) return CrashPoint::none;
  const bool early = process.steps < 40;
  if (dice_.below(early ? 400 : 6000) > 0) return CrashPoint::none;
  record_.count("fault crash-commit");
  return static_cast<CrashPoint>(1 + dice_.below(3));
}

std::optional<Duration> Cluster::commit_time(Process& process) {
  if (calm_ || process.role == Role::framework) return Duration::zero();
  if (plan_.has(Fault::disk_dead) && dice_.below(20'000) == 0) {
    record_.count("fault disk-dead");
    return {};
  }
  if (!plan_.has(Fault::disk_slow) || dice_.below(500) > 0) return Duration::zero();
  record_.count("fault disk-slow");
  return mostly_short(dice_, std::chrono::seconds(5));
}

/// The world keeps the id that an agent goes by, which is another one after it was declared gone.
void Cluster::committed(Process& process, const Event& event, const Actions& actions) {
  oracle.told.committed();
  if (process.role == Role::framework) note_kept(*this, process, actions);
  // A decision of the allocator counts from now on, even if it dies before it can say so.
  for (const auto& action : actions) {
    const auto* emitted = std::get_if<Emit>(&action);
    if (emitted != nullptr && process.role == Role::allocator)
      oracle.watch.trace(emitted->trace, agenda_.now());
  }
  const auto* in = std::get_if<MessageReceived>(&event);
  if (in == nullptr || process.role != Role::agent) return;
  auto& image = process.disk.image;
  const auto host = host_of(process);
  if (const auto* registered = std::get_if<Registered>(&in->envelope.message)) {
    const auto id = agent_machine(host)->id();
    if (id != registered->agent) return;
    image.agent = id;
    if (!registered->secret.value.is_nil()) image.secret = registered->secret;
  }
}

void Cluster::carry_out(Process& process, Action& action) {
  if (auto* message = std::get_if<Send>(&action)) return send(process, *message);
  if (const auto* closed = std::get_if<ClosePeer>(&action)) return links.close(process.pid, closed->peer);
  if (process.role == Role::agent) carry_out_on(*hosts_[host_of(process)], action);
}

void Cluster::send(Process& process, Send& message) {
  if (Desk::is_mine(message.peer)) return desk.receive(message.envelope);
  const bool lies =
      process.role == Role::framework && !calm_ && framework(process.pid).plan.character == Character::liar;
  note_sent(*this, record_, process, message, agenda_.now());
  if (lies) {
    const auto meant = message.envelope.message;
    if (tell_a_lie(message.envelope, dice_)) record_.count("fault lies");
    note_misplaced(*this, process, meant, message.envelope.message);
  }
  if (record_.keeps()) {
    if (const auto line = line_of(message.envelope.message); !line.empty()) {
      const auto caller = links.caller(message.peer);
      record_.line(agenda_.now(), fmt::format("{} -> {}: {}", process.name,
                                              caller ? processes_[caller->process]->name
                                              : message.peer == kCatalogPeer ? "catalog"
                                                                             : "allocator",
                                              line));
    }
  }
  links.send(process.pid, message);
}

/// A framework that is over ends its process.
void Cluster::settled(Process& process) {
  if (process.role != Role::framework) return;
  const auto* machine = framework_machine(process.pid);
  if (machine == nullptr || !machine->finished()) return;
  auto& slot = framework(process.pid);
  record_.line(agenda_.now(), process.name + " is over");
  const auto& failure = slot.scheduler->failure;
  const bool fenced = failure && failure->code == ErrorCode::fenced;
  if (fenced && slot.ousted_at) record_.count("fenced");
  if ((fenced && !slot.ousted_at) || (failure && !fenced)) {
    record_.blame(agenda_.now(), "no framework is refused that has a right to be there",
                  fmt::format("{} is refused for good: {}", process.name, failure->message));
  } else if (!failure && !slot.leaving && !slot.scheduler->may_stop()) {
    record_.blame(agenda_.now(), "no framework is refused that has a right to be there",
                  process.name + " ends although it did not want to");
  }
  end(process, Links::End::orderly);
  slot.over = true;
}

bool tell_a_lie(Envelope& envelope, Random& random) {
  if (random.below(6) > 0) return false;
  auto& message = envelope.message;
  if (auto* accept = std::get_if<Accept>(&message)) {
    if (random.below(2) == 0) {
      for (auto& offer : accept->offers) offer.n += 1 + random.below(5);
    } else {
      for (auto& task : accept->tasks) task.resources += task.resources;
    }
    return true;
  }
  if (auto* kill = std::get_if<Kill>(&message)) {
    kill->framework = {random.bits128()};
    return true;
  }
  if (auto* acknowledge = std::get_if<Acknowledge>(&message)) {
    acknowledge->seq += random.below(3);
    return true;
  }
  if (auto* decline = std::get_if<Decline>(&message)) {
    for (auto& offer : decline->offers) offer.n += random.below(9);
    return true;
  }
  return false;
}

}  // namespace proffer::sim::storm

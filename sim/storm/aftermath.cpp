#include "sim/storm/aftermath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace proffer::sim::storm {
namespace {

constexpr Duration kFirstOffer =
    std::chrono::seconds(14);  // a hold of 10 s, and 2 s; a look comes up to 2 s late
constexpr Duration kLeftoversBy =
    std::chrono::seconds(30);  // a grace, and three times the longest wait for a KILL that is sent again
constexpr Duration kStarving = std::chrono::seconds(67);  // two offer timeouts and 5 s; and the same

std::int64_t sum(const Resources& resources) {
  std::int64_t all = 0;
  for (const auto& [kind, units] : resources) all += units;
  return all;
}

}  // namespace

void Aftermath::begin() {
  began_ = agenda_.now();
  look();
  agenda_.after(kSessionsBy, [this] { check_sessions(); });
  agenda_.after(kWindDownAt, [this] { cluster_.wind_down(); });
  agenda_.after(kSettledBy, [this] {
    check_tasks();
    check_views();
    check_stores();
    be_quiet();
  });
}

void Aftermath::look_early() {
  agenda_.after(std::chrono::seconds(2), [this] {
    if (cluster_.is_calm()) return;
    if (cluster_.desk.seen() && agenda_.now() - cluster_.desk.seen_at() < std::chrono::seconds(2)) {
      check_self_doubt();
    }
    cluster_.desk.look();
    look_early();
  });
}

/// The state as the allocator tells it, compared with what must be.
void Aftermath::look() {
  agenda_.after(std::chrono::seconds(2), [this] {
    if (cluster_.desk.seen() && agenda_.now() - cluster_.desk.seen_at() < std::chrono::seconds(3)) {
      check_offers_without_sessions();
      check_self_doubt();
      if (cluster_.mood.working) {
        check_first_offer();
        check_shares();
      }
    }
    check_leftovers();
    cluster_.desk.look();
    look();
  });
}

void Aftermath::check_offers_without_sessions() {
  std::set<FrameworkId> now;
  for (const auto& framework : cluster_.desk.seen()->frameworks) {
    if (framework.connected || framework.offered.empty()) continue;
    now.insert(framework.id);
    if (!offered_without_session_.contains(framework.id)) continue;
    record_.blame(agenda_.now(), "no slot stays offered to a framework without a session",
                  framework.name + " has none, and is offered slots");
  }
  offered_without_session_ = std::move(now);
}

/// An allocator that suspects itself, since most agents were silent, believes in itself again when they are
/// back.
void Aftermath::check_self_doubt() {
  const auto& seen = *cluster_.desk.seen();
  std::size_t silent = 0;
  std::size_t up = 0;
  for (const auto& agent : seen.agents) {
    if (agent.reachable) ++up;
    if (!agent.reachable && agent.reach == "silent") ++silent;
  }
  const bool doubts = !seen.degraded.empty() && 10 * silent < 3 * (silent + up);
  if (!std::exchange(doubts_, doubts) || !doubts) return;
  record_.blame(agenda_.now(), "the allocator suspects itself only while many agents are silent",
                fmt::format("{} of {} are, and it says: {}", silent, silent + up, seen.degraded));
}

/// Tasks that a framework leaves behind when it is given up are ended, wherever the agent is in session.
void Aftermath::check_leftovers() {
  for (HostNo host = 0; host < cluster_.hosts(); ++host) {
    const auto* agent = cluster_.agent_machine(host);
    if (agent == nullptr || !agent->registered())
      in_session_since_.erase(host);
    else
      in_session_since_.try_emplace(host, agenda_.now());
  }
  const auto long_ago = agenda_.now() - kLeftoversBy;
  if (cluster_.oracle.watch.allocator_since() > long_ago) return;
  for (const auto& process : cluster_.oracle.table.all()) {
    if (process.until || !cluster_.healthy(cluster_.agent(process.host))) continue;
    const auto session = in_session_since_.find(process.host);
    if (session == in_session_since_.end() || session->second > long_ago) continue;
    const auto since = cluster_.oracle.watch.given_up_at(process.task.first);
    if (!since || *since > long_ago) continue;
    return record_.blame(agenda_.now(), "what a framework leaves behind is ended",
                         fmt::format("{} still runs on agent-{}, and its framework was given up at {}",
                                     name_of(process.task), process.host + 1, clock_text(*since)));
  }
}

/// Once somebody wants slots and an agent has free ones, the first offer comes soon after the hold.
void Aftermath::check_first_offer() {
  const auto since = cluster_.oracle.watch.allocator_since();
  const auto& seen = *cluster_.desk.seen();
  const auto offered = cluster_.oracle.watch.first_offer_since_start();
  bool free = false;
  for (const auto& agent : seen.agents) {
    free = free || (agent.reachable && agent.trouble.empty() && agent.wish.empty() &&
                    sum(agent.total) > sum(agent.used) + sum(agent.offered));
  }
  bool wanted = false;
  for (const auto& framework : seen.frameworks) {
    wanted = wanted || (framework.connected && framework.demand.empty());
  }
  if (!free || !wanted || (offered && *offered >= since)) return could_offer_since_.reset();
  if (!could_offer_since_) could_offer_since_ = agenda_.now();
  if (agenda_.now() - *could_offer_since_ < kFirstOffer || agenda_.now() - since < kFirstOffer) return;
  record_.blame(
      agenda_.now(), "offers are made again soon after a start",
      fmt::format("the allocator was started at {}, slots are free and wanted, and none was offered",
                  clock_text(since)));
}

/// Returns whether a framework would take any slot. Of one that sleeps now and then, what the allocator
/// believes is no measure.
bool Aftermath::wants_all(const FrameworkSlot& slot, const FrameworkState& seen) const {
  const auto character = slot.plan.character;
  if (!slot.setup.sleeps) return character == Character::greedy && seen.demand.empty();
  const bool takes =
      character == Character::greedy || character == Character::slow || character == Character::crash_looper;
  return takes && cluster_.mood.awake.contains(slot.setup.lineage);
}

/// A framework that takes whatever it gets and has less than its fair share, while slots are free, is shown
/// one in time.
void Aftermath::check_shares() {
  const auto& seen = *cluster_.desk.seen();
  std::int64_t free = 0;
  for (const auto& agent : seen.agents) {
    if (!agent.reachable || !agent.trouble.empty() || !agent.wish.empty()) continue;
    free += sum(agent.total) - sum(agent.used) - sum(agent.offered);
  }
  for (auto pid = cluster_.first_framework(); pid < cluster_.processes().size(); ++pid) {
    const auto id = cluster_.oracle.watch.framework_of(cluster_.instance(pid));
    const auto state = std::find_if(seen.frameworks.begin(), seen.frameworks.end(),
                                    [&](const FrameworkState& one) { return id && one.id == *id; });
    const auto shown = cluster_.mood.shown[cluster_.framework(pid).setup.lineage];
    const bool is_short = free > 0 && state != seen.frameworks.end() && state->connected &&
                          wants_all(cluster_.framework(pid), *state) &&
                          sum(state->used) + sum(state->offered) == 0;
    if (!is_short || std::exchange(shown_[pid], shown) != shown) {
      short_since_.erase(pid);
      continue;
    }
    const auto since = short_since_.try_emplace(pid, agenda_.now()).first->second;
    if (agenda_.now() - since < kStarving) continue;
    record_.blame(agenda_.now(), "nobody starves",
                  fmt::format("{} has wanted slots since {}, has none, and is shown none of {} that are free",
                              cluster_.process(pid).name, clock_text(since), free));
  }
}

void Aftermath::check_sessions() {
  const auto blame = [&](const std::string& name) {
    record_.blame(agenda_.now(), "whoever is healthy is back in session",
                  fmt::format("{} has no session with the allocator", name));
  };
  for (HostNo host = 0; host < cluster_.hosts(); ++host) {
    if (!cluster_.healthy(cluster_.agent(host))) continue;
    const auto* agent = cluster_.agent_machine(host);
    if (agent == nullptr || !agent->registered()) blame(cluster_.process(cluster_.agent(host)).name);
  }
  for (auto pid = cluster_.first_framework(); pid < cluster_.processes().size(); ++pid) {
    const auto& slot = cluster_.framework(pid);
    const auto* machine = cluster_.framework_machine(pid);
    // Under an id that was given up before its successor came, nobody was replaced: both come back as others.
    const bool is_former =
        slot.ousted_at && cluster_.oracle.watch.is_held_by_another(slot.ousted_as, cluster_.instance(pid));
    if (is_former && machine != nullptr) {
      record_.blame(agenda_.now(), "a framework's former process stops for good",
                    cluster_.process(pid).name + " goes on, although another process has its place");
    }
    if (!cluster_.healthy(pid)) continue;
    if (machine == nullptr || !machine->subscribed()) blame(cluster_.process(pid).name);
  }
}

/// Everything has ended by now, as far as anybody healthy can know; and who asked for it knows.
void Aftermath::check_tasks() {
  std::set<Lineage> healthy;
  std::map<Lineage, Pid> speaks;
  for (auto pid = cluster_.first_framework(); pid < cluster_.processes().size(); ++pid) {
    const auto& slot = cluster_.framework(pid);
    if (slot.plan.character == Character::liar || slot.plan.character == Character::batch) continue;
    if (cluster_.healthy(pid)) healthy.insert(slot.setup.lineage);
  }
  const auto& oracle = cluster_.oracle;
  for (const auto& [key, task] : oracle.told.all()) {
    if (!healthy.contains(key.first) || task.end || task.asker == 0) continue;
    const auto asker = static_cast<Pid>(task.asker >> 32);
    const auto& ousted_at = cluster_.framework(asker).ousted_at;
    if (ousted_at && task.asked_at > *ousted_at) continue;  // its successor cannot know of it
    // An allocator that has lost most agents at once suspects itself, and says nothing of their tasks.
    const bool degraded = cluster_.desk.seen() && !cluster_.desk.seen()->degraded.empty();
    const bool waits = task.state == TaskState::unreachable || degraded;
    if (waits && is_away(task.key)) continue;
    const auto* process = oracle.table.find(task.key);
    const auto what = process == nullptr ? std::string("was never started")
                      : process->until   ? "ended at " + clock_text(*process->until)
                                         : "still runs";
    record_.blame(
        agenda_.now(), "every framework hears how each of its tasks ended",
        fmt::format("{}, asked for at {}, {}, and its framework {}", name_of(task.key),
                    clock_text(task.asked_at), what, waits ? "waits for its agent" : "does not know"));
  }
}

/// Returns whether a task was sent, or was to be sent, to an agent of which nobody can know.
bool Aftermath::is_away(const TaskKey& task) const {
  const auto agent = cluster_.oracle.watch.agent_of(task);
  const auto host = agent ? cluster_.oracle.watch.host_of(*agent) : std::nullopt;
  return host && !cluster_.healthy(cluster_.agent(*host));
}

/// Compares the allocator's view with what runs.
void Aftermath::check_views() {
  if (!cluster_.desk.seen()) return;
  for (const auto& agent : cluster_.desk.seen()->agents) {
    const auto host = cluster_.oracle.watch.host_of(agent.id);
    if (!host || !cluster_.healthy(cluster_.agent(*host))) continue;
    if (cluster_.process(cluster_.agent(*host)).disk.image.agent != agent.id) continue;
    if (!agent.trouble.empty()) {
      record_.blame(agenda_.now(), "an agent that is well serves",
                    agent.name + " is said to be in trouble: " + agent.trouble);
    }
    const auto lives = cluster_.oracle.table.live_on(*host);
    if (agent.used == lives ||
        cluster_.oracle.table.changed_since(*host, agenda_.now() - std::chrono::seconds(5)))
      continue;
    record_.blame(agenda_.now(), "the allocator's view is what runs",
                  fmt::format("it believes that {} slots of {} are in use, and {} are", sum(agent.used),
                              agent.name, sum(lives)));
  }
  for (HostNo host = 0; host < cluster_.hosts(); ++host) {
    if (!cluster_.healthy(cluster_.agent(host)) || cluster_.oracle.table.is_barred(host)) continue;
    for (const auto launch : cluster_.host(host).unsettled()) {
      const auto* process = cluster_.oracle.table.find(launch);
      if (process == nullptr || !must_be_settled(process->task.first)) continue;
      record_.blame(agenda_.now(), "every end is acknowledged",
                    fmt::format("agent-{} still keeps the end of {}", host + 1, name_of(process->task)));
    }
  }
}

/// Stores hold what is, and nothing that is over for good.
void Aftermath::check_stores() {
  const auto blame = [&](const std::string& what) {
    record_.blame(agenda_.now(), "what is kept is what is", what);
  };
  const auto& allocator = cluster_.process(Cluster::kAllocator).disk.image;
  for (const auto& [key, record] : allocator.records) {
    const auto* framework = std::get_if<KeptFramework>(&record);
    if (framework != nullptr && cluster_.oracle.watch.given_up(framework->id)) {
      blame("the allocator keeps " + framework->name + ", which was given up");
    }
  }
  for (HostNo host = 0; host < cluster_.hosts(); ++host) {
    const auto& process = cluster_.process(cluster_.agent(host));
    if (!cluster_.healthy(process.pid)) continue;
    if (cluster_.oracle.table.changed_since(host, agenda_.now() - std::chrono::seconds(5))) continue;
    for (const auto& [key, record] : process.disk.image.records) {
      const auto* launch = std::get_if<KeptLaunch>(&record);
      if (launch == nullptr || launch->ended) continue;
      if (cluster_.oracle.table.alive({launch->framework, launch->task})) continue;
      blame(process.name + " keeps " + name_of(launch->launch) + " as one that lives, and it does not");
    }
  }
}

/// Returns whether somebody is there to acknowledge the ends of a framework's tasks.
bool Aftermath::must_be_settled(FrameworkId framework) const {
  if (cluster_.oracle.watch.given_up(framework)) return true;
  for (auto pid = cluster_.first_framework(); pid < cluster_.processes().size(); ++pid) {
    const auto mine = cluster_.oracle.watch.framework_of(cluster_.instance(pid));
    const bool liar = cluster_.framework(pid).plan.character == Character::liar;
    if (mine == framework && cluster_.healthy(pid) && !liar) return true;
  }
  return false;
}

void Aftermath::be_quiet() {
  cluster_.on_message = [this](const Process& from, const Message& message) {
    if (std::holds_alternative<Heartbeat>(message) || std::holds_alternative<ClusterState>(message)) return;
    if (std::holds_alternative<Reconcile>(message) || std::holds_alternative<Reconciled>(message)) return;
    if (from.role != Role::allocator && from.role != Role::catalog && !cluster_.healthy(from.pid)) return;
    const auto* kill = std::get_if<Kill>(&message);
    if (kill != nullptr && is_away({kill->framework, kill->task})) return;
    const auto* status = std::get_if<Status>(&message);
    if (status != nullptr && !must_be_settled(status->status.framework)) return;
    if (from.role == Role::framework && cluster_.framework(from.pid).plan.character == Character::liar)
      return;
    if (from.role == Role::allocator) return;  // answers; those whom it answers are looked at
    record_.blame(agenda_.now(), "a quiet cluster is quiet",
                  fmt::format("{} sends {}", from.name, type_name(message)));
  };
}

}  // namespace proffer::sim::storm

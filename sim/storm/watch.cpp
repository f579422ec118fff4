#include "sim/storm/watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "proffer/allocator/allocator.hpp"

namespace proffer::sim::storm {
namespace {

/// A pause of the allocator begins for it when it should have done something.
constexpr Duration kUnnoticed = std::chrono::seconds(3);

std::string name_of(FrameworkId id) { return "framework " + to_hex(id.value).substr(0, 6); }

template <class Map, class Key>
auto found_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<FrameworkId> Watch::framework_of(Instance instance) const {
  return found_in(frameworks_, instance);
}
bool Watch::is_held_by_another(FrameworkId framework, Instance instance) const {
  const auto holder = holders_.find(framework);
  return holder != holders_.end() && holder->second.who.instance != instance;
}
std::optional<HostNo> Watch::host_of(AgentId agent) const { return found_in(hosts_, agent); }

std::optional<AgentId> Watch::agent_of(const TaskKey& task) const {
  const auto launched = found_in(launched_, task);
  return launched ? launched : found_in(asked_, task);
}

std::optional<Time> Watch::given_up_at(FrameworkId framework) const {
  return found_in(given_up_at_, framework);
}

std::function<void(bool)> Watch::drain_asked(HostNo host) {
  const auto& wish = wishes_[host];
  if (wish.open > 0) return [](bool) {};
  return [this, host, undrains = wish.undrains](bool done) {
    auto& now = wishes_[host];
    if (done && now.undrains == undrains) now.drained = true;
  };
}

std::function<void(bool)> Watch::undrain_asked(HostNo host) {
  auto& wish = wishes_[host];
  wish.drained = false;
  ++wish.undrains;
  ++wish.open;
  return [this, host](bool) { --wishes_[host].open; };
}

/// Returns for how long the allocator has been paused since then.
Duration Watch::slept_since(Time then) const {
  Duration sum{};
  for (const auto& pause : pauses_) {
    if (pause.until > then) sum += pause.until - std::max(pause.from, then);
  }
  return sum;
}

/// Returns how much of its pauses the allocator may not have noticed. In its hold it has nothing to do before
/// the end of that, as long as nobody has come.
Duration Watch::unnoticed() const {
  static const auto hold = AllocatorConfig{}.recovery_hold;
  Duration sum{};
  for (const auto& pause : pauses_) sum += pause.from < allocator_since_ + hold ? hold : kUnnoticed;
  return sum;
}

void Watch::asked(const TaskKey& task, const std::vector<OfferId>& offers) {
  const auto agent = offers.empty() ? std::nullopt : found_in(offers_, offers.front());
  if (agent) asked_.insert_or_assign(task, *agent);
}

void Watch::subscribed(const Subscriber& who, PeerId peer, const Envelope& answer, Time now) {
  const auto& welcome = std::get<Subscribed>(answer.message);
  const auto id = welcome.framework;
  auto [it, is_new] = holders_.try_emplace(id);
  auto& holder = it->second;
  const bool repeated = !is_new && holder.session == answer.session;
  if (!repeated && welcome.framework_epoch <= holder.epoch) {
    record_.blame(now, "epochs never fall",
                  fmt::format("{} is admitted with epoch {}, after epoch {}", name_of(id),
                              welcome.framework_epoch, holder.epoch));
  }
  holder = {who, welcome.framework_epoch, answer.session, peer, now};
  peers_[peer] = id;
  frameworks_[who.instance] = id;
  told_.admitted(who.lineage, who.instance);
}

void Watch::heard(PeerId peer, Time now) {
  const auto found = peers_.find(peer);
  if (found == peers_.end()) return;
  auto& holder = holders_[found->second];
  if (holder.peer == peer && !holder.lost_at) holder.heard = now;
}

void Watch::trace(const Trace& trace, Time now) {
  if (const auto* offer = std::get_if<OfferMade>(&trace)) return on(*offer, now);
  if (const auto* launch = std::get_if<TaskLaunched>(&trace)) return on(*launch, now);
  if (const auto* lost = std::get_if<FrameworkLost>(&trace)) return on(*lost, now);
}

void Watch::check_retired(AgentId agent, const char* what, Time now) {
  if (!retired_.contains(agent)) return;
  record_.blame(now, "what is retired never acts again",
                fmt::format("{} names an agent that an operator has declared gone", what));
}

void Watch::on(const OfferMade& offer, Time now) {
  if (!first_offer_ || *first_offer_ < allocator_since_) first_offer_ = now;
  check_retired(offer.agent, "an offer", now);
  const auto host = host_of(offer.agent);
  const auto wish = host ? wishes_.find(*host) : wishes_.end();
  if (wish != wishes_.end() && wish->second.drained && !wish->second.unknown) {
    record_.blame(now, "an agent that is drained gets nothing new",
                  fmt::format("slots of agent-{} are offered", *host + 1));
  }
  if (!offers_.emplace(offer.offer, offer.agent).second) {
    record_.blame(now, "what is retired never acts again",
                  fmt::format("offer {}.{} is made a second time", offer.offer.epoch, offer.offer.n));
  }
}

void Watch::on(const TaskLaunched& launch, Time now) {
  check_retired(launch.agent, "a launch", now);
  const TaskKey key{launch.framework, launch.task};
  launched_[key] = launch.agent;
  if (!launches_.insert(launch.launch).second) {
    record_.blame(now, "what is retired never acts again",
                  storm::name_of(launch.launch) + " is made a second time");
  }
  if (table_.causes.given_up.contains(launch.framework)) {
    record_.blame(now, "what is retired never acts again",
                  fmt::format("{} is launched for a framework that was given up", storm::name_of(key)));
  }
  const auto holder = holders_.find(launch.framework);
  if (holder == holders_.end()) return;
  const auto* asked = told_.find(holder->second.who.lineage, launch.task);
  if (asked == nullptr || asked->asker == 0 || asked->asker == holder->second.who.instance) return;
  record_.blame(
      now, "a framework's former process has no say",
      fmt::format("{} is launched, as a process asked that another has replaced", storm::name_of(key)));
}

void Watch::on(const FrameworkLost& lost, Time now) {
  const auto holder = holders_.find(lost.framework);
  if (!lost.removed && holder != holders_.end()) holder->second.lost_at = now;
  if (!lost.removed) return;
  table_.causes.given_up.insert(lost.framework);
  given_up_at_.emplace(lost.framework, now);
  if (teardowns_.contains(lost.framework) || holder == holders_.end()) return;
  const auto since = std::max(holder->second.lost_at.value_or(holder->second.heard), allocator_since_);
  // Pauses of the allocator are nobody's fault but its own.
  const auto away = now - since - slept_since(since);
  if (away + unnoticed() >= holder->second.who.failover) return;
  record_.blame(now, "no framework is given up before its failover timeout",
                fmt::format("{} is given up ({}) {:.1f} s after its last word, and may be away for {:.0f} s",
                            name_of(lost.framework), lost.why, static_cast<double>(to_us(away)) / 1e6,
                            static_cast<double>(to_us(holder->second.who.failover)) / 1e6));
}

}  // namespace proffer::sim::storm

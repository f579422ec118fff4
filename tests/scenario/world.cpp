#include "tests/scenario/world.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "proffer/check.hpp"
#include "tests/scenario/script.hpp"

namespace proffer::scenario {
namespace {

const std::string kAllocator = "allocator";
constexpr PeerId kPersonPeer{9};
constexpr int kMostStepsAtOneInstant = 10'000;

}  // namespace

void World::start_allocator(AllocatorConfig config) {
  allocator_ =
      std::make_unique<Allocator>(std::move(config), ClusterId{{1, 1}}, Epoch{1}, Random(next_seed_++));
}

void World::start_agent(AgentConfig config) {
  const auto name = config.name;
  Client client;
  client.rack = config.rack;
  client.agent = std::make_unique<Agent>(std::move(config), std::vector<std::pair<BlockId, std::uint64_t>>{},
                                         Random(next_seed_++));
  add_client(name, std::move(client));
}

void World::start_framework(FrameworkConfig config, const PolicySpec& policy, const std::vector<Job>& jobs) {
  const auto name = config.name;
  Client client;
  client.bag = std::make_unique<Bag>(policy);
  for (const auto& job : jobs) client.bag->add(job);
  client.framework = std::make_unique<Framework>(std::move(config), *client.bag, Random(next_seed_++));
  add_client(name, std::move(client));
}

void World::add_client(const std::string& name, Client client) {
  client.peer = connect(name);
  clients_[name] = std::move(client);
  if (std::find(order_.begin(), order_.end(), name) == order_.end()) order_.push_back(name);
  step(name, TimePassed{});
}

PeerId World::connect(const std::string& name) {
  const PeerId peer{next_peer_++};
  peers_[peer] = name;
  return peer;
}

// ---- time and delivery ----

void World::deliver(int limit) {
  for (; limit > 0 && !in_flight_.empty(); --limit) {
    const auto flight = std::move(in_flight_.front());
    in_flight_.pop_front();
    step(flight.to, flight.event);
  }
}

void World::lose(int count) {
  for (; count > 0 && !in_flight_.empty(); --count) in_flight_.pop_front();
}

void World::advance(Duration duration) {
  const auto end = now_ + duration;
  deliver();
  int steps_here = 0;
  for (auto next = next_deadline(); next && *next <= end; next = next_deadline()) {
    steps_here = *next > now_ ? 0 : steps_here + 1;
    PROFFER_CHECK(steps_here < kMostStepsAtOneInstant, "a machine asks for the same instant again and again");
    now_ = std::max(now_, *next);
    pass_time_at_deadlines();
    deliver();
  }
  now_ = end;
}

void World::pass_time_at_deadlines() {
  for (const auto& name : machines()) {
    const auto deadline = deadline_of(name);
    if (deadline && *deadline <= now_) step(name, TimePassed{});
  }
}

std::vector<std::string> World::machines() const {
  std::vector<std::string> names;
  if (allocator_) names.push_back(kAllocator);
  for (const auto& name : order_) {
    if (clients_.contains(name)) names.push_back(name);
  }
  return names;
}

std::optional<Time> World::deadline_of(const std::string& name) const {
  if (name == kAllocator) return allocator_->next_deadline();
  const auto found = clients_.find(name);
  if (found == clients_.end()) return {};
  return found->second.agent ? found->second.agent->next_deadline()
                             : found->second.framework->next_deadline();
}

std::optional<Time> World::next_deadline() const {
  std::optional<Time> next;
  for (const auto& name : machines()) next = earlier(next, deadline_of(name));
  return next;
}

void World::step(const std::string& name, const Event& event) {
  Actions actions;
  step_machine(name, event, actions);
  for (auto& action : actions) carry_out(name, std::move(action));
}

void World::step_machine(const std::string& name, const Event& event, Actions& actions) {
  if (name == kAllocator) {
    allocator_->step(event, actions, now_);
    return allocator_->check_invariants();
  }
  const auto found = clients_.find(name);
  if (found == clients_.end()) return;  // it was killed while this was on its way
  if (found->second.agent) {
    found->second.agent->step(event, actions, now_);
    return found->second.agent->check_invariants();
  }
  found->second.framework->step(event, actions, now_);
  found->second.framework->check_invariants();
}

// ---- actions ----

void World::carry_out(const std::string& from, Action action) {
  if (auto* message = std::get_if<Send>(&action)) return send(from, std::move(*message));
  if (const auto* run = std::get_if<StartRun>(&action)) return start_run(from, *run);
  if (const auto* signal = std::get_if<SignalRun>(&action)) return signal_run(from, *signal);
  if (const auto* close = std::get_if<ClosePeer>(&action))
    return say(from + " forgets " + peers_.at(close->peer));
  if (const auto* drop = std::get_if<DropOutputs>(&action)) {
    return say(from + " deletes outputs of " + names_.name(drop->framework));
  }
}

void World::send(const std::string& from, Send send) {
  if (from == kAllocator && send.peer == kPersonPeer) {
    described_ = std::get<ClusterState>(send.envelope.message);
    return;
  }
  const auto to = from == kAllocator ? peers_.at(send.peer) : kAllocator;
  if (from != kAllocator && send.peer != kAllocatorPeer) throw std::logic_error(from + " sends to nobody");
  names_.learn(to, send.envelope.message);
  const bool is_heartbeat = std::holds_alternative<Heartbeat>(send.envelope.message);
  const bool is_lost = cut_.contains(from) || cut_.contains(to);
  if (!is_heartbeat || heartbeats_shown_) {
    say(from + " -> " + to + " " + names_.print(send.envelope.message) + (is_lost ? " (lost)" : ""));
  }
  if (is_lost) return;
  const auto sender = from == kAllocator ? kAllocatorPeer : clients_.at(from).peer;
  in_flight_.push_back({to, MessageReceived{sender, std::move(send.envelope)}});
}

void World::start_run(const std::string& agent, const StartRun& run) {
  say(agent + " starts " + run.task.id.value);
  clients_.at(agent).runs[run.task.id.value] = run.launch;
  in_flight_.push_back({agent, RunStarted{run.launch}});
}

void World::signal_run(const std::string& agent, const SignalRun& signal) {
  for (const auto& [task, launch] : clients_.at(agent).runs) {
    if (launch != signal.launch) continue;
    say(agent + (signal.signal == RunSignal::kill ? " kills " : " terminates ") + task);
  }
}

void World::say(const std::string& line) {
  if (said_at_ != now_)
    lines_ += "at " + print_duration(std::chrono::floor<std::chrono::milliseconds>(now_ - Time{})) + "\n";
  said_at_ = now_;
  lines_ += line + "\n";
}

// ---- what a script does ----

void World::exit(const std::string& agent, const std::string& task, ExitStatus status) {
  auto& runs = clients_.at(agent).runs;
  const auto run = runs.find(task);
  if (run == runs.end()) throw std::invalid_argument(agent + " does not run " + task);
  const auto launch = run->second;
  runs.erase(run);
  step(agent, RunExited{launch, status, nullptr, ""});
}

void World::kill(const std::string& name) {
  if (clients_.erase(name) == 0) throw std::invalid_argument("there is no " + name);
}

void World::cut(const std::string& name) {
  if (!clients_.contains(name)) throw std::invalid_argument("there is no " + name);
  cut_.insert(name);
}

void World::heal(const std::string& name) { cut_.erase(name); }

void World::disconnect(const std::string& name) {
  const auto old = std::exchange(clients_.at(name).peer, connect(name));
  step(kAllocator, PeerLost{old});
  step(name, PeerLost{kAllocatorPeer});
}

ClusterState World::describe() {
  Envelope envelope;
  envelope.message = Describe{1};
  step(kAllocator, MessageReceived{kPersonPeer, envelope});
  if (!described_) throw std::logic_error("the allocator did not describe itself");
  return *std::exchange(described_, std::nullopt);
}

Bag& World::bag(const std::string& framework) {
  const auto found = clients_.find(framework);
  if (found == clients_.end() || !found->second.bag)
    throw std::invalid_argument("no framework is called " + framework);
  return *found->second.bag;
}

void World::wake(const std::string& framework) { step(framework, TimePassed{}); }

std::string World::rack_of(const std::string& agent) const { return clients_.at(agent).rack; }

std::string World::take_lines() { return std::exchange(lines_, {}); }

}  // namespace proffer::scenario

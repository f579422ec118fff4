#include "tests/scenario/world.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "proffer/check.hpp"
#include "tests/reads_back.hpp"
#include "tests/scenario/script.hpp"

namespace proffer::scenario {
namespace {

const std::string kAllocator = "allocator";
const std::string kCatalog = "catalog";
constexpr PeerId kPersonPeer{9};
constexpr PeerId kOperatorPeer{8};
constexpr int kMostStepsAtOneInstant = 10'000;

}  // namespace

void World::start_allocator(AllocatorConfig config) {
  allocator_config_ = std::move(config);
  if (catalog_) allocator_config_.catalog_endpoint = "tcp://catalog";
  std::vector<Kept> kept;
  for (const auto& [key, record] : records_[kAllocator]) kept.push_back(record);
  allocator_ = std::make_unique<Allocator>(allocator_config_, ClusterId{{1, 1}}, epoch_, Random(next_seed_++),
                                           SecretSource(Random(epoch_.value)), std::move(kept));
}

void World::restart_allocator(bool empty) {
  ++epoch_.value;
  if (empty) records_.erase(kAllocator);
  start_allocator(allocator_config_);
  std::erase_if(in_flight_, [](const Flight& flight) {
    const auto* message = std::get_if<MessageReceived>(&flight.event);
    return flight.to == kAllocator || (message != nullptr && message->peer == kAllocatorPeer);
  });
  for (auto& [name, client] : clients_) client.peer = connect(name);
  for (const auto& name : machines()) {
    if (clients_.contains(name)) step(name, PeerLost{kAllocatorPeer});
  }
}

void World::start_agent(AgentConfig config) {
  const auto name = config.name;
  if (catalog_) config.data_endpoint = "tcp://" + name;
  Client client;
  client.rack = config.rack;
  client.agent = std::make_unique<Agent>(std::move(config), std::vector<std::pair<BlockId, std::uint64_t>>{},
                                         Random(next_seed_++));
  add_client(name, std::move(client));
}

void World::start_framework(FrameworkConfig config, const PolicySpec& policy, const std::vector<Job>& jobs) {
  auto bag = std::make_unique<Bag>(policy);
  for (const auto& job : jobs) bag->add(job);
  auto* scheduler = bag.get();
  add_framework(std::move(config), std::move(bag), scheduler);
}

void World::start_mapreduce(FrameworkConfig config, MapReduceConfig settings,
                            const std::vector<JobSpec>& jobs) {
  auto scheduler = MapReduce::make(std::move(settings), nullptr);
  if (!scheduler) throw std::invalid_argument(scheduler.error().message);
  for (const auto& job : jobs) {
    if (const auto submitted = (*scheduler)->submit(job); !submitted) {
      throw std::invalid_argument(submitted.error().message);
    }
  }
  add_framework(std::move(config), std::move(*scheduler), nullptr);
}

void World::submit(const std::string& framework, const JobSpec& job) {
  const auto found = clients_.find(framework);
  auto* scheduler =
      found == clients_.end() ? nullptr : dynamic_cast<MapReduce*>(found->second.scheduler.get());
  if (scheduler == nullptr) throw std::invalid_argument("no MapReduce framework is called " + framework);
  if (const auto submitted = scheduler->submit(job); !submitted) {
    throw std::invalid_argument(submitted.error().message);
  }
  wake(framework);
}

void World::add_framework(FrameworkConfig config, std::unique_ptr<Scheduler> scheduler, Bag* bag) {
  const auto name = config.name;
  Client client;
  client.scheduler = std::move(scheduler);
  client.bag = bag;
  client.framework = std::make_unique<Framework>(std::move(config), *client.scheduler, Random(next_seed_++));
  add_client(name, std::move(client));
}

void World::add_client(const std::string& name, Client client) {
  client.peer = connect(name);
  client.catalog_peer = connect(name);
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
  if (catalog_) names.push_back(kCatalog);
  for (const auto& name : order_) {
    if (clients_.contains(name)) names.push_back(name);
  }
  return names;
}

std::optional<Time> World::deadline_of(const std::string& name) const {
  if (name == kAllocator) return allocator_->next_deadline();
  if (name == kCatalog) return catalog_->next_deadline();
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
  expect_reads_back(actions, event);
  for (auto& action : actions) carry_out(name, std::move(action));
}

void World::step_machine(const std::string& name, const Event& event, Actions& actions) {
  if (name == kAllocator) {
    allocator_->step(event, actions, now_);
    return allocator_->check_invariants();
  }
  if (name == kCatalog) {
    catalog_->step(event, actions, now_);
    return catalog_->check_invariants();
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
  if (auto* keep = std::get_if<KeepRecord>(&action)) {
    records_[from].insert_or_assign(key_of(keep->record), std::move(keep->record));
    return;
  }
  if (const auto* drop = std::get_if<DropRecord>(&action)) {
    records_[from].erase(drop->key);
    return;
  }
  if (const auto* run = std::get_if<StartRun>(&action)) return start_run(from, *run);
  if (const auto* signal = std::get_if<SignalRun>(&action)) return signal_run(from, *signal);
  if (const auto* close = std::get_if<ClosePeer>(&action))
    return say(from + " forgets " + peers_.at(close->peer));
  if (const auto* drop = std::get_if<DropOutputs>(&action)) {
    return say(from + " deletes outputs of " + names_.name(drop->framework));
  }
  if (const auto* fetch = std::get_if<FetchBlock>(&action)) {
    return say(from + " fetches b" + std::to_string(fetch->block.value));
  }
  if (std::holds_alternative<Probe>(action)) {
    say(from + " probes");
    in_flight_.push_back({from, Probed{clients_.at(from).trouble}});
    return;
  }
  if (const auto* drop = std::get_if<DropBlock>(&action))
    in_flight_.push_back({from, BlockVanished{drop->block}});
}

void World::send(const std::string& from, Send send) {
  const bool is_server = from == kAllocator || from == kCatalog;
  if (is_server && send.peer == kPersonPeer) {
    answered_ = std::move(send.envelope.message);
    return;
  }
  if (send.peer == kOperatorPeer) return say(from + " -> operator " + names_.print(send.envelope.message));
  const auto server = send.peer == kCatalogPeer ? kCatalog : kAllocator;
  const auto to = is_server ? peers_.at(send.peer) : server;
  names_.learn(to, send.envelope.message);
  const bool is_heartbeat = std::holds_alternative<Heartbeat>(send.envelope.message);
  const bool is_lost = cut_.contains(from) || cut_.contains(to);
  if (!is_heartbeat || heartbeats_shown_) {
    say(from + " -> " + to + " " + names_.print(send.envelope.message) + (is_lost ? " (lost)" : ""));
  }
  if (is_lost) return;
  const auto sender = from == kAllocator ? kAllocatorPeer
                      : from == kCatalog ? kCatalogPeer
                      : to == kCatalog   ? clients_.at(from).catalog_peer
                                         : clients_.at(from).peer;
  in_flight_.push_back({to, MessageReceived{sender, std::move(send.envelope)}});
}

void World::start_run(const std::string& agent, const StartRun& run) {
  if (const auto& why = clients_.at(agent).trouble; !why.empty()) {
    say(agent + " cannot start " + run.task.id.value);
    RunExited exited{run.launch, {}, nullptr, "", AgentFault{AgentFault::What::start, why}};
    return in_flight_.push_back({agent, std::move(exited)});
  }
  say(agent + " starts " + run.task.id.value);
  clients_.at(agent).runs[run.task.id.value] = {run.launch, run.task.work};
  in_flight_.push_back({agent, RunStarted{run.launch}});
}

void World::signal_run(const std::string& agent, const SignalRun& signal) {
  for (const auto& [task, run] : clients_.at(agent).runs) {
    if (run.launch != signal.launch) continue;
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
  const auto node = runs.extract(task);
  if (node.empty()) throw std::invalid_argument(agent + " does not run " + task);
  const auto& [launch, work] = node.mapped();
  const bool well = status.code == 0 && status.signal == 0;
  step(agent, RunExited{launch, status, well ? made_by(*work) : nullptr, ""});
}

void World::set_trouble(const std::string& agent, const std::string& why) {
  if (!clients_.contains(agent)) throw std::invalid_argument("there is no " + agent);
  clients_.at(agent).trouble = why;
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

Message World::ask(const std::string& server, Message question) {
  Envelope envelope;
  envelope.message = std::move(question);
  answered_.reset();
  step(server, MessageReceived{kPersonPeer, envelope});
  if (!answered_) throw std::logic_error("the " + server + " does not answer");
  return std::move(*answered_);
}

ClusterState World::describe() { return std::get<ClusterState>(ask(kAllocator, Describe{1})); }

AdminDone World::operate(Message change) { return std::get<AdminDone>(ask(kAllocator, std::move(change))); }

void World::ask_for(Message change) {
  Envelope envelope;
  envelope.message = std::move(change);
  step(kAllocator, MessageReceived{kOperatorPeer, envelope});
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

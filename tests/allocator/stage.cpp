#include "tests/allocator/stage.hpp"
#include "tests/reads_back.hpp"

#include <algorithm>

namespace proffer {

AllocatorConfig without_heartbeats() {
  AllocatorConfig config;
  config.heartbeat = Duration::zero();
  return config;
}

AllocatorConfig with_long_offers() {
  AllocatorConfig config;
  config.offer_timeout = std::chrono::hours(1);
  return config;
}

AllocatorConfig with_pools(std::vector<AllocatorPool> pools) {
  auto config = without_heartbeats();
  config.pools = std::move(pools);
  return config;
}

namespace {

Demand demand_of(std::optional<std::int64_t> maps) {
  Demand demand;
  if (maps) demand.kinds[kMap] = *maps;
  return demand;
}

std::string verdict_text(const Accepted& answer) {
  std::string text;
  for (const auto& verdict : answer.verdicts) {
    if (!text.empty()) text += ' ';
    text += verdict.task.value;
    if (verdict.ok) continue;
    text += "=" + std::string(to_string(verdict.state)) + "(" + std::string(to_string(verdict.reason)) + ")";
  }
  return text;
}

}  // namespace

namespace {

std::vector<Kept> listed_records(const Stage::Records& records) {
  std::vector<Kept> kept;
  for (const auto& [key, record] : records) kept.push_back(record);
  return kept;
}

}  // namespace

Stage::Stage(AllocatorConfig config, const Records& records)
    : config_(std::move(config)),
      allocator_(std::make_unique<Allocator>(config_, kCluster, epoch_, Random(42), SecretSource(Random(43)),
                                             listed_records(records))),
      records_(records) {}

void Stage::restart() {
  ++epoch_.value;
  allocator_ = std::make_unique<Allocator>(config_, kCluster, epoch_, Random(42 + epoch_.value),
                                           SecretSource(Random(43 + epoch_.value)), listed_records(records_));
  for (auto& [name, client] : clients_) {
    reconnect(name);
    client.session = {};
    client.offers.clear();
    client.inbox.clear();
    client.accepts = 0;
  }
}

void Stage::restart_empty() {
  records_.clear();
  restart();
}

// ---- events ----

void Stage::step(const Event& event) {
  Actions actions;
  allocator_->step(event, actions, now_);
  expect_reads_back(actions, event);
  if (++steps_ % check_every_ == 0) allocator_->check_invariants();
  for (auto& action : actions) {
    if (auto* send = std::get_if<Send>(&action)) receive(std::move(*send));
    if (auto* emit = std::get_if<Emit>(&action)) traces_.push_back(std::move(emit->trace));
    if (auto* keep = std::get_if<KeepRecord>(&action)) keep_record(std::move(keep->record));
    if (auto* drop = std::get_if<DropRecord>(&action)) drop_record(drop->key);
    if (auto* keep = std::get_if<KeepPools>(&action)) kept_.push_back(std::move(*keep));
    if (std::holds_alternative<ClosePeer>(action)) ++closed_;
  }
}

void Stage::say(const std::string& name, Message message) {
  auto& from = client(name);
  step(MessageReceived{from.peer, {kCluster, epoch_, from.session, ++from.seq, std::move(message)}});
}

void Stage::say_first(const std::string& name, Message message) {
  step(MessageReceived{client(name).peer, {{}, {}, {}, 0, std::move(message)}});
}

void Stage::pass(Duration time) {
  const auto end = now_ + time;
  while (allocator_->next_deadline() && *allocator_->next_deadline() <= end) {
    now_ = std::max(now_, *allocator_->next_deadline());
    step(TimePassed{});
    for (const auto& [name, unused] : clients_) {
      if (!take<Heartbeat>(name).empty() && !client(name).mute) say(name, Heartbeat{});
    }
  }
  now_ = end;
}

void Stage::reconnect(const std::string& name) {
  auto& former = client(name);
  former.peer = PeerId{next_peer_++};
  by_peer_[former.peer.value] = name;
}

void Stage::receive(Send send) {
  const auto found = by_peer_.find(send.peer.value);
  if (found == by_peer_.end()) return;
  auto& to = client(found->second);
  if (to.peer != send.peer) return;  // the connection is gone
  EXPECT_EQ(send.envelope.cluster, kCluster);
  EXPECT_EQ(send.envelope.epoch, epoch_);
  note(to, send.envelope.message, send.envelope.session);
  to.inbox.push_back(std::move(send.envelope.message));
}

void Stage::note(Client& to, const Message& message, SessionId session) {
  const bool opens =
      std::holds_alternative<Registered>(message) || std::holds_alternative<Subscribed>(message);
  if (opens && session != to.session) {
    to.session = session;
    to.seq = 0;
    to.offers.clear();
  }
  if (const auto* registered = std::get_if<Registered>(&message)) {
    to.agent = registered->agent;
    to.secret = registered->secret;
  }
  if (const auto* subscribed = std::get_if<Subscribed>(&message)) {
    to.framework = subscribed->framework;
    to.secret = subscribed->secret;
  }
  if (const auto* beat = std::get_if<Heartbeat>(&message)) to.beat = *beat;
  if (const auto* launch = std::get_if<Launch>(&message)) to.launches[launch->task.id.value] = *launch;
  if (const auto* offers = std::get_if<Offers>(&message)) {
    to.offers.insert(to.offers.end(), offers->offers.begin(), offers->offers.end());
  }
  if (const auto* rescind = std::get_if<Rescind>(&message)) {
    std::erase_if(to.offers, [&](const Offer& offer) {
      return std::count(rescind->offers.begin(), rescind->offers.end(), offer.id) > 0;
    });
  }
}

Stage::Client& Stage::client(const std::string& name) {
  const auto [at, fresh] = clients_.try_emplace(name);
  if (fresh) {
    at->second.peer = PeerId{next_peer_++};
    by_peer_[at->second.peer.value] = name;
  }
  return at->second;
}

std::string Stage::name_of(AgentId agent) const {
  for (const auto& [name, client] : clients_) {
    if (client.agent == agent) return name;
  }
  return "nobody";
}

// ---- agents ----

void Stage::agent(const std::string& name, std::int64_t maps, const std::string& rack) {
  agent(name, Resources{{kMap, maps}}, rack);
}

void Stage::agent(const std::string& name, const Resources& slots, const std::string& rack) {
  auto message = registration(name, slots);
  message.rack = rack;
  say_first(name, std::move(message));
}

Register Stage::registration(const std::string& name, const Resources& slots, std::vector<AgentTask> tasks,
                             std::uint64_t run) {
  const auto& agent = client(name);
  return {agent.agent, run, name, "r1", "tcp://" + name, slots, std::move(tasks), "", agent.secret};
}

AgentTask Stage::listed(const std::string& agent, const std::string& task, TaskState state) {
  const auto& launch = client(agent).launches.at(task);
  const auto resources = is_terminal(state) ? Resources{} : launch.task.resources;
  return {launch.framework, launch.task.id, launch.launch, state, client(agent).seqs[task], resources};
}

void Stage::ack_launch(const std::string& agent, const std::string& task) {
  say(agent, LaunchAck{client(agent).launches.at(task).launch});
}

void Stage::status(const std::string& agent, const std::string& task, TaskState state) {
  const auto launch = client(agent).launches.at(task);
  TaskStatus status;
  status.framework = launch.framework;
  status.task = launch.task.id;
  status.seq = ++client(agent).seqs[task];
  status.state = state;
  if (is_terminal(state)) status.reason = TaskReason::exit;
  say(agent, Status{launch.launch, status});
}

// ---- frameworks ----

void Stage::framework(const std::string& name, FrameworkOptions options) {
  Subscribe subscribe;
  subscribe.framework = client(name).framework;
  subscribe.secret = client(name).secret;
  subscribe.name = name;
  subscribe.pool = options.pool;
  subscribe.user = options.user;
  subscribe.failover_timeout = options.failover;
  subscribe.demand = demand_of(options.demand);
  subscribe.instance = options.instance;
  subscribe.framework_epoch = options.epoch;
  say_first(name, std::move(subscribe));
}

std::string Stage::offers(const std::string& framework) {
  std::string text;
  for (const auto& message : take<Offers>(framework)) {
    for (const auto& offer : message.offers) {
      if (!text.empty()) text += ' ';
      text += offer.agent.name;
      for (const auto& [kind, units] : offer.resources) {
        text += (kind == kMap ? ":" : ":" + std::string(kind.name()) + ":") + std::to_string(units);
      }
      if (offer.idle) text += '*';
    }
  }
  return text;
}

std::vector<OfferId> Stage::held(const std::string& framework, const std::string& agent) {
  std::vector<OfferId> ids;
  for (const auto& offer : client(framework).offers) {
    if (agent.empty() || offer.agent.name == agent) ids.push_back(offer.id);
  }
  return ids;
}

void Stage::decline(const std::string& framework, const std::string& agent, DeclineOptions options) {
  const auto ids = held(framework, agent);
  EXPECT_FALSE(ids.empty()) << framework << " holds nothing on " << agent;
  std::erase_if(client(framework).offers,
                [&](const Offer& offer) { return std::count(ids.begin(), ids.end(), offer.id) > 0; });
  say(framework, Decline{ids, options.reason, options.refuse_for, demand_of(options.demand)});
}

TaskSpec Stage::task(const std::string& id, std::int64_t maps) const {
  static const auto work = std::make_shared<const Work>(CommandWork{{"true"}, {}});
  return {{id}, {{kMap, maps}}, kJob, work};
}

std::string Stage::accept(const std::string& framework, const std::string& agent,
                          const std::vector<std::string>& tasks, AcceptOptions options) {
  Accept accept;
  accept.offers = held(framework, agent);
  for (const auto& id : tasks) accept.tasks.push_back(task(id));
  accept.rest_reason = options.rest_reason;
  accept.rest_refuse_for = options.rest_refuse_for;
  accept.demand = demand_of(options.demand);
  return this->accept(framework, std::move(accept));
}

std::string Stage::accept(const std::string& framework, Accept accept) {
  accept.accept = ++client(framework).accepts;
  std::erase_if(client(framework).offers, [&](const Offer& offer) {
    return std::count(accept.offers.begin(), accept.offers.end(), offer.id) > 0;
  });
  return resend(framework, accept);
}

std::string Stage::resend(const std::string& framework, const Accept& accept) {
  say(framework, accept);
  const auto answers = take<Accepted>(framework);
  if (answers.size() != 1) return std::to_string(answers.size()) + " answers";
  EXPECT_EQ(answers.front().accept, accept.accept);
  return verdict_text(answers.front());
}

void Stage::revive(const std::string& framework, std::vector<Kind> kinds) {
  say(framework, Revive{std::move(kinds), {}});
}

void Stage::run(const std::string& framework, const std::string& agent, const std::string& task) {
  EXPECT_EQ(accept(framework, agent, {task}), task);
  ack_launch(agent, task);
  status(agent, task, TaskState::running);
  take<Update>(framework);
  acknowledge(framework, task, 1);
  take<Acknowledge>(agent);
}

std::string Stage::updates(const std::string& framework) {
  std::string text;
  for (const auto& update : take<Update>(framework)) {
    if (!text.empty()) text += ", ";
    text += update.status.task.value + " " + std::string(to_string(update.status.state));
    const auto reason = update.status.reason;
    if (reason != TaskReason::none && reason != TaskReason::exit) {
      text += "(" + std::string(to_string(reason)) + ")";
    }
  }
  return text;
}

void Stage::acknowledge(const std::string& framework, const std::string& task, std::uint64_t seq) {
  say(framework, Acknowledge{client(framework).framework, {task}, ((epoch_.value - 1) << 32) + seq});
}

ClusterState Stage::describe(std::uint64_t tasks) {
  say_first("person", Describe{1, tasks});
  ClusterState whole;
  for (auto& page : take<ClusterState>("person")) {
    whole.preemption = page.preemption;
    whole.agents_known = page.agents_known;
    whole.agents_back = page.agents_back;
    whole.recovers_for = page.recovers_for;
    whole.preemption_deadline = page.preemption_deadline;
    whole.degraded = page.degraded;
    whole.living = page.living;
    whole.tasks.insert(whole.tasks.end(), page.tasks.begin(), page.tasks.end());
    whole.agents.insert(whole.agents.end(), page.agents.begin(), page.agents.end());
    whole.frameworks.insert(whole.frameworks.end(), page.frameworks.begin(), page.frameworks.end());
    whole.pools.insert(whole.pools.end(), page.pools.begin(), page.pools.end());
  }
  return whole;
}

FrameworkState Stage::describe(const std::string& framework) {
  for (auto& state : describe().frameworks) {
    if (state.name == framework) return state;
  }
  ADD_FAILURE() << framework << " is not described";
  return {};
}

// ---- what was said ----

std::optional<ErrorCode> Stage::error(const std::string& name) {
  const auto errors = take<ErrorMessage>(name);
  EXPECT_LE(errors.size(), 1u);
  if (errors.empty()) return {};
  return errors.front().error.code;
}

std::string Stage::error_text(const std::string& name) {
  const auto errors = take<ErrorMessage>(name);
  return errors.empty() ? "" : errors.front().error.message;
}

}  // namespace proffer

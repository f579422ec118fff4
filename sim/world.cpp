#include "sim/world.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/frameworks/policy_failed.hpp"
#include "proffer/study/plan_rules.hpp"

namespace proffer::sim {
namespace {

constexpr std::uint64_t kStepsAtOneInstant =
    50'000'000;  // far more than any cluster causes; then something spins
constexpr std::uint64_t kStepsBetweenProgress = 1 << 17;

}  // namespace

World::World(const study::Plan& plan, study::TraceSink& sink, const SimulationOptions& options)
    : plan_(plan),
      sink_(sink),
      options_(options),
      network_({plan.latency, options.codec}, queue_, inbox_),
      executor_(
          plan, queue_,
          [this](AgentNo agent, Event event) {
            if (const auto* stored = std::get_if<BlockStored>(&event)) agents_.stored(agent, *stored);
            inbox_.push_back({kFirstAgentNode + agent, std::move(event)});
          },
          [this] {
            inbox_.push_back({workers_, TimePassed{}});
          }),
      agents_(plan),
      submissions_(plan, queue_) {}

Result<Simulated> World::run() {
  const auto end = kStart + plan_.horizon;
  while (!over() && !failure_) {
    const auto next = queue_.next();
    if (!next || *next > end) break;
    if (*next > now_) steps_now_ = 0;
    now_ = *next;
    // All that is due at this instant comes before what it causes at the same instant.
    while (queue_.next() == now_) happen(queue_.pop());
    deliver();
  }
  if (failure_) return *failure_;
  Simulated outcome;
  outcome.events = steps_;
  outcome.jobs_ended = submissions_.ended();
  outcome.jobs_failed = submissions_.failed();
  outcome.complete = over();
  outcome.cached_bytes = executor_.cached.bytes();
  outcome.duration = (outcome.complete ? now_ : std::max(now_, end)) - kStart;
  return outcome;
}

bool World::over() const { return submissions_.all_ended() && inbox_.empty(); }

void World::happen(const Happening& next) {
  switch (next.what) {
    case What::message:
      return network_.arrived(next.id);
    case What::wake:
      if (nodes_[next.id] && nodes_[next.id]->wake_at == next.at) return wake(next.id);
      return;  // its deadline has moved, or it was woken before
    case What::run_phase:
      return executor_.runs.phase_over(next.id, next.version, now_);
    case What::flow_end:
      return executor_.transfers.due(next.id, next.version, now_);
    case What::submission:
      return submit(next.id);
    case What::fault:
      return fault(next.id, next.version != 0);
    case What::node_start:
      inbox_.push_back({next.id, TimePassed{}});
      return;
  }
}

void World::wake(NodeNo number) {
  auto& node = *nodes_[number];
  node.wake_at.reset();
  const auto due = node.next_deadline();
  if (due && *due <= now_) {
    inbox_.push_back({number, TimePassed{}});
  } else {
    schedule_wake(number);
  }
}

void World::submit(std::uint32_t job) {
  const auto node = submissions_.submit(job);
  if (!node) {
    failure_ = node.error();
    return;
  }
  inbox_.push_back({*node, TimePassed{}});
}

void World::fault(std::uint32_t number, bool over) {
  using Kind = study::PlanFault::What;
  constexpr std::int64_t kUsual = 1000;
  const auto& fault = plan_.faults[number];
  switch (fault.what) {
    case Kind::kill_node: {
      const auto agent = agents_.number_of(fault.target);
      return over ? revive(agent) : kill(agent);
    }
    case Kind::slow_node:
      return executor_.nodes.slow_down(agents_.number_of(fault.target), over ? kUsual : fault.factor_milli);
    case Kind::cut_node:
    case Kind::cut_rack:
      return cut(fault, over);
    case Kind::stop_allocator:
      return over ? start_server(kAllocatorNode) : stop_server(kAllocatorNode);
    case Kind::stop_catalog:
      return over ? start_server(kCatalogNode) : stop_server(kCatalogNode);
  }
}

/// Takes the machine away. Its peers learn that as they would if it were switched off in good order: their
/// connections end.
void World::kill(AgentNo agent) {
  nodes_[kFirstAgentNode + agent].reset();
  executor_.lose(agent, now_);
  network_.lose(kFirstAgentNode + agent);
}

void World::revive(AgentNo agent) {
  executor_.nodes.come_back(agent);
  nodes_[kFirstAgentNode + agent] = agents_.start(agent);
  inbox_.push_back({kFirstAgentNode + agent, TimePassed{}});
}

/// Lets nothing pass any more, or again. Nobody is told: peers find out by silence, and come back by
/// themselves.
void World::cut(const study::PlanFault& fault, bool over) {
  auto& nodes = executor_.nodes;
  const int by = over ? -1 : 1;
  std::vector<AgentNo> members;
  if (fault.what == study::PlanFault::What::cut_rack) {
    members = nodes.cut_rack(fault.target, by);
  } else {
    members = {agents_.number_of(fault.target)};
    nodes.cut_node(members.front(), by);
  }
  for (const auto agent : members) network_.set_cut(kFirstAgentNode + agent, nodes.is_cut_off(agent));
  if (!over) executor_.reroute(now_);
}

void World::stop_server(NodeNo server) {
  nodes_[server].reset();
  std::vector<NodeNo> clients;
  for (auto node = kFirstAgentNode; node < nodes_.size(); ++node) {
    if (nodes_[node]) clients.push_back(node);
  }
  network_.lose_server(server, clients);
}

void World::start_server(NodeNo server) {
  network_.server_is_back(server);
  nodes_[server] = servers_->start(server);
  inbox_.push_back({server, TimePassed{}});
}

void World::deliver() {
  while (!inbox_.empty() && !failure_) {
    const auto arrival = std::move(inbox_.front());
    inbox_.pop_front();
    step(arrival.to, arrival.event);
  }
}

void World::step(NodeNo number, const Event& event) {
  auto& node = *nodes_[number];
  actions_.clear();
  node.step(event, actions_, now_);
  if (servers_die_ && number < kFirstAgentNode) servers_->keep(number, actions_);
  for (auto& action : actions_) carry_out(number, action);
  schedule_wake(number);
  if (const auto* refusal = node.refusal(); refusal != nullptr && !failure_) {
    failure_ = Error{refusal->code, node.source() + " was refused: " + refusal->message};
  }
  ++steps_;
  PROFFER_CHECK(++steps_now_ < kStepsAtOneInstant, "time does not go on");
  check_some();
}

void World::check_some() {
  if (options_.check_every > 0 && steps_ % options_.check_every == 0) {
    for (const auto& node : nodes_) {
      if (node) node->check_invariants();
    }
    executor_.transfers.check_invariants();
  }
  if (options_.event_limit > 0 && steps_ >= options_.event_limit && !failure_) {
    failure_ = Error{ErrorCode::slow_down, "gave up after " + std::to_string(steps_) + " events"};
  }
  if (options_.progress && steps_ % kStepsBetweenProgress == 0) {
    options_.progress(now_ - kStart, submissions_.ended());
  }
}

void World::schedule_wake(NodeNo number) {
  auto& node = *nodes_[number];
  const auto due = node.next_deadline();
  if (!due || (node.wake_at && *node.wake_at <= *due)) return;
  node.wake_at = std::max(*due, now_);
  queue_.push(*node.wake_at, What::wake, number);
}

void World::carry_out(NodeNo number, Action& action) {
  const auto agent = number - kFirstAgentNode;  // of an agent's actions
  if (auto* emit = std::get_if<Emit>(&action)) {
    note(number, emit->trace);
  } else if (auto* send = std::get_if<Send>(&action)) {
    network_.send(number, send->peer, std::move(send->envelope), now_);
  } else if (const auto* start = std::get_if<StartRun>(&action)) {
    executor_.runs.start(agent, *start, now_);
  } else if (const auto* delivered = std::get_if<DeliverInputs>(&action)) {
    executor_.runs.deliver(agent, *delivered, now_);
  } else if (const auto* permit = std::get_if<GrantCompute>(&action)) {
    executor_.runs.permit_computing(agent, permit->launch, now_);
  } else if (const auto* signal = std::get_if<SignalRun>(&action)) {
    executor_.runs.end(agent, signal->launch, now_);
  } else if (const auto* drop = std::get_if<DropBlock>(&action)) {
    executor_.nodes.drop({agent, drop->block});
    agents_.dropped(agent, drop->block);
    inbox_.push_back({number, BlockVanished{drop->block}});
  } else if (const auto* fetch = std::get_if<FetchBlock>(&action)) {
    executor_.copies.fetch(agent, *fetch, now_);
  }
  // Other actions have no counterpart here: names need not outlive a simulation, and there are no bytes and
  // tokens.
}

void World::note(NodeNo number, const Trace& trace) {
  auto& node = *nodes_[number];
  if (const auto* finished = std::get_if<JobFinished>(&trace)) {
    submissions_.finished(number, *finished, now_);
  }
  const auto* registered = std::get_if<AgentRegistered>(&trace);
  if (registered != nullptr && number == kAllocatorNode) {
    const auto agent = agents_.registered(registered->name, registered->agent);
    executor_.nodes.name(agent, registered->agent);
  }
  sink_.line(now_, node.next_line(), node.source(), trace);
}

Result<Simulated> simulate(const study::Plan& plan, study::TraceSink& sink,
                           const SimulationOptions& options) {
  if (auto checked = study::check_plan(plan); !checked) return checked.error();
  World world(plan, sink, options);
  try {
    if (auto populated = world.populate(); !populated) return populated.error();
    return world.run();
  } catch (const PolicyFailed& failed) {
    return Error{ErrorCode::io, failed.what()};
  }
}

}  // namespace proffer::sim

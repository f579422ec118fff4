#include "sim/world.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/study/plan_rules.hpp"

namespace proffer::sim {
namespace {

constexpr std::uint64_t kStepsAtOneInstant =
    50'000'000;  // far more than any cluster causes; then something spins
constexpr std::uint64_t kStepsBetweenProgress = 1 << 17;

}  // namespace

World::World(const study::Plan& plan, study::TraceSink& sink, const SimulationOptions& options)
    : plan_(plan), sink_(sink), options_(options) {}

Result<Simulated> World::run() {
  const auto end = kStart + plan_.horizon;
  while (!over() && !failure_) {
    const auto next = queue_.next();
    if (!next || *next > end) break;
    if (*next > now_) steps_now_ = 0;
    now_ = *next;
    // What is caused now comes after all that was due at this instant before.
    while (queue_.next() == now_) happen(queue_.pop());
    deliver();
  }
  if (failure_) return *failure_;
  outcome_.complete = over();
  outcome_.cached_bytes = runs_->cached_bytes();
  outcome_.duration = (outcome_.complete ? now_ : std::max(now_, end)) - kStart;
  return outcome_;
}

bool World::over() const { return outcome_.jobs_ended == plan_.workload.jobs.size() && inbox_.empty(); }

void World::happen(const Happening& next) {
  switch (next.what) {
    case What::message:
      return network_->arrived(next.id);
    case What::wake:
      if (nodes_[next.id] && nodes_[next.id]->wake_at == next.at) return wake(next.id);
      return;  // it was put off, or woken before
    case What::run_phase:
      return runs_->phase_over(next.id, next.version, now_);
    case What::flow_end:
      return runs_->flow_ended(next.id, next.version, now_);
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

void World::submit(std::uint32_t number) {
  const auto& job = plan_.workload.jobs[number];
  auto& [node, tenant] = tenants_[tenant_of_job_[number]];
  const auto submitted = tenant->submit(study::job_spec(plan_.workload, job, "simulated"));
  if (!submitted) {
    failure_ = submitted.error();
    return;
  }
  submitted_[{node, *submitted}] = number;
  inbox_.push_back({node, TimePassed{}});
}

void World::fault(std::uint32_t number, bool over) {
  constexpr std::int64_t kUsual = 1000;
  const auto& fault = plan_.faults[number];
  if (fault.what == study::PlanFault::What::kill_node) {
    const auto agent = agent_numbers_.at(fault.node);
    return over ? revive(agent) : kill(agent);
  }
  runs_->slow_down(agent_numbers_.at(fault.node), over ? kUsual : fault.factor_milli);
}

/// The machine is gone. Its peers learn of that as they would if it were switched off in good order: their
/// connections end.
void World::kill(AgentNo agent) {
  nodes_[kFirstAgentNode + agent].reset();
  runs_->lose(agent, now_);
  network_->lose(kFirstAgentNode + agent);
}

void World::revive(AgentNo agent) {
  runs_->come_back(agent);
  nodes_[kFirstAgentNode + agent] = make_agent(agent);
  inbox_.push_back({kFirstAgentNode + agent, TimePassed{}});
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
  for (auto& action : actions_) carry_out(number, action);
  schedule_wake(number);
  if (const auto* refusal = node.refusal(); refusal != nullptr && !failure_) {
    failure_ = Error{refusal->code, node.source() + " was refused: " + refusal->message};
  }
  ++outcome_.events;
  PROFFER_CHECK(++steps_now_ < kStepsAtOneInstant, "time does not go on");
  check_some();
}

void World::check_some() {
  const auto events = outcome_.events;
  if (options_.check_every > 0 && events % options_.check_every == 0) {
    for (const auto& node : nodes_) {
      if (node) node->check_invariants();
    }
    runs_->flows().check_invariants();
  }
  if (options_.event_limit > 0 && events >= options_.event_limit && !failure_) {
    failure_ = Error{ErrorCode::slow_down, "gave up after " + std::to_string(events) + " events"};
  }
  if (options_.progress && events % kStepsBetweenProgress == 0) {
    options_.progress(now_ - kStart, outcome_.jobs_ended);
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
    network_->send(number, send->peer, std::move(send->envelope), now_);
  } else if (const auto* start = std::get_if<StartRun>(&action)) {
    runs_->start(agent, *start, now_);
  } else if (const auto* delivered = std::get_if<DeliverInputs>(&action)) {
    runs_->deliver(agent, *delivered, now_);
  } else if (const auto* leave = std::get_if<GiveLeave>(&action)) {
    runs_->give_leave(agent, leave->launch, now_);
  } else if (const auto* signal = std::get_if<SignalRun>(&action)) {
    runs_->end(agent, signal->launch, now_);
  } else if (const auto* drop = std::get_if<DropBlock>(&action)) {
    runs_->drop(agent, drop->block);
    agents_[agent].drop(drop->block);
    inbox_.push_back({number, BlockVanished{drop->block}});
  } else if (const auto* fetch = std::get_if<FetchBlock>(&action)) {
    runs_->fetch(agent, *fetch, now_);
  }
  // The rest has no counterpart here: names need not outlive a run, and bytes and tokens there are none.
}

void World::note(NodeNo number, const Trace& trace) {
  auto& node = *nodes_[number];
  if (const auto* finished = std::get_if<JobFinished>(&trace)) job_finished(number, *finished);
  const auto* registered = std::get_if<AgentRegistered>(&trace);
  if (registered != nullptr && number == kAllocatorNode) {
    const auto at = agent_numbers_.find(registered->name);
    PROFFER_CHECK(at != agent_numbers_.end(), "an agent registered that is not in the plan");
    runs_->name_agent(at->second, registered->agent);
    agents_[at->second].id = registered->agent;
  }
  sink_.line(now_, node.next_line(), node.source(), trace);
}

void World::job_finished(NodeNo node, const JobFinished& trace) {
  ++outcome_.jobs_ended;
  const auto& job = plan_.workload.jobs[submitted_.at({node, trace.job})];
  if (!trace.ok) outcome_.jobs_failed.push_back(job.name + ": " + trace.why);
  const auto next = successors_.find(job.name);
  if (next == successors_.end()) return;
  for (const auto successor : next->second) {
    const auto after = job.cleanup + study::submitted_at(plan_.workload.jobs[successor]);
    queue_.push(now_ + after, What::submission, successor);
  }
}

Result<Simulated> simulate(const study::Plan& plan, study::TraceSink& sink,
                           const SimulationOptions& options) {
  if (auto checked = study::check_plan(plan); !checked) return checked.error();
  World world(plan, sink, options);
  if (auto populated = world.populate(); !populated) return populated.error();
  return world.run();
}

}  // namespace proffer::sim

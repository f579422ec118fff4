#include "proffer/live/executor.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "live/os/descriptor.hpp"
#include "live/os/event_fd.hpp"
#include "live/os/replace_file.hpp"
#include "live/run/kept_outputs.hpp"
#include "live/run/launcher_client.hpp"
#include "live/run/local_socket.hpp"
#include "live/run/outbox.hpp"
#include "live/run/process_facts.hpp"
#include "live/run/run_folders.hpp"
#include "live/run/sandbox.hpp"
#include "live/run/sandbox_shelf.hpp"
#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::live {
namespace {

/// Messages for a task are lost with so much on its way to it, unless its shim hangs.
constexpr std::size_t kRunIsBehind = 4 << 20;

/// Runs that say nothing of themselves within this time after a start count as living: their shims hang.
constexpr auto kListingPatience = std::chrono::seconds(10);
constexpr std::chrono::duration<int, std::milli> kMeetingPatience{1000};

ResultPtr result_of(const Packet& packet) {
  if (!packet.has_result) return nullptr;
  auto result = decode_result(packet.bytes);
  return result ? std::make_shared<const TaskResult>(std::move(*result)) : nullptr;
}

/// No launch of a run is a probe's: those begin with an epoch of an allocator, which is never 0.
bool is_probe(LaunchId launch) { return launch.epoch == 0; }

/// Returns the end of a run that was never started. `code`: of the error that says why.
RunExited not_started(LaunchId launch, const std::string& why, ErrorCode code) {
  if (code == ErrorCode::invalid) return {launch, {}, nullptr, why};
  return {launch, {}, nullptr, "", AgentFault{AgentFault::What::start, why}};
}

RunExited exit_of(const Packet& packet) {
  if (!packet.text.empty()) {
    return not_started(packet.launch, packet.text, packet.of_agent ? ErrorCode::io : ErrorCode::invalid);
  }
  if (!packet.ran.empty()) {
    return {packet.launch, packet.exit, nullptr, "", AgentFault{AgentFault::What::ran, packet.ran}};
  }
  RunExited exited{packet.launch, packet.exit, result_of(packet), ""};
  if (!packet.lost.empty()) exited.fault = AgentFault{AgentFault::What::output, packet.lost};
  exited.remark = packet.remark;
  return exited;
}

/// Returns what a probe has found to fail; empty: nothing.
std::string what_fails(const RunExited& probe) {
  if (probe.fault) return probe.fault->why;
  if (probe.exit == ExitStatus{}) return "";
  if (probe.exit.signal != 0) return "a probe was ended by signal " + std::to_string(probe.exit.signal);
  return "a probe ended with exit code " + std::to_string(probe.exit.code);
}

/// Names of the files that an agent keeps.
std::vector<std::string> cached_in(const Work& work) {
  std::vector<std::string> names;
  std::visit(
      [&names](const auto& body) {
        if constexpr (requires { body.cached; }) {
          for (const auto& file : body.cached) names.push_back(file.name);
        }
      },
      work);
  return names;
}

}  // namespace

/// A run as the executor knows it, from its StartRun or its record until its end is settled.
struct ExecutedRun {
  std::string sandbox;
  std::vector<std::string> cached;  // files in its sandbox whose bytes are the agent's
  std::optional<Packet> spawn;      // until it is known that a shim has it
  bool sent = false;                // to a launcher, which may have died of it
  bool attached = false;            // its shim can be spoken to: what comes for it is sent at once
  bool began = false;
  bool ended = false;
  Outbox orders;           // signals and deliveries that the shim has not heard
  std::uint64_t said = 0;  // the newest number of what it said
};

struct Executor::Impl {
  explicit Impl(ExecutorConfig given)
      : config(std::move(given)),
        folders(config.dir),
        client({config.dir, config.launcher_path, config.run, config.launcher_idle}),
        shelf(config.sandboxes_dir, config.keep_sandboxes, recorded_sandboxes(folders)),
        outputs(DataFolders(config.blocks_dir, config.outputs_dir)) {}

  Result<> open();
  Result<> meet();
  // what the agent wants
  void start(const StartRun& run);
  void probe();
  void begin(Packet spawn);
  void signal(const SignalRun& signal);
  void deliver(LaunchId launch, TaskFrameKind kind, std::string bytes);
  void order(LaunchId launch, ExecutedRun& run, Packet packet);
  void settle(LaunchId launch);
  // what the launcher and the shims say
  void on_packet(const Packet& packet);
  void on_welcome(const Packet& packet);
  void on_listed(const Packet& packet);
  void on_exited(const Packet& packet);
  void on_said(const Packet& packet);
  void send_all(LaunchId launch, ExecutedRun& run);
  ExecutedRun* adopt(LaunchId launch);
  void end(ExecutedRun& run, const RunExited& exited);
  void fail_unsent();
  void acknowledge();
  // the list of runs that were there before this process
  void list(LaunchId launch);
  void finish_list();
  std::vector<Event> hand_out();
  void push(Event event);

  ExecutorConfig config;
  RunFolders folders;
  LauncherClient client;
  SandboxShelf shelf;
  KeptOutputs outputs;
  EventFd wake;     // readable while there are events that did not come from the launcher
  Descriptor poll;  // epoll over both
  std::vector<Event> events;
  std::map<LaunchId, ExecutedRun> runs;
  std::set<LaunchId> to_acknowledge;
  std::uint64_t probes = 0;
  std::optional<std::set<LaunchId>> awaited;       // runs yet to be listed; none: no launcher has named them
  std::optional<RunsListed> found = RunsListed();  // none: it was told
  std::chrono::steady_clock::time_point list_by{};

  static SandboxShelf::Live recorded_sandboxes(const RunFolders& folders);
};

/// Returns the sandboxes of runs whose ends are not settled: they may live.
SandboxShelf::Live Executor::Impl::recorded_sandboxes(const RunFolders& folders) {
  SandboxShelf::Live live;
  for (const auto launch : folders.all()) {
    if (const auto record = folders.started(launch)) live[launch] = record->text;
  }
  return live;
}

Result<> Executor::Impl::open() {
  poll = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event readable{};
  readable.events = EPOLLIN;
  if (!wake.open() || ::epoll_ctl(poll.get(), EPOLL_CTL_ADD, wake.fd(), &readable) != 0) {
    return Error{ErrorCode::io, "the executor has no event queue"};
  }
  if (auto opened = client.open(); !opened) return opened;
  if (::epoll_ctl(poll.get(), EPOLL_CTL_ADD, client.fd(), &readable) != 0) {
    return Error{ErrorCode::io, "the executor has no event queue"};
  }
  list_by = std::chrono::steady_clock::now() + kListingPatience;
  return meet();
}

/// Waits a moment for the launcher's answer, which comes at once unless it hangs: then runs wait for it.
Result<> Executor::Impl::meet() {
  const auto give_up_at = std::chrono::steady_clock::now() + kMeetingPatience;
  while (!client.welcomed() && !client.missing() && std::chrono::steady_clock::now() < give_up_at) {
    pollfd wanted{client.fd(), POLLIN, 0};
    ::poll(&wanted, 1, kMeetingPatience.count());
    for (const auto& packet : client.receive()) on_packet(packet);
  }
  wake.notify();
  const auto why = client.missing();
  return why ? Result<>(*why) : Result<>();
}

void Executor::Impl::push(Event event) {
  events.push_back(std::move(event));
  wake.notify();
}

// ---- what the agent wants ----

void Executor::Impl::start(const StartRun& run) {
  const auto fail = [&](const Error& error) { push(not_started(run.launch, error.message, error.code)); };
  if (auto ready = client.ensure(); !ready) return fail(ready.error());
  PROFFER_CHECK(valid_name(run.framework_name) && valid_task_id(run.task.id.value) && run.task.work,
                "the agent starts only what has names and work");
  auto sandbox = shelf.make(run.launch, run.framework, run.framework_name, run.task.id);
  if (!sandbox) return fail(sandbox.error());
  auto packet = prepare_run(config, run, *sandbox);
  auto names = packet ? outputs.names_for(run) : packet.error();
  if (!names) {
    shelf.finish(run.launch);
    return fail(names.error());
  }
  packet->kept_as = std::move(*names);
  packet->cached = cached_in(*run.task.work);
  begin(std::move(*packet));
}

/// Starts a probe as a run is started. Its launch cannot be that of a probe of an earlier start, nor its folder
/// that of a run: no framework has a '~' in its name.
void Executor::Impl::probe() {
  const auto fail = [&](const Error& error) { push(Probed{error.message}); };
  if (auto ready = client.ensure(); !ready) return fail(ready.error());
  const LaunchId launch{0, config.run << 32 | ++probes};
  auto sandbox = shelf.make(launch, {}, "~probe", {std::to_string(launch.n)});
  if (!sandbox) return fail(sandbox.error());
  auto packet = prepare_probe(config, launch, *sandbox);
  begin(std::move(packet));
}

void Executor::Impl::begin(Packet spawn) {
  ExecutedRun run;
  run.sandbox = spawn.text;
  run.cached = spawn.cached;
  const auto launch = spawn.launch;
  run.spawn = std::move(spawn);
  auto& kept = runs[launch] = std::move(run);
  if (client.welcomed()) send_all(launch, kept);
}

/// Sends the run to a launcher that does not have it, and what was ordered meanwhile.
void Executor::Impl::send_all(LaunchId launch, ExecutedRun& run) {
  if (run.spawn) client.send(*run.spawn);
  run.sent = run.attached = true;
  for (auto order : run.orders.kept()) {
    order.launch = launch;
    client.send(order);
  }
}

void Executor::Impl::order(LaunchId launch, ExecutedRun& run, Packet packet) {
  packet.launch = launch;
  const auto& numbered = run.orders.add(std::move(packet));
  if (run.attached) client.send(numbered);
}

void Executor::Impl::signal(const SignalRun& signal) {
  const auto run = runs.find(signal.launch);
  if (run == runs.end() || run->second.ended) return;
  auto packet = packet_of(PacketType::signal);
  packet.number = signal.signal == RunSignal::kill ? SIGKILL : SIGTERM;
  order(signal.launch, run->second, std::move(packet));
}

/// Sends something to a run. What does not fit is lost, except the permit to compute, which is asked for
/// once.
void Executor::Impl::deliver(LaunchId launch, TaskFrameKind kind, std::string bytes) {
  const auto run = runs.find(launch);
  if (run == runs.end() || run->second.ended) return;
  if (kind != TaskFrameKind::permit && run->second.orders.bytes() > kRunIsBehind) return;
  auto packet = packet_of(PacketType::deliver);
  packet.number = static_cast<std::int32_t>(kind);
  packet.bytes = std::move(bytes);
  order(launch, run->second, std::move(packet));
}

void Executor::Impl::settle(LaunchId launch) {
  outputs.drop(launch);
  runs.erase(launch);
  // Where it is lost, the next launcher tells of the run again, and gets it then.
  client.send(packet_of(PacketType::settle, launch));
}

// ---- what the launcher and the shims say ----

void Executor::Impl::on_packet(const Packet& packet) {
  if (packet.type == PacketType::welcome) return on_welcome(packet);
  if (packet.type == PacketType::exited) return on_exited(packet);
  if (packet.type == PacketType::listed) return on_listed(packet);
  const auto run = runs.find(packet.launch);
  if (run == runs.end()) return;
  if (packet.type == PacketType::heard) return run->second.orders.heard(packet.seq);
  if (packet.type != PacketType::started) return on_said(packet);
  run->second.spawn.reset();
  if (std::exchange(run->second.began, true) || is_probe(packet.launch)) return;
  events.emplace_back(RunStarted{packet.launch});
}

/// A new launcher knows of runs by their shims and records alone.
void Executor::Impl::on_welcome(const Packet& packet) {
  std::set<LaunchId> there;
  for (const auto& name : packet.argv) {
    if (const auto launch = launch_of(name)) there.insert(*launch);
  }
  std::vector<LaunchId> vanished;
  for (auto& [launch, run] : runs) {
    run.attached = false;
    if (run.ended || there.contains(launch)) continue;
    if (run.spawn) {
      send_all(launch, run);
    } else {
      vanished.push_back(launch);
    }
  }
  const AgentFault fault{AgentFault::What::ran, "its records are gone"};
  for (const auto launch : vanished) end(runs.at(launch), {launch, {0, SIGKILL}, nullptr, "", fault});
  if (!found) return;
  awaited = std::move(there);
  // Nobody waits for a probe of the agent's former process; its end is settled when it comes.
  std::erase_if(*awaited, [this](LaunchId launch) { return runs.contains(launch) || is_probe(launch); });
}

/// Takes over a run of an earlier start. None when this is no such run, or is none that may go on.
ExecutedRun* Executor::Impl::adopt(LaunchId launch) {
  if (!found || !awaited || !awaited->contains(launch)) return nullptr;
  auto& run = runs[launch];
  if (const auto record = folders.started(launch)) {
    run.sandbox = record->text;
    run.cached = record->cached;
    outputs.adopt(launch, record->kept_as);
  }
  run.began = true;
  return &run;
}

void Executor::Impl::on_listed(const Packet& packet) {
  const auto known = runs.find(packet.launch);
  auto* run = known != runs.end() ? &known->second : adopt(packet.launch);
  if (run == nullptr) return;
  run->spawn.reset();
  if (known == runs.end()) run->orders.begin_after(packet.seq);
  run->orders.heard(packet.seq);
  if (!std::exchange(run->began, true) && !is_probe(packet.launch))
    events.emplace_back(RunStarted{packet.launch});
  send_all(packet.launch, *run);
  if (known != runs.end()) return;
  list(packet.launch);
  // The former process of the agent may have heard it, and the agent counts those that compute.
  if (packet.asked) events.emplace_back(ComputeAsked{packet.launch});
}

void Executor::Impl::on_exited(const Packet& packet) {
  const auto known = runs.find(packet.launch);
  if (known == runs.end()) {
    auto* run = adopt(packet.launch);
    if (run == nullptr) {
      shelf.drop(packet.launch);
      return settle(packet.launch);
    }
    end(*run, exit_of(packet));
    found->ended.push_back(std::get<RunExited>(events.back()));
    events.pop_back();
    awaited->erase(packet.launch);
  } else if (!known->second.ended) {
    end(known->second, exit_of(packet));
  }
}

void Executor::Impl::on_said(const Packet& packet) {
  auto& run = runs.at(packet.launch);
  to_acknowledge.insert(packet.launch);
  if (packet.seq <= run.said) return;
  run.said = packet.seq;
  if (packet.type == PacketType::permit_asked) events.emplace_back(ComputeAsked{packet.launch});
  if (packet.type == PacketType::message) events.emplace_back(RunSaid{packet.launch, packet.bytes});
}

void Executor::Impl::acknowledge() {
  for (const auto launch : std::exchange(to_acknowledge, {})) {
    const auto run = runs.find(launch);
    if (run == runs.end()) continue;
    auto packet = packet_of(PacketType::heard, launch);
    packet.seq = run->second.said;
    client.send(packet);
  }
}

void Executor::Impl::end(ExecutedRun& run, const RunExited& exited) {
  run.ended = true;
  run.spawn.reset();
  run.orders = {};
  if (is_probe(exited.launch)) {
    const auto launch = exited.launch;
    events.emplace_back(Probed{what_fails(exited)});
    shelf.drop(launch);
    return settle(launch);
  }
  for (const auto& name : run.cached)
    ::unlink((run.sandbox + "/" + name).c_str());  // a killed worker did not do it
  events.emplace_back(exited);
  shelf.finish(exited.launch);
}

/// Ends what no launcher has ever got, since none can be started.
void Executor::Impl::fail_unsent() {
  const auto why = client.missing();
  if (!why) return;
  std::vector<LaunchId> unsent;
  for (const auto& [launch, run] : runs) {
    if (run.spawn && !run.sent) unsent.push_back(launch);
  }
  for (const auto launch : unsent) end(runs.at(launch), not_started(launch, why->message, ErrorCode::io));
}

// ---- the list of runs that were there before this process ----

void Executor::Impl::list(LaunchId launch) {
  awaited->erase(launch);
  const auto record = folders.started(launch);
  found->living.push_back({launch, record ? age_since(record->start_time) : Duration::zero()});
}

void Executor::Impl::finish_list() {
  if (!found) return;
  const bool late = std::chrono::steady_clock::now() >= list_by;
  if (!awaited || (!awaited->empty() && !late)) return;
  for (const auto launch : std::set(*awaited)) {
    adopt(launch);
    list(launch);
  }
  events.insert(events.begin(), std::move(*found));
  found.reset();
}

std::vector<Event> Executor::Impl::hand_out() {
  finish_list();
  return found ? std::vector<Event>() : std::exchange(events, {});
}

// ---- the executor ----

Executor::Executor() = default;
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::start(ExecutorConfig config) {
  if (auto made = make_private_folders(config.dir + "/runs"); !made) return made.error();
  std::unique_ptr<Executor> executor(new Executor);
  executor->impl_ = std::make_unique<Impl>(std::move(config));
  if (auto opened = executor->impl_->open(); !opened) return opened.error();
  return executor;
}

void Executor::set_agent(AgentId agent) { impl_->config.agent = agent; }

void Executor::carry_out(const Action& action) {
  if (const auto* run = std::get_if<StartRun>(&action)) {
    impl_->start(*run);
  } else if (const auto* signal = std::get_if<SignalRun>(&action)) {
    impl_->signal(*signal);
  } else if (const auto* inputs = std::get_if<DeliverInputs>(&action)) {
    std::string bytes;
    encode_inputs(inputs->inputs, bytes);
    impl_->deliver(inputs->launch, TaskFrameKind::inputs, std::move(bytes));
  } else if (const auto* permit = std::get_if<GrantCompute>(&action)) {
    impl_->deliver(permit->launch, TaskFrameKind::permit, {});
  } else if (std::holds_alternative<Probe>(action)) {
    impl_->probe();
  } else if (const auto* settled = std::get_if<SettleRun>(&action)) {
    impl_->settle(settled->launch);
  } else {
    const auto* deliver = std::get_if<DeliverToRun>(&action);
    PROFFER_CHECK(deliver != nullptr,
                  "an executor starts, signals, delivers, probes and settles, nothing else");
    impl_->deliver(deliver->launch, TaskFrameKind::message, deliver->payload);
  }
}

int Executor::event_fd() const { return impl_->poll.get(); }

std::vector<Event> Executor::take_events() {
  impl_->wake.clear();
  for (const auto& packet : impl_->client.receive()) impl_->on_packet(packet);
  impl_->acknowledge();
  impl_->fail_unsent();
  return impl_->hand_out();
}

Result<> Executor::end_all() { return impl_->client.end_all(); }

Result<> end_runs_in(const std::string& dir, const std::string& launcher) {
  const RunFolders folders(dir);
  const auto runs = folders.all();
  const bool any = std::any_of(runs.begin(), runs.end(), [&](LaunchId launch) {
    return connect_to(folders.of(launch), kShimSocket).ok();
  });
  if (!any && !connect_to(dir, kLauncherSocket)) return {};
  LauncherClient client({dir, launcher, std::numeric_limits<std::uint64_t>::max(), std::chrono::seconds(1)});
  auto opened = client.open();
  return opened ? client.end_all() : opened;
}

}  // namespace proffer::live

#include "proffer/live/executor.hpp"

#include <signal.h>
#include <sys/epoll.h>

#include <map>
#include <utility>

#include "live/os/descriptor.hpp"
#include "live/os/event_fd.hpp"
#include "live/os/open_file.hpp"
#include "live/run/kept_outputs.hpp"
#include "live/run/launcher_process.hpp"
#include "live/run/sandbox.hpp"
#include "live/run/sandbox_shelf.hpp"
#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::live {
namespace {

/// Messages for tasks are lost with so much on its way to the launcher, which has nothing to do but read.
constexpr std::size_t kLauncherIsBehind = 4 << 20;

ResultPtr result_of(const Packet& packet) {
  if (!packet.has_result) return nullptr;
  auto result = decode_result(packet.bytes);
  return result ? std::make_shared<const TaskResult>(std::move(*result)) : nullptr;
}

/// Returns the end of a run that was never started. `code`: of the error that says why.
RunExited not_started(LaunchId launch, const std::string& why, ErrorCode code) {
  if (code == ErrorCode::invalid) return {launch, {}, nullptr, why};
  return {launch, {}, nullptr, "", AgentFault{AgentFault::What::start, why}};
}

RunExited exit_of(const Packet& packet) {
  if (!packet.text.empty()) {
    return not_started(packet.launch, packet.text, packet.of_agent ? ErrorCode::io : ErrorCode::invalid);
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

struct Executor::Impl {
  explicit Impl(ExecutorConfig given)
      : config(std::move(given)),
        shelf(config.sandboxes_dir, config.keep_sandboxes),
        outputs(DataFolders(config.blocks_dir, config.outputs_dir)) {}

  Result<> open();
  Result<> start_launcher();
  void start(const StartRun& run);
  void probe();
  Result<> ensure_launcher() { return launcher ? Result<>() : start_launcher(); }
  void signal(const SignalRun& signal);
  void deliver(LaunchId launch, TaskFrameKind kind, std::string bytes);
  void on_packet(const Packet& packet);
  void end(const RunExited& exited);
  void lose_launcher();
  void push(Event event);
  void watch_launcher(int what);
  void update_interest();

  ExecutorConfig config;
  SandboxShelf shelf;
  KeptOutputs outputs;
  std::unique_ptr<LauncherProcess> launcher;  // none: it was lost; the next run starts another
  bool wants_room = false;
  EventFd wake;     // readable while there are events that did not come from the launcher
  Descriptor poll;  // epoll over both
  std::vector<Event> events;
  struct Run {
    std::string sandbox;
    std::vector<std::string> cached;  // files in its sandbox whose bytes are the agent's
    pid_t group = -1;                 // -1: not yet known
    bool probe = false;
  };
  std::map<LaunchId, Run> runs;  // runs that live
  std::uint64_t probes = 0;
};

Result<> Executor::Impl::open() {
  poll = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event readable{};
  readable.events = EPOLLIN;
  if (!wake.open() || ::epoll_ctl(poll.get(), EPOLL_CTL_ADD, wake.fd(), &readable) != 0) {
    return Error{ErrorCode::io, "the executor has no event queue"};
  }
  return start_launcher();
}

Result<> Executor::Impl::start_launcher() {
  auto started = LauncherProcess::start(config.launcher_path);
  if (!started) return started.error();
  launcher = std::move(*started);
  wants_room = false;
  watch_launcher(EPOLL_CTL_ADD);
  return {};
}

void Executor::Impl::watch_launcher(int what) {
  epoll_event wanted{};
  wanted.events = wants_room ? EPOLLIN | EPOLLOUT : EPOLLIN;
  PROFFER_CHECK(::epoll_ctl(poll.get(), what, launcher->channel().fd(), &wanted) == 0,
                "the launcher's socket cannot be watched");
}

void Executor::Impl::update_interest() {
  if (!launcher) return;
  const bool behind = launcher->channel().queued() > 0;
  if (std::exchange(wants_room, behind) != behind) watch_launcher(EPOLL_CTL_MOD);
}

void Executor::Impl::push(Event event) {
  events.push_back(std::move(event));
  wake.notify();
}

void Executor::Impl::start(const StartRun& run) {
  const auto fail = [&](const Error& error) { push(not_started(run.launch, error.message, error.code)); };
  if (auto ready = ensure_launcher(); !ready) return fail(ready.error());
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
  runs[run.launch] = {*sandbox, cached_in(*run.task.work)};
  launcher->channel().send(*packet);
}

/// Starts a probe as a run is started. Its launch cannot be that of a run: those begin with an epoch of an
/// allocator, which is never 0. Nor can its folder: no framework has a '~' in its name.
void Executor::Impl::probe() {
  const auto fail = [&](const Error& error) { push(Probed{error.message}); };
  if (auto ready = ensure_launcher(); !ready) return fail(ready.error());
  const LaunchId launch{0, ++probes};
  auto sandbox = shelf.make(launch, {}, "~probe", {std::to_string(probes)});
  if (!sandbox) return fail(sandbox.error());
  runs[launch].sandbox = *sandbox;
  runs[launch].probe = true;
  launcher->channel().send(prepare_probe(config, launch, *sandbox));
}

void Executor::Impl::signal(const SignalRun& signal) {
  if (!launcher || !runs.contains(signal.launch)) return;
  Packet packet;
  packet.type = PacketType::signal;
  packet.launch = signal.launch;
  packet.number = signal.signal == RunSignal::kill ? SIGKILL : SIGTERM;
  launcher->channel().send(packet);
}

/// Sends something to a run. What does not fit is lost, except the permit to compute, which is asked for
/// once.
void Executor::Impl::deliver(LaunchId launch, TaskFrameKind kind, std::string bytes) {
  if (!launcher || !runs.contains(launch)) return;
  if (kind != TaskFrameKind::permit && launcher->channel().queued() > kLauncherIsBehind) return;
  Packet packet;
  packet.type = PacketType::deliver;
  packet.launch = launch;
  packet.number = static_cast<std::int32_t>(kind);
  packet.bytes = std::move(bytes);
  launcher->channel().send(packet);
}

void Executor::Impl::on_packet(const Packet& packet) {
  const auto run = runs.find(packet.launch);
  PROFFER_CHECK(run != runs.end(), "the launcher speaks of a run that does not live");
  if (packet.type == PacketType::started) {
    run->second.group = packet.number;
    if (!run->second.probe) events.emplace_back(RunStarted{packet.launch});
  }
  if (packet.type == PacketType::permit_asked) events.emplace_back(ComputeAsked{packet.launch});
  if (packet.type == PacketType::message) events.emplace_back(RunSaid{packet.launch, packet.bytes});
  if (packet.type != PacketType::exited) return;
  end(exit_of(packet));
}

void Executor::Impl::end(const RunExited& exited) {
  if (runs.at(exited.launch).probe) {
    events.emplace_back(Probed{what_fails(exited)});
    runs.erase(exited.launch);
    return shelf.drop(exited.launch);
  }
  const auto& run = runs.at(exited.launch);
  for (const auto& name : run.cached)
    ::unlink((run.sandbox + "/" + name).c_str());  // a killed worker did not do it
  events.emplace_back(exited);
  runs.erase(exited.launch);
  shelf.finish(exited.launch);
}

/// Ends all runs: the launcher has died by itself, so nobody else ends its tasks.
void Executor::Impl::lose_launcher() {
  launcher.reset();
  for (const auto& [launch, run] : std::map(runs)) {
    const bool ran = run.group > 0;
    if (ran) ::kill(-run.group, SIGKILL);
    const auto what = ran ? AgentFault::What::ran : AgentFault::What::start;
    end(RunExited{
        launch, {0, ran ? SIGKILL : 0}, nullptr, "", AgentFault{what, "the agent's launcher has ended"}});
  }
}

Executor::Executor() = default;
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::start(ExecutorConfig config) {
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
    impl_->outputs.drop(settled->launch);
  } else {
    const auto* deliver = std::get_if<DeliverToRun>(&action);
    PROFFER_CHECK(deliver != nullptr,
                  "an executor starts, signals, delivers, probes and settles, nothing else");
    impl_->deliver(deliver->launch, TaskFrameKind::message, deliver->payload);
  }
  impl_->update_interest();
}

int Executor::event_fd() const { return impl_->poll.get(); }

std::vector<Event> Executor::take_events() {
  impl_->wake.clear();
  if (impl_->launcher) {
    auto& channel = impl_->launcher->channel();
    for (const auto& packet : channel.receive()) impl_->on_packet(packet);
    channel.flush();
    if (!channel.open()) impl_->lose_launcher();
  }
  impl_->update_interest();
  return std::exchange(impl_->events, {});
}

}  // namespace proffer::live

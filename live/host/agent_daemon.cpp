#include "live/host/agent_effects.hpp"
#include "live/host/daemon.hpp"
#include "live/host/entropy.hpp"
#include "live/host/identity.hpp"
#include "proffer/live/daemons.hpp"

namespace proffer::live {
namespace {

struct Folders {
  std::string blocks;
  std::string outputs;
  std::string sandboxes;
};

Result<Folders> make_folders(const StateDir& dir) {
  Folders folders;
  for (auto [name, path] : {std::pair("blocks", &folders.blocks), std::pair("outputs", &folders.outputs),
                            std::pair("sandboxes", &folders.sandboxes)}) {
    auto made = dir.folder(name);
    if (!made) return made.error();
    *path = std::move(*made);
  }
  return folders;
}

ExecutorConfig executor_config(const AgentDaemonConfig& config, const Folders& folders) {
  ExecutorConfig executor;
  executor.sandboxes_dir = folders.sandboxes;
  executor.blocks_dir = folders.blocks;
  executor.outputs_dir = folders.outputs;
  executor.agent_name = config.agent.name;
  executor.launcher_path =
      config.launcher_path.empty() ? program_beside_us("proffer-launcher") : config.launcher_path;
  executor.worker_path =
      config.worker_path.empty() ? program_beside_us("proffer-worker") : config.worker_path;
  return executor;
}

Result<> serve(const AgentDaemonConfig& config, AgentConfig agent_config, Executor& executor,
               DataServer& data, Context& context, Stop& stop, const Ready& ready) {
  Loop loop;
  AgentEffects effects(executor, data, loop, "agent name=" + agent_config.name + " data=" + data.endpoint(),
                       ready);
  if (auto opened = effects.trace_to(config.event_log, "agent " + agent_config.name); !opened) return opened;
  effects.join(loop);
  Agent agent(std::move(agent_config), data.blocks_at_start(), seeded_random());
  Drive machine(agent);
  Host host(context, loop, machine, effects);
  effects.set_host(host);
  loop.add(effects);
  loop.add(host);
  if (auto connected = host.connect(kAllocatorPeer, config.allocator); !connected) return connected;
  auto ended = loop.run(stop);
  host.drain(kDrainAtStop);
  return ended;
}

}  // namespace

Result<> run_agent(const AgentDaemonConfig& config, Stop& stop, const Ready& ready) {
  const auto dir = StateDir::lock(config.work_dir, "an agent");
  if (!dir) return dir.error();
  const auto folders = make_folders(*dir);
  if (!folders) return folders.error();
  auto agent = config.agent;
  const auto run = next_run(*dir);
  if (!run) return run.error();
  agent.run = *run;
  // The launcher first: it must not inherit threads, nor what only this process should hold open.
  const auto executor = Executor::start(executor_config(config, *folders));
  if (!executor) return executor.error();
  raise_file_limit();
  Context context;
  const auto data = DataServer::start(
      context, {config.data_endpoint, folders->blocks, folders->outputs, config.uplink_bytes_per_s});
  if (!data) return data.error();
  agent.data_endpoint = config.advertise.empty() ? (*data)->endpoint() : config.advertise;
  return serve(config, std::move(agent), **executor, **data, context, stop, ready);
}

}  // namespace proffer::live

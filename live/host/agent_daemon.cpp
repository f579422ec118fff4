#include <limits.h>
#include <unistd.h>

#include "live/host/agent_effects.hpp"
#include "live/host/agent_watch.hpp"
#include "live/host/boot.hpp"
#include "live/host/daemon.hpp"
#include "live/host/identity.hpp"
#include "live/host/record_file.hpp"
#include "live/store/data_folders.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/entropy.hpp"

namespace proffer::live {
namespace {

struct Folders {
  std::string blocks;
  std::string outputs;
  std::string sandboxes;
  std::string cache;
};

Result<Folders> make_folders(const StateDir& dir) {
  Folders folders;
  for (auto [name, path] : {std::pair(kBlocksFolder, &folders.blocks), std::pair("outputs", &folders.outputs),
                            std::pair("sandboxes", &folders.sandboxes), std::pair("cache", &folders.cache)}) {
    auto made = dir.folder(name);
    if (!made) return made.error();
    *path = std::move(*made);
  }
  return folders;
}

std::string or_beside_us(const std::string& path, const char* name) {
  return path.empty() ? program_beside_us(name) : path;
}

ExecutorConfig executor_config(const AgentConfig& agent, const AgentSettings& settings,
                               const AgentPrograms& programs, const StateDir& dir, const Folders& folders) {
  ExecutorConfig executor;
  executor.dir = dir.path();
  executor.run = agent.run;
  executor.agent = agent.id;
  executor.synthetic_waits = settings.synthetic_waits;
  executor.sandboxes_dir = folders.sandboxes;
  executor.blocks_dir = folders.blocks;
  executor.outputs_dir = folders.outputs;
  executor.cache_dir = folders.cache;
  executor.cache_bytes = settings.cache_bytes;
  executor.agent_name = agent.name;
  executor.launcher_path = or_beside_us(programs.launcher, "proffer-launcher");
  executor.worker_path = or_beside_us(programs.worker, "proffer-worker");
  return executor;
}

Result<std::string> name_of(const AgentSettings& settings) {
  if (!settings.agent.name.empty()) return settings.agent.name;
  char host[HOST_NAME_MAX + 1] = {};
  if (::gethostname(host, HOST_NAME_MAX) != 0 || !valid_name(host)) {
    return Error{ErrorCode::invalid, "this host's name cannot be an agent's: give the agent a name"};
  }
  return std::string(host);
}

/// The places where an agent keeps what must outlive its process.
struct AgentDisk {
  Ballast ballast;
  std::unique_ptr<RecordStore> records;
};

Result<> serve(const AgentSettings& settings, AgentConfig config, AgentDisk& disk, Executor& executor,
               DataServer& data, Context& context, Stop& stop, const Ready& ready) {
  const auto name = config.name;
  Agent agent(std::move(config), data.blocks_at_start(), seeded_random(), disk.records->records());
  AgentEffects effects(agent, executor, data);
  effects.keep_in(*disk.records, disk.ballast);
  if (auto opened = effects.trace_to(settings.event_log, "agent " + name); !opened) return opened;
  Loop loop;
  MachineAdapter machine(agent);
  Host host(context, loop, machine, effects);
  AgentWatch watch(agent, effects, loop, "agent name=" + name + " data=" + data.endpoint(), ready);
  effects.set_host(host);
  loop.add(effects);
  loop.add(host);
  loop.add(watch);
  loop.add(disk.ballast);
  disk.ballast.serve(host);
  effects.join(loop);
  if (auto connected = host.connect(kAllocatorPeer, settings.allocator); !connected) return connected;
  return serve_until(stop, loop, host, {{settings.kill_tasks_at_stop}, [&agent] { return agent.stopped(); }});
}

/// Starts the data port; one that may be any free port is that of the former start, if it is still free:
/// frameworks fetch what their tasks wrote from the address that they know.
Result<std::unique_ptr<DataServer>> serve_data(Context& context, const AgentSettings& settings,
                                               const StateDir& dir, const Folders& folders) {
  DataServerConfig config{settings.data_endpoint, folders.blocks, folders.outputs, settings.uplink};
  if (!settings.data_endpoint.ends_with(":0")) return DataServer::start(context, config);
  const auto path = dir.file("data-port");
  const auto kept = load_record(path, "data-port");
  if (kept && *kept && (*kept)->contains("endpoint")) {
    config.endpoint = (**kept).at("endpoint");
    if (auto same = DataServer::start(context, config)) return same;
    config.endpoint = settings.data_endpoint;
  }
  auto data = DataServer::start(context, config);
  // Without a record the next start has another port, and nothing worse.
  if (data) static_cast<void>(save_record(path, "data-port", {{"endpoint", (*data)->endpoint()}}));
  return data;
}

}  // namespace

Result<> run_agent(const AgentSettings& settings, Stop& stop, const Ready& ready,
                   const AgentPrograms& programs) {
  if (settings.work_dir.empty()) {
    return Error{ErrorCode::invalid, "an agent needs a work_dir, where it keeps blocks and runs tasks"};
  }
  auto config = settings.agent;
  auto name = name_of(settings);
  if (!name) return name.error();
  config.name = std::move(*name);
  const auto dir = StateDir::lock(settings.work_dir, "an agent");
  if (!dir) return dir.error();
  const auto folders = make_folders(*dir);
  if (!folders) return folders.error();
  AgentDisk disk{Ballast(dir->file(kBallastFile), limits::kSmallBallastBytes), {}};
  auto records = disk.ballast.with_room([&] { return RecordStore::open(dir->file(kAgentRecords)); });
  if (!records) return records.error();
  disk.records = std::move(*records);
  const auto start = disk.ballast.with_room([&] { return next_start(*dir); });
  if (!start) return start.error();
  auto boot = this_boot();
  if (!boot) return boot.error();
  config.boot = std::move(*boot);
  config.id = start->id;
  config.run = start->run;
  config.secret = start->secret;
  config.catalog_secret = start->catalog_secret;
  // Runs that outlived the former agent are found before anything is offered.
  const auto executor = Executor::start(executor_config(config, settings, programs, *dir, *folders));
  if (!executor) return executor.error();
  raise_file_limit();
  Context context;
  const auto data = serve_data(context, settings, *dir, *folders);
  if (!data) return data.error();
  config.data_endpoint = settings.advertise.empty() ? (*data)->endpoint() : settings.advertise;
  auto served = serve(settings, std::move(config), disk, **executor, **data, context, stop, ready);
  // Only an orderly stop ends tasks: an agent that fails is started again, and finds them.
  if (!served || !settings.kill_tasks_at_stop) return served;
  return (*executor)->end_all();
}

}  // namespace proffer::live

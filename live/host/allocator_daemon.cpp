#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "live/host/daemon.hpp"
#include "live/host/drivers_host.hpp"
#include "live/host/identity.hpp"
#include "live/host/keeping.hpp"
#include "live/host/kept_pools.hpp"
#include "live/host/showing.hpp"
#include "live/http/server.hpp"
#include "live/os/hangup.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

/// The folder of an allocator; without one, it keeps nothing.
struct Keeping {
  explicit Keeping(std::string ballast_file) : ballast(std::move(ballast_file)) {}
  Ballast ballast;
  std::unique_ptr<RecordStore> records;
};

class AllocatorEffects final : public KeepingEffects {
 public:
  explicit AllocatorEffects(KeptPools pools) : pools_(std::move(pools)), started_with_(pools_.configured()) {}
  void set_host(Host& host) { host_ = &host; }
  /// `counting` counts all traces from now on.
  void count_in(Counting& counting) { counting_ = &counting; }

  void on_trace(const Trace& trace, Time now) override {
    KeepingEffects::on_trace(trace, now);
    if (counting_ != nullptr) counting_->count(trace);
  }
  void carry_out(const Action& action) override {
    if (const auto* read = std::get_if<ReadPools>(&action)) {
      read_pools(*read);
    } else {
      KeepingEffects::carry_out(action);
    }
  }

  /// Keeps the last of several changes only: each holds all pools.
  Result<> keep_pools(const KeepPools& change) override {
    newest_ = change;
    return {};
  }
  Result<> commit() override {
    const auto newest = std::exchange(newest_, {});
    if (newest) {
      if (auto kept = newest->pools ? pools_.keep(*newest->pools) : pools_.forget(); !kept) return kept;
    }
    return KeepingEffects::commit();
  }

  /// Reads the configuration file, and hands what it says to the machine, which judges it.
  void read_pools(const ReadPools& wanted) {
    PoolsRead read;
    read.peer = wanted.peer;
    read.request = wanted.request;
    auto config = pools_.configured();
    if (config) {
      const auto before = started_with_ ? *started_with_ : AllocatorSettings();
      read.want_restart = changed_keys(before, *config);
      read.pools = std::move(config->allocator.pools);
      read.preemption = config->allocator.preemption;
      read.users = std::move(config->allocator.users);
    } else {
      read.error = config.error();
    }
    host_->deliver(std::move(read));
  }

 private:
  KeptPools pools_;
  Result<AllocatorSettings> started_with_;  // the file's settings; flags may have said otherwise
  std::optional<KeepPools> newest_;
  Host* host_ = nullptr;
  Counting* counting_ = nullptr;
};

/// The dashboard. The server is the last member, so that its threads end before what they read.
struct Face {
  Board board;
  Counting counting;
  std::optional<Showing> showing;
  std::optional<TimedMachine> timed;
  std::unique_ptr<HttpServer> server;
};

/// Starts the server; none where nobody wants one.
Result<std::unique_ptr<Face>> open_face(const AllocatorSettings& settings) {
  if (settings.http.empty()) return std::unique_ptr<Face>();
  auto face = std::make_unique<Face>();
  auto server = HttpServer::start(settings.http, face->board);
  if (!server) return server.error();
  face->server = std::move(*server);
  return face;
}

/// Calls `reload` in the loop, once however many SIGHUPs came since the last turn.
class ReloadOnHangup final : public LoopPart {
 public:
  explicit ReloadOnHangup(std::function<void()> reload) : reload_(std::move(reload)) {}
  void prepare(PollSet& polled) override { polled.add_fd(hangup_.fd()); }
  void turn(const Readiness& ready, Time) override {
    if (ready.fd(hangup_.fd()) && hangup_.received()) reload_();
  }

 private:
  Hangup hangup_;
  std::function<void()> reload_;
};

/// Ends an allocator that others know to have been started again: on a copy of its folder, or after this
/// process was taken for dead.
class Succession final : public LoopPart {
 public:
  Succession(const Allocator& allocator, Loop& loop) : allocator_(allocator), loop_(loop) {}
  void prepare(PollSet&) override {}
  void turn(const Readiness&, Time) override {
    const auto later = allocator_.superseded();
    if (!later) return;
    loop_.fail({ErrorCode::split_brain, "this cluster's allocator was started again elsewhere (epoch " +
                                            std::to_string(later->value) + "): only one may serve it"});
  }

 private:
  const Allocator& allocator_;
  Loop& loop_;
};

/// Returns the folder of the framework of drivers; empty without one of the allocator.
std::string drivers_folder(const AllocatorSettings& settings) {
  return settings.state_dir.empty() ? "" : settings.state_dir + "/" + kDriversFramework;
}

/// Prepares what the face shows, and returns the machine to drive.
AnyMachine& show(Face& face, const Allocator& allocator, AnyMachine& machine, Nameplate nameplate) {
  face.showing.emplace(allocator, face.counting, face.board, std::move(nameplate));
  return face.timed.emplace(machine, face.counting);
}

/// Binds only what is bound to this one allocator: its identity is durable before anybody can speak to it.
Result<> serve(const AllocatorSettings& settings, const Identity& identity, const KeptPools& pools,
               Keeping& keeping, Stop& stop, const Ready& ready) {
  auto config = pools.start(settings.allocator);
  if (!config) return config.error();
  std::error_code unknown;
  if (!settings.event_log.empty()) {
    config->event_log = std::filesystem::absolute(settings.event_log, unknown).string();
  }
  const auto face = open_face(settings);
  if (!face) return face.error();
  if (*face) config->http = (*face)->server->address();
  Loop loop;
  AllocatorEffects effects(pools);
  if (*face) effects.count_in((*face)->counting);
  if (keeping.records) effects.keep_in(*keeping.records, keeping.ballast);
  if (auto opened = effects.trace_to(settings.event_log, "allocator"); !opened) return opened;
  for (const auto& note : opening_notes(*config)) effects.on_trace(note, steady_now());
  if (auto idle = idle_preemption(*config)) effects.on_trace(PoolWarned{{}, *idle}, steady_now());
  Context context;
  effects.join(loop);
  Allocator allocator(std::move(*config), identity.cluster, identity.epoch, seeded_random(), secret_source(),
                      keeping.records ? keeping.records->records() : std::vector<Kept>());
  MachineAdapter machine(allocator);
  auto& driven = *face
                     ? show(**face, allocator, machine, {settings.version, identity.cluster, identity.epoch})
                     : static_cast<AnyMachine&>(machine);
  Host host(context, loop, driven, effects, {identity.cluster, identity.epoch});
  loop.add(host);
  if (*face) loop.add(*(*face)->showing);
  effects.set_host(host);
  loop.add(keeping.ballast);
  Succession succession(allocator, loop);
  loop.add(succession);
  ReloadOnHangup reload([&] { effects.read_pools({}); });
  loop.add(reload);
  keeping.ballast.serve(host);
  loop.turn(Duration::zero());  // the machine knows of a full disk before anybody can ask for a change
  auto frameworks = BoundPort::bind(context, settings.frameworks_endpoint);
  if (!frameworks) return frameworks.error();
  auto agents = BoundPort::bind(context, settings.agents_endpoint, limits::kBulkFlightBytes);
  if (!agents) return agents.error();
  std::optional<DriversHost> drivers;
  if (settings.drivers) drivers.emplace(context, (*frameworks)->endpoint(), drivers_folder(settings));
  const auto line = "allocator frameworks=" + (*frameworks)->endpoint() + " agents=" + (*agents)->endpoint() +
                    (*face ? " http=" + (*face)->server->address() : "");
  host.serve(std::move(*frameworks), limits::kFrameworkRate);
  host.serve(std::move(*agents), limits::kAgentRate);
  log::info("cluster " + to_hex(identity.cluster.value) + ", epoch " + std::to_string(identity.epoch.value));
  ready(line);
  return serve_until(stop, loop, host);
}

}  // namespace

Result<> run_allocator(const AllocatorSettings& settings, Stop& stop, const Ready& ready) {
  raise_file_limit();
  if (settings.state_dir.empty()) {
    Keeping nothing("");
    return serve(settings, fresh_identity(), KeptPools(settings.file, ""), nothing, stop, ready);
  }
  const auto dir = StateDir::lock(settings.state_dir, "an allocator");
  if (!dir) return dir.error();
  Keeping keeping(dir->file(kBallastFile));
  auto records = keeping.ballast.with_room([&] { return RecordStore::open(dir->file(kAllocatorRecords)); });
  if (!records) return records.error();
  keeping.records = std::move(*records);
  const auto identity = keeping.ballast.with_room([&] { return next_identity(*dir); });
  if (!identity) return identity.error();
  const KeptPools pools(settings.file, dir->file("pools.toml"));
  return serve(settings, *identity, pools, keeping, stop, ready);
}

}  // namespace proffer::live

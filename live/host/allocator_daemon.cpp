#include "live/host/daemon.hpp"
#include "proffer/live/entropy.hpp"
#include "live/host/identity.hpp"
#include "live/host/traced.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

/// Binds only what is bound to this one allocator: its identity is durable before anybody can speak to it.
Result<> serve(const AllocatorSettings& settings, const Identity& identity, Stop& stop, const Ready& ready) {
  TracedEffects effects;
  if (auto opened = effects.trace_to(settings.event_log, "allocator"); !opened) return opened;
  Context context;
  Loop loop;
  effects.join(loop);
  Allocator allocator(settings.allocator, identity.cluster, identity.epoch, seeded_random());
  Drive machine(allocator);
  Host host(context, loop, machine, effects, {identity.cluster, identity.epoch});
  loop.add(host);
  auto frameworks = BoundPort::bind(context, settings.frameworks_endpoint);
  if (!frameworks) return frameworks.error();
  auto agents = BoundPort::bind(context, settings.agents_endpoint);
  if (!agents) return agents.error();
  const auto line = "allocator frameworks=" + (*frameworks)->endpoint() + " agents=" + (*agents)->endpoint();
  host.serve(std::move(*frameworks));
  host.serve(std::move(*agents));
  log::info("cluster " + to_hex(identity.cluster.value) + ", epoch " + std::to_string(identity.epoch.value));
  ready(line);
  auto ended = loop.run(stop);
  host.drain(kDrainAtStop);
  return ended;
}

}  // namespace

Result<> run_allocator(const AllocatorSettings& settings, Stop& stop, const Ready& ready) {
  raise_file_limit();
  if (settings.state_dir.empty()) return serve(settings, fresh_identity(), stop, ready);
  const auto dir = StateDir::lock(settings.state_dir, "an allocator");
  if (!dir) return dir.error();
  const auto identity = next_identity(*dir);
  if (!identity) return identity.error();
  return serve(settings, *identity, stop, ready);
}

}  // namespace proffer::live

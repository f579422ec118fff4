#include "live/host/ballast.hpp"
#include "live/host/daemon.hpp"
#include "live/host/identity.hpp"
#include "live/host/traced.hpp"
#include "live/store/name_store.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/entropy.hpp"

#include <utility>

namespace proffer::live {
namespace {

class CatalogEffects final : public TracedEffects {
 public:
  CatalogEffects(NameStore& names, Ballast& ballast) : names_(names), ballast_(ballast) {}
  Result<> persist(const Persist& change) override { return names_.apply(change); }
  Result<> commit() override {
    auto committed = names_.commit();
    if (committed && std::exchange(was_full_, false)) names_.tidy();
    return committed;
  }
  std::optional<StoreRoom> make_room(const Error& why) override {
    was_full_ = true;
    return ballast_.release(why);
  }

 private:
  NameStore& names_;
  Ballast& ballast_;
  bool was_full_ = false;
};

Result<> serve(const CatalogSettings& settings, const Identity& identity, NameStore& names, Ballast& ballast,
               Stop& stop, const Ready& ready) {
  CatalogEffects effects(names, ballast);
  if (auto opened = effects.trace_to(settings.event_log, "catalog"); !opened) return opened;
  Context context;
  Loop loop;
  effects.join(loop);
  Catalog catalog(settings.catalog, identity.cluster, identity.epoch, names.files(), names.next_block(),
                  seeded_random(), secret_source());
  MachineAdapter machine(catalog);
  Host host(context, loop, machine, effects, {identity.cluster, identity.epoch});
  loop.add(host);
  loop.add(ballast);
  ballast.serve(host);
  loop.turn(Duration::zero());  // the machine knows of a full disk before anybody can ask for a change
  auto port = BoundPort::bind(context, settings.endpoint);
  if (!port) return port.error();
  const auto line = "catalog endpoint=" + (*port)->endpoint();
  host.serve(std::move(*port), limits::kAgentRate);
  ready(line);
  return serve_until(stop, loop, host);
}

}  // namespace

Result<> run_catalog(const CatalogSettings& wanted, Stop& stop, const Ready& ready) {
  raise_file_limit();
  if (wanted.state_dir.empty()) {
    return Error{ErrorCode::invalid, "a catalog needs a state_dir, where it keeps the names of files"};
  }
  const auto dir = StateDir::lock(wanted.state_dir, "a catalog");
  if (!dir) return dir.error();
  Ballast ballast(dir->file(kBallastFile));
  const auto identity = ballast.with_room([&] { return next_identity(*dir); });
  if (!identity) return identity.error();
  auto token = ballast.with_room([&] { return kept_token(*dir); });
  if (!token) return token.error();
  const auto names = ballast.with_room([&] { return NameStore::open(dir->file(kNamesFile)); });
  if (!names) return names.error();
  auto settings = wanted;
  settings.catalog.token = std::move(*token);
  return serve(settings, *identity, **names, ballast, stop, ready);
}

}  // namespace proffer::live

// Dispatch only: which handler an event belongs to.
#include "proffer/catalog/catalog.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "catalog/agents/agent_handlers.hpp"
#include "catalog/agents/liveness.hpp"
#include "catalog/demand/replicator.hpp"
#include "catalog/demand/use_handlers.hpp"
#include "catalog/names/client_handlers.hpp"
#include "catalog/names/name_handlers.hpp"
#include "catalog/names/write_handlers.hpp"
#include "catalog/state/catalog_state.hpp"

namespace proffer {
namespace {

// All blocks are looked at for it.
constexpr Duration kOftenest = std::chrono::milliseconds(100);
constexpr Duration kSeldomest = std::chrono::seconds(10);

template <class M>
concept FromClient = requires(CatalogState& state, const M& message, Outbox& out, Time now) {
  handle(state, PeerId{}, message, out, now);
};
template <class M>
concept FromAgent = requires(CatalogState& state, const MessageReceived& in, const M& message, Outbox& out,
                             Time now) { handle(state, in, message, out, now); };

Error no_session() { return {ErrorCode::unknown_session, "no such session here; say CATALOG_HELLO first"}; }

void check_copies(const CatalogState& state) {
  state.copies.check_invariants();
  for (const auto& [key, copy] : state.copies.all()) {
    const auto& [block, target] = key;
    const auto* agent = state.agents.find(target);
    PROFFER_CHECK(agent != nullptr && agent->reported, "a copy to an agent without a session");
    PROFFER_CHECK(state.names.sealed_length(block) == copy.length, "a copy of no file's block");
    PROFFER_CHECK(!state.replicas.held_by(target).contains(block), "a copy to an agent that has it");
  }
  for (const auto& [block, heat] : state.heat.all()) {
    PROFFER_CHECK(state.names.is_sealed(block), "a block is in demand that is of no file");
  }
}

/// Looked up by path: all files would take too long to look at.
void check_writers(const CatalogState& state) {
  state.writers.check_invariants();
  for (const auto& path : state.writers.paths()) {
    const auto* file = state.names.find(path);
    PROFFER_CHECK(file != nullptr && !file->complete, "a writer of a file that is not being written");
  }
}

}  // namespace

struct Catalog::Impl {
  CatalogState state;
  std::optional<Time> next_beat;
  std::optional<Time> last_step;
  std::optional<Time> next_round;  // of the replication manager
  std::optional<Time> next_look;   // for replicas that are missing
  bool has_files_to_find = false;  // it is about to start with files

  void receive(const MessageReceived& in, Outbox& out, Time now) {
    std::visit(
        [&](const auto& message) {
          using M = std::decay_t<decltype(message)>;
          if constexpr (FromClient<M>) {
            if (!state.clients.match(in.peer, in.envelope.session)) return out.refuse(in, no_session());
            handle(state, in.peer, message, out, now);
          } else if constexpr (FromAgent<M>) {
            handle(state, in, message, out, now);
          } else if constexpr (!std::is_same_v<M, ErrorMessage>) {
            // An error is never answered by an error: two peers would keep on at it for ever.
            out.refuse(in, {ErrorCode::type, "a catalog takes no " + std::string(type_name(message))});
          }
        },
        in.envelope.message);
  }

  // After a pause of our own (a stopped process, a machine asleep) everybody looks silent.
  void notice_pause(Time now) {
    const auto gap = last_step ? now - *last_step : Duration::zero();
    if (next_beat && gap > 2 * state.config.heartbeat) state.agents.forgive(gap);
    last_step = now;
  }

  void replicate(Outbox& out, Time now) {
    const auto& config = state.config.replication;
    if (config.on() || config.restores()) give_up_late_copies(state, out, now);
    if (config.restores()) restore(out, now);
    if (config.on()) replicate_in_demand(out, now);
    tell_watchers(state, out);
  }

  void replicate_in_demand(Outbox& out, Time now) {
    if (!next_round) next_round = now + state.config.replication.interval;
    if (*next_round <= now) {
      replication_round(state, out, now);
      next_round = now + state.config.replication.interval;
    }
  }

  void restore(Outbox& out, Time now) {
    if (next_look && *next_look <= now) {
      restore_round(state, out, now);
      next_look.reset();
    }
    const auto pause =
        std::clamp<Duration>(state.config.replication.restore_after / 4, kOftenest, kSeldomest);
    if (!next_look && state.lacking.worth_a_look()) next_look = now + pause;
  }

  void keep_time(Outbox& out, Time now) {
    if (next_beat && *next_beat <= now) {
      beat(state, out, now);
      next_beat = now + state.config.heartbeat;
    }
    const bool beats = state.config.heartbeat > Duration::zero() && !state.agents.all().empty();
    if (!beats) next_beat.reset();
    if (beats && !next_beat) next_beat = now + state.config.heartbeat;
  }
};

Catalog::Catalog(CatalogConfig config, ClusterId cluster, Epoch epoch, std::vector<FileInfo> files,
                 BlockId next_block, Random random, SecretSource secrets)
    : impl_(new Impl{{std::move(config),
                      cluster,
                      epoch,
                      NameTable({}, next_block),
                      {},
                      {},
                      std::move(random),
                      std::move(secrets),
                      0},
                     {},
                     {},
                     {},
                     {},
                     !files.empty()}) {
  impl_->state.names = NameTable(std::move(files), next_block);
}

Catalog::~Catalog() = default;

void Catalog::step(const Event& event, Actions& actions, Time now) {
  Outbox out(actions, impl_->state.cluster, impl_->state.epoch);
  if (std::exchange(impl_->has_files_to_find, false)) {
    impl_->state.settled_at = now + impl_->state.config.settle_for;
  }
  impl_->notice_pause(now);
  if (const auto* in = std::get_if<MessageReceived>(&event)) impl_->receive(*in, out, now);
  if (const auto* store = std::get_if<StoreRoom>(&event)) impl_->state.disk = *store;
  if (const auto* lost = std::get_if<PeerLost>(&event)) {
    handle(impl_->state, *lost, out);
    lose_writer(impl_->state, lost->peer, now);
  }
  remove_abandoned(impl_->state, out, now);
  impl_->keep_time(out, now);
  impl_->replicate(out, now);
}

std::optional<Time> Catalog::next_deadline() const {
  const auto next = earlier(earlier(impl_->next_beat, impl_->next_round), impl_->next_look);
  return earlier(earlier(next, impl_->state.copies.next_deadline()), impl_->state.writers.next_due());
}

void Catalog::check_invariants() const {
  impl_->state.names.check_invariants();
  impl_->state.agents.check_invariants();
  impl_->state.replicas.check_invariants();
  for (const auto& [id, agent] : impl_->state.agents.all()) {
    PROFFER_CHECK(agent.reported || impl_->state.replicas.held_by(id).empty(),
                  "an agent holds blocks that it did not report");
  }
  check_copies(impl_->state);
  check_writers(impl_->state);
}

}  // namespace proffer

#include "live/host/host.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "live/host/inbound.hpp"
#include "live/host/port_set.hpp"
#include "live/host/traffic.hpp"
#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr int kMessagesPerPortAndTurn = 64;
constexpr std::uint64_t kRefusalsPerSecond = 100;
constexpr Duration kTryDiskEvery = std::chrono::seconds(1);
constexpr Duration kDurableWithin = std::chrono::milliseconds(100);

}  // namespace

/// Answers to frames that are no message, and lines of the log about them, both at a bounded rate.
class Refusals {
 public:
  explicit Refusals(HostConfig config) : config_(config) {}

  /// Returns the ERROR for a client that has sent such a frame; none when too many have had one in this
  /// second. Servers get none: they would answer what they cannot read with an ERROR, and so on for ever.
  std::optional<Envelope> answer(const Error& error, bool is_client, Time now) {
    if (now - second_began_ >= std::chrono::seconds(1)) {
      second_began_ = now;
      in_second_ = 0;
    }
    if (in_second_++ == 0) {
      log::warn(std::string(is_client ? "a client" : "the server") +
                " sent what is no message: " + error.message);
    }
    if (!is_client || in_second_ > kRefusalsPerSecond) return {};
    return refusal(error);
  }

  /// Returns the ERROR for a client that sends more than it may.
  Envelope too_many(limits::Rate rate) const {
    return refusal({ErrorCode::slow_down, "more than " + std::to_string(rate.per_second) +
                                              " messages a second: the rest is thrown away unread"});
  }

 private:
  Envelope refusal(const Error& error) const {
    Envelope refusal;
    refusal.cluster = config_.cluster;
    refusal.epoch = config_.epoch;
    refusal.message = ErrorMessage{error, 0};
    return refusal;
  }

  HostConfig config_;
  Time second_began_{};
  std::uint64_t in_second_ = 0;
};

Result<> Effects::persist(const Persist&) {
  PROFFER_CHECK(false, "this machine's world keeps nothing");
  return {};
}

Result<> Effects::keep_record(const KeepRecord&) {
  PROFFER_CHECK(false, "this machine's world keeps no records");
  return {};
}

Result<> Effects::drop_record(const DropRecord&) {
  PROFFER_CHECK(false, "this machine's world keeps no records");
  return {};
}

Result<> Effects::keep_pools(const KeepPools&) {
  PROFFER_CHECK(false, "this machine's world keeps no pools");
  return {};
}

void Effects::carry_out(const Action&) { PROFFER_CHECK(false, "this machine's world has no such effect"); }

namespace {

/// Returns whether an action is a change that must last; carried out by keep() alone.
bool must_last(const Action& action) {
  return std::holds_alternative<Persist>(action) || std::holds_alternative<KeepPools>(action) ||
         std::holds_alternative<KeepRecord>(action) || std::holds_alternative<DropRecord>(action);
}

}  // namespace

struct Host::Impl {
  Impl(Context& context, Loop& owner, AnyMachine& driven, Effects& its_effects, HostConfig config)
      : loop(owner), machine(driven), effects(its_effects), ports(context), refusals(config) {}

  void receive(PortSet::Arrival arrival);
  void step(const Event& event);
  void note_losses();
  Result<> keep(const Action& change);
  bool is_refused(const PortSet::Arrival& arrival);
  Result<> keep(const Actions& todo);
  Result<> make_durable(const Actions& todo);
  void wait_for_room(Actions todo, const Error& why);
  bool may_wait();
  void carry_out();
  void carry_out(Action& action);
  void send(const Send& action);

  Loop& loop;
  AnyMachine& machine;
  Effects& effects;
  PortSet ports;
  Refusals refusals;
  Inbound inbound;
  HostCounters counters;
  Time now = steady_now();  // the same for all of a turn
  std::deque<Event> inbox;
  Actions actions;    // actions of this turn, not yet carried out
  std::string frame;  // one buffer for all messages
  /// `actions` are changes that nobody waits for; they are made durable then, or with the next that somebody
  /// does wait for.
  std::optional<Time> commit_at;
  /// The disk is full to its last byte: `actions` are tried again then, and the machine rests until they are
  /// durable.
  std::optional<Time> try_disk_at;
};

Host::Host(Context& context, Loop& loop, AnyMachine& machine, Effects& effects, HostConfig config)
    : impl_(std::make_unique<Impl>(context, loop, machine, effects, config)) {}
Host::~Host() = default;

void Host::serve(std::unique_ptr<BoundPort> port, limits::Rate rate) {
  impl_->ports.add(std::move(port), rate);
}
void Host::deliver(Event event) { impl_->inbox.push_back(std::move(event)); }

Result<> Host::connect(PeerId as, const std::string& endpoint) {
  const auto former = impl_->ports.connected_to(as);
  if (endpoint == former) return {};
  impl_->ports.disconnect(as);
  // The loss is given to the machine at once, before the message that named the new endpoint: the machine may
  // send to the new server as it reads that message, and would take the loss for that of the new one.
  if (!former.empty()) impl_->step(PeerLost{as});
  if (endpoint.empty()) return {};
  return impl_->ports.connect(as, endpoint);
}

HostCounters Host::counters() const {
  auto counters = impl_->counters;
  counters.dropped = impl_->ports.dropped();
  return counters;
}

void Host::prepare(PollSet& polled) {
  impl_->ports.flush();
  impl_->note_losses();
  if (impl_->try_disk_at) return polled.wake_at(impl_->try_disk_at);
  impl_->ports.prepare(polled);
  polled.wake_at(impl_->machine.next_deadline());
  polled.wake_at(impl_->commit_at);
  if (!impl_->inbox.empty() || (!impl_->actions.empty() && !impl_->commit_at)) polled.wake_at(Time{});
}

void Host::turn(const Readiness&, Time now) {
  auto& self = *impl_;
  self.now = now;
  if (self.try_disk_at && now < *self.try_disk_at) return;
  if (self.try_disk_at) return self.carry_out();
  self.ports.receive(kMessagesPerPortAndTurn,
                     [&](PortSet::Arrival arrival) { self.receive(std::move(arrival)); });
  self.note_losses();
  for (auto events = std::exchange(self.inbox, {}); const auto& event : events) self.step(event);
  if (const auto due = self.machine.next_deadline(); due && *due <= now) self.step(TimePassed{});
  self.carry_out();
}

void Host::settle() {
  impl_->commit_at = Time{};
  impl_->carry_out();
}

bool Host::drain(Duration at_most) {
  const auto deadline = steady_now() + at_most;
  for (impl_->ports.flush(); impl_->ports.pending(); impl_->ports.flush()) {
    const auto left = deadline - steady_now();
    if (left <= Duration::zero()) return false;
    PollSet polled;
    impl_->ports.prepare(polled);
    Poller poller;
    poller.wait(polled.wanted(), std::min<Duration>(left, std::chrono::milliseconds(20)));
    // Messages that still come are thrown away: left in the socket, they would end each wait at once.
    impl_->ports.receive(kMessagesPerPortAndTurn, [](PortSet::Arrival) {});
  }
  return true;
}

/// Returns whether the message is one too many of its client: then it is not even read.
bool Host::Impl::is_refused(const PortSet::Arrival& arrival) {
  const auto verdict = inbound.judge(arrival.peer, arrival.rate, now);
  if (verdict == Inbound::Verdict::take) return false;
  ++counters.refused;
  if (verdict == Inbound::Verdict::refuse) {
    log::warn("a client sends more than " + std::to_string(arrival.rate.per_second) + " messages a second");
    actions.push_back(Send{arrival.peer, refusals.too_many(arrival.rate)});
  }
  return true;
}

void Host::Impl::receive(PortSet::Arrival arrival) {
  if (is_refused(arrival)) return;
  auto envelope = decode(arrival.bytes);
  if (!envelope) {
    ++counters.undecodable;
    if (auto answer = refusals.answer(envelope.error(), arrival.is_client, now)) {
      actions.push_back(Send{arrival.peer, std::move(*answer)});
    }
    return;
  }
  ++counters.received;
  effects.on_arrival(arrival.peer, *envelope);
  step(MessageReceived{arrival.peer, std::move(envelope).value()});
}

void Host::Impl::step(const Event& event) { machine.step(event, actions, now); }

/// A peer that a send found gone is lost in the next turn, after what it had still said.
void Host::Impl::note_losses() {
  for (const auto& lag : ports.take_lags()) inbox.push_back(lag);
  for (const auto peer : ports.take_lost()) {
    inbound.forget(peer);
    inbox.push_back(PeerLost{peer});
  }
}

Result<> Host::Impl::keep(const Action& change) {
  if (const auto* names = std::get_if<Persist>(&change)) return effects.persist(*names);
  if (const auto* pools = std::get_if<KeepPools>(&change)) return effects.keep_pools(*pools);
  if (const auto* record = std::get_if<KeepRecord>(&change)) return effects.keep_record(*record);
  return effects.drop_record(std::get<DropRecord>(change));
}

Result<> Host::Impl::keep(const Actions& todo) {
  bool any = false;
  for (const auto& action : todo) {
    if (!must_last(action)) continue;
    any = true;
    if (auto kept = keep(action); !kept) return kept;
  }
  return any ? effects.commit() : Result<>();
}

/// What the machine has applied is kept also when the disk is full, out of room that was set aside; the
/// machine learns of it before it sees another message.
Result<> Host::Impl::make_durable(const Actions& todo) {
  auto kept = keep(todo);
  while (!kept && kept.error().code == ErrorCode::no_space) {
    const auto room = effects.make_room(kept.error());
    if (!room) break;
    step(*room);
    kept = keep(todo);
  }
  return kept;
}

/// Nobody may learn of what was not kept. An end would help no one: a new process would find the same disk.
void Host::Impl::wait_for_room(Actions todo, const Error& why) {
  if (!try_disk_at) log::error(why.message + "; nothing is done any more until there is room");
  try_disk_at = now + kTryDiskEvery;
  todo.insert(todo.end(), std::make_move_iterator(actions.begin()), std::make_move_iterator(actions.end()));
  actions = std::move(todo);
}

/// Spares the disk a commit: a change without a message or an effect behind it is known to nobody, and is
/// lost like a message that has not been read. An acknowledgement that an agent notes is such a change.
bool Host::Impl::may_wait() {
  const auto is_quiet = [](const Action& action) {
    return must_last(action) || std::holds_alternative<Emit>(action);
  };
  const bool quiet = std::any_of(actions.begin(), actions.end(), must_last) &&
                     std::all_of(actions.begin(), actions.end(), is_quiet);
  if (quiet && !commit_at) commit_at = now + kDurableWithin;
  if (quiet && now < *commit_at) return true;
  commit_at.reset();
  return false;
}

void Host::Impl::carry_out() {
  if (may_wait()) return;
  auto todo = std::exchange(actions, {});
  if (const auto kept = make_durable(todo); !kept) {
    if (kept.error().code == ErrorCode::no_space) return wait_for_room(std::move(todo), kept.error());
    return loop.fail(kept.error());
  }
  if (std::exchange(try_disk_at, {})) log::info("there is room again: work goes on");
  for (auto& action : todo) carry_out(action);
}

void Host::Impl::carry_out(Action& action) {
  if (const auto* message = std::get_if<Send>(&action)) {
    send(*message);
  } else if (const auto* closed = std::get_if<ClosePeer>(&action)) {
    ports.close(closed->peer);
    inbound.forget(closed->peer);
  } else if (const auto* emitted = std::get_if<Emit>(&action)) {
    effects.on_trace(emitted->trace, now);
  } else if (!must_last(action)) {
    effects.carry_out(action);
  }
}

void Host::Impl::send(const Send& action) {
  encode(action.envelope, frame);
  const auto traffic = traffic_of(action.envelope.message);
  const bool sent = ports.send(traffic, action.peer, frame) == Sent::yes;
  ++(sent ? counters.sent : counters.unsent);
}

}  // namespace proffer::live

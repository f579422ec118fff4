// The framework machine: dispatch, deadlines, invariants.
#include "proffer/frameworks/framework.hpp"

#include <utility>

#include "frameworks/session/framework_impl.hpp"
#include "proffer/check.hpp"

namespace proffer {

Framework::Framework(FrameworkConfig config, Scheduler& scheduler, Random random)
    : impl_(std::make_unique<Impl>(std::move(config), scheduler, std::move(random))) {}
Framework::~Framework() = default;

void Framework::step(const Event& event, Actions& actions, Time now) { impl_->step(event, {actions, now}); }
std::optional<Time> Framework::next_deadline() const { return impl_->next_deadline(); }
void Framework::check_invariants() const { impl_->check_invariants(); }
bool Framework::finished() const { return impl_->phase == Impl::Phase::finished; }
bool Framework::subscribed() const { return impl_->phase == Impl::Phase::open; }
const std::optional<Error>& Framework::refused() const { return impl_->refused; }
void Framework::end() { impl_->leaving = true; }
bool Framework::leaving() const { return impl_->leaving && !finished(); }

Framework::Impl::Impl(FrameworkConfig settings, Scheduler& owner, Random seeded)
    : config(std::move(settings)),
      scheduler(owner),
      random(std::move(seeded)),
      backoff(config.retry_first, config.retry_max),
      catalog(config.catalog_timeout) {}

void Framework::Impl::step(const Event& event, Turn turn) {
  if (phase == Phase::finished) return;
  catalog.postpone(pulse.woke(turn.now));
  if (phase == Phase::fresh) start(turn);
  if (const auto* received = std::get_if<MessageReceived>(&event)) {
    receive(*received, turn);
  } else if (const auto* lost = std::get_if<PeerLost>(&event)) {
    if (lost->peer == kAllocatorPeer) lose_session(turn);
    if (lost->peer == kCatalogPeer)
      lose_catalog({ErrorCode::unreachable, "the catalog cannot be reached"}, turn);
  }
  on_deadlines(turn);
  deliver_reported(turn);
}

void Framework::Impl::receive(const MessageReceived& received, Turn turn) {
  if (received.peer == kCatalogPeer) return on_catalog(received.envelope, turn);
  if (received.peer != kAllocatorPeer) return;
  switch (session.check(received.envelope)) {
    case Session::Verdict::take:
      return from_allocator(received.envelope, turn);
    case Session::Verdict::drop:
      return;
    case Session::Verdict::restarted:
      return lose_session(turn);
    case Session::Verdict::other_cluster:
      return fail({ErrorCode::wrong_cluster,
                   "the allocator belongs to another cluster than the one this framework began in"},
                  turn);
  }
}

void Framework::Impl::from_allocator(const Envelope& envelope, Turn turn) {
  pulse.heard(turn.now);
  const auto& message = envelope.message;
  if (std::holds_alternative<Subscribed>(message)) {
    on_subscribed(envelope, turn);
  } else if (const auto* offered = std::get_if<Offers>(&message)) {
    on_offers(*offered, turn);
  } else if (const auto* accepted = std::get_if<Accepted>(&message)) {
    on_accepted(*accepted, turn);
  } else if (const auto* rescind = std::get_if<Rescind>(&message)) {
    on_rescind(*rescind, turn);
  } else if (const auto* preempt = std::get_if<Preempt>(&message)) {
    on_preempt(*preempt, turn);
  } else if (const auto* update = std::get_if<Update>(&message)) {
    on_update(update->status, turn);
  } else if (const auto* kill = std::get_if<KillJob>(&message)) {
    on_kill_job(*kill, turn);
  } else if (const auto* move = std::get_if<MoveJob>(&message)) {
    on_move_job(*move, turn);
  } else if (const auto* said = std::get_if<TaskMessage>(&message)) {
    on_task_message(*said, turn);
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    on_error(*error, turn);
  }
}

void Framework::Impl::on_deadlines(Turn turn) {
  if (leaving) leave(turn);
  if (phase == Phase::open && pulse.silent(turn.now)) lose_session(turn);
  if (phase == Phase::away && turn.now >= subscribe_at) subscribe(turn);
  if (phase == Phase::open) {
    send_due_accepts(turn);
    send_due_kills(turn);
    const bool tells = demand.tell_by() && *demand.tell_by() <= turn.now;
    if (tells || pulse.beat_due(turn.now)) beat(turn);
  }
  if (leaving) return;
  deliver_catalog(catalog.take_late(turn.now), turn);
  if (phase == Phase::finished || leaving) return;
  const auto due = scheduler.next_deadline();
  if (due && *due <= turn.now) callback([this](Driver& driver) { scheduler.deadline(driver); }, turn);
}

std::optional<Time> Framework::Impl::next_deadline() const {
  if (phase == Phase::finished) return {};
  if (phase == Phase::fresh) return Time{};  // at once
  if (leaving) return subscribe_at;          // what else it waited for is of no matter
  auto next = earlier(scheduler.next_deadline(), catalog.next_deadline());
  if (phase == Phase::away) return earlier(next, subscribe_at);
  next = earlier(next, earlier(pulse.next_deadline(), demand.tell_by()));
  return earlier(next, earlier(accepts.next_deadline(), kills.next_deadline()));
}

void Framework::Impl::check_invariants() const {
  PROFFER_CHECK((phase == Phase::open) == session.open(), "phase and session disagree");
  PROFFER_CHECK(phase == Phase::open || offers.outstanding() == 0, "an offer outlived its session");
  PROFFER_CHECK(phase != Phase::open || !id.value.is_nil(), "in session without an id");
  PROFFER_CHECK(reported.empty(), "an end was reported, but not delivered");
  offers.check_invariants();
  tasks.check_invariants();
  std::set<TaskId> asked;
  for (const auto& [number, open] : accepts.all()) {
    PROFFER_CHECK(number == open.accept.accept, "an accept under a wrong number");
    for (const auto& task : open.accept.tasks) asked.insert(task.id);
  }
  for (const auto& task : tasks.all_current()) {
    PROFFER_CHECK(!tasks.asked(task) || asked.contains(task),
                  "a task waits for a verdict that nobody will give");
  }
}

}  // namespace proffer

// The framework machine: dispatch, deadlines, invariants.
#include "proffer/frameworks/framework.hpp"

#include <set>
#include <utility>

#include "frameworks/session/catalog_handlers.hpp"
#include "frameworks/session/job_handlers.hpp"
#include "frameworks/session/offer_handlers.hpp"
#include "frameworks/session/reconcile_handlers.hpp"
#include "frameworks/session/records.hpp"
#include "frameworks/session/scheduler_calls.hpp"
#include "frameworks/session/subscription.hpp"
#include "frameworks/session/task_handlers.hpp"
#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"

namespace proffer {
namespace frameworks {
namespace {

/// Others are signs of life at most.
using FromAllocator = Types<Subscribed, ErrorMessage, Offers, Rescind, Accepted, Update, Preempt, TaskMessage,
                            KillJob, MoveJob, SubmitJob, DescribeJobs, Heartbeat, Reconciled, Bye>;
using FromCatalog =
    Types<CatalogSession, ErrorMessage, ReplicasChanged, BlockAllocated, FilesListed, CatalogDone, Bye>;
using Verdict = session::ClientSession::Verdict;

session::ClientSession::Settings session_settings(const FrameworkConfig& config) {
  return {.retry_first = config.retry_first,
          .retry_max = config.retry_max,
          .silent_after = config.allocator_silent_after,
          .takes_late_errors = true};
}

void receive_from_allocator(const Turn& turn, const MessageReceived& in) {
  const bool is_welcome = std::holds_alternative<Subscribed>(in.envelope.message);
  switch (turn.state.allocator.session.check(in.envelope, is_welcome, turn.now)) {
    case Verdict::take:
      dispatch(FromAllocator{}, in.envelope.message, turn, in);
      return;
    case Verdict::drop:
      return;
    case Verdict::restarted:
      return lose_session(turn);
    case Verdict::other_cluster:
      return fail(turn, {ErrorCode::wrong_cluster,
                         "the allocator belongs to another cluster than the one this framework began in"});
  }
}

void receive(const Turn& turn, const MessageReceived& in) {
  if (in.peer == kAllocatorPeer) receive_from_allocator(turn, in);
  if (in.peer == kCatalogPeer) dispatch(FromCatalog{}, in.envelope.message, turn, turn.state.catalog, in);
}

void lose(const Turn& turn, PeerId peer) {
  if (peer == kAllocatorPeer) lose_session(turn);
  if (peer == kCatalogPeer) lose_catalog(turn, {ErrorCode::unreachable, "the catalog cannot be reached"});
}

void tend_allocator(const Turn& turn) {
  auto& state = turn.state;
  auto& session = state.allocator.session;
  if (state.allocator.leaving) leave(turn);
  if (state.in_session() && session.silent(turn.now)) lose_session(turn);
  if (state.allocator.phase == Phase::away && session.attempt_due(turn.now)) subscribe(turn);
  if (!state.in_session()) return;
  send_due_accepts(turn);
  send_due_kills(turn);
  send_due_questions(turn);
  const auto tell_by = state.demand.tell_by();
  if ((tell_by && *tell_by <= turn.now) || session.beat_due(turn.now)) beat(turn);
}

void tend_scheduler(const Turn& turn) {
  auto& state = turn.state;
  if (state.allocator.leaving) return;
  deliver_answers(turn, state.catalog.requests.take_late(turn.now));
  if (state.finished() || state.allocator.leaving) return;
  const auto due = state.scheduler.next_deadline();
  if (due && *due <= turn.now) {
    call_scheduler(turn, [&](Driver& driver) { state.scheduler.deadline(driver); });
  }
}

/// A task that waits for a verdict is part of an ACCEPT that waits for its answer.
void check_accepts(const State& state) {
  std::set<TaskId> asked;
  for (const auto& [number, open] : state.accepts.all()) {
    PROFFER_CHECK(number == open.accept.accept, "an accept under a wrong number");
    for (const auto& task : open.accept.tasks) asked.insert(task.id);
  }
  for (const auto& task : state.tasks.all_current()) {
    PROFFER_CHECK(!state.tasks.asked(task) || asked.contains(task),
                  "a task waits for a verdict that nobody will give");
  }
}

}  // namespace
}  // namespace frameworks

struct Framework::Impl {
  frameworks::State state;
};

Framework::Framework(FrameworkConfig config, Scheduler& scheduler, Random random, std::vector<Kept> kept) {
  // Drawn beside the others: what follows is drawn as if nothing had been.
  if (config.instance == 0) config.instance = Random(random).bits() | 1;
  auto server = frameworks::known_allocator(kept);
  session::ClientSession session(frameworks::session_settings(config));
  session.belong(server.cluster, server.epoch);
  frameworks::CatalogRequests requests(config.catalog_timeout);
  const auto given = config.given;
  impl_.reset(
      new Impl{{.config = std::move(config),
                .scheduler = frameworks::SchedulerCallbacks(scheduler),
                .random = std::move(random),
                .identity = given ? frameworks::Identity{given->id, given->secret} : frameworks::Identity{},
                .allocator = {.session = std::move(session), .server = server},
                .catalog = {std::move(requests)},
                .views = {.foreign_tasks = given.has_value()},
                .kept = std::move(kept)}});
  if (given) impl_->state.tasks.belong_to(given->id);
}
Framework::~Framework() = default;

// A pause of our own is noticed before any silence is judged, and before requests are late. Deadlines come
// after the event, which may have moved them; ends that the step has brought are delivered last, when what
// they follow from is done.
void Framework::step(const Event& event, Actions& actions, Time now) {
  auto& state = impl_->state;
  if (state.finished()) return;
  const frameworks::Turn turn(state, actions, now);
  state.catalog.requests.postpone(state.allocator.session.woke(now));
  if (state.allocator.phase == frameworks::Phase::fresh) frameworks::start(turn);
  if (const auto* in = std::get_if<MessageReceived>(&event)) frameworks::receive(turn, *in);
  if (const auto* lost = std::get_if<PeerLost>(&event)) frameworks::lose(turn, lost->peer);
  frameworks::tend_allocator(turn);
  frameworks::tend_scheduler(turn);
  frameworks::deliver_ends(turn);
  frameworks::sweep_tasks(turn);
}

std::optional<Time> Framework::next_deadline() const {
  const auto& state = impl_->state;
  const auto& allocator = state.allocator;
  if (state.finished()) return {};
  if (allocator.phase == frameworks::Phase::fresh) return Time{};  // at once
  if (allocator.leaving) return allocator.session.attempt_at();    // what else it waited for is of no matter
  auto next = earlier(state.scheduler.next_deadline(), state.catalog.requests.next_deadline());
  next = earlier(next, allocator.session.next_deadline());
  if (!state.in_session()) return next;
  next = earlier(next, earlier(state.demand.tell_by(), state.views.open.next_deadline()));
  return earlier(next, earlier(state.accepts.next_deadline(), state.kills.next_deadline()));
}

void Framework::check_invariants() const {
  const auto& state = impl_->state;
  PROFFER_CHECK(state.in_session() == state.allocator.session.open(), "phase and session disagree");
  PROFFER_CHECK(state.in_session() || state.offers.outstanding() == 0, "an offer outlived its session");
  PROFFER_CHECK(!state.in_session() || !state.identity.id.value.is_nil(), "in session without an id");
  PROFFER_CHECK(state.owed.ends.empty(), "an end was reported, but not delivered");
  state.offers.check_invariants();
  state.tasks.check_invariants();
  frameworks::check_accepts(state);
}

bool Framework::finished() const { return impl_->state.finished(); }
bool Framework::subscribed() const { return impl_->state.in_session(); }
const std::optional<Error>& Framework::refused() const { return impl_->state.allocator.refused; }
void Framework::end() { impl_->state.allocator.leaving = true; }
bool Framework::leaving() const { return impl_->state.allocator.leaving && !finished(); }

}  // namespace proffer

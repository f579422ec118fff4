#include "frameworks/pool/offer_replies.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::frameworks {
namespace {

void count(OfferTotals& totals, std::span<const Driver::Call> calls) {
  for (const auto& call : calls) {
    if (const auto* accept = std::get_if<Driver::AcceptCall>(&call)) {
      totals.accepted += accept->offers.size();
      totals.tasks_launched += accept->tasks.size();
    } else if (const auto* decline = std::get_if<Driver::DeclineCall>(&call)) {
      ++totals.declined[static_cast<std::size_t>(decline->reason)];
    }
  }
}

/// Launches the nearest task of one job on every slot. The order of jobs is not asked: a job whose ended
/// tasks count on (JobSharing::commit_time) may not be in it.
class FillUp final : public Policy {
 public:
  explicit FillUp(JobId job) : job_(job) {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time) override {
    const auto locality = jobs.nearest(job_, slot.kind, slot.agent);
    if (!locality) return Pass{};
    return Take{job_, *locality};
  }
  std::optional<Time> next_level_change(Kind, const Candidates&, Time) const override { return {}; }

 private:
  JobId job_;
};

}  // namespace

void OfferReplies::use(std::unique_ptr<Policy> policy) {
  answer_.reset();  // first, as it refers to the policy
  policy_ = std::move(policy);
  answer_.emplace(pool_, *policy_, kinds_);
}

bool OfferReplies::keeps(const Offers& offers, Time now) {
  return held_.keeps(offers, answer_->holds_offers(), now);
}

void OfferReplies::rescind(std::span<const OfferId> offers) {
  held_.rescind(offers);
  gathering_.rescind(offers);
}

void OfferReplies::disconnected() {
  held_.clear();
  gathering_.let_go();  // they are void
}

/// A gathering that is under way goes on, whatever comes before its job by now.
std::optional<RigidWish> OfferReplies::wish(Time now) const {
  const auto old = gathering_.under_way();
  const auto wish_of = [this](JobId job, Kind kind) {
    return RigidWish{job, kind, pool_.unlaunched(job, kind), pool_.need(job, kind)};
  };
  if (old && !gathers_for_nobody()) return wish_of(old->job, old->kind);
  const auto may = [&](JobId job) { return !gathering_.pauses(job, now); };
  for (const auto kind : kinds_) {
    const auto job = pool_.first_rigid(kind, may);
    if (job) return wish_of(*job, kind);
  }
  return {};
}

bool OfferReplies::gathers_for_nobody() const {
  const auto wish = gathering_.under_way();
  return wish && pool_.unlaunched(wish->job, wish->kind) == 0;
}

bool OfferReplies::avoids(JobId job, AgentId agent) const {
  const auto tasks = avoided_.on(agent);
  return std::ranges::any_of(tasks, [&](const auto& task) { return task.second.job == job; });
}

std::vector<Offer> OfferReplies::gather(const Offers& offers, Time now) {
  const auto wanted = wish(now);
  auto others = gathering_.gather(wanted);
  for (const auto& offer : offers.offers) {
    const bool kept = wanted && !avoids(wanted->job, offer.agent.id) && gathering_.keep(offer, now);
    if (!kept) others.push_back(offer);
  }
  return others;
}

std::optional<GatheredTooFew> OfferReplies::let_go(Driver& driver, const Describe& describe) {
  const bool for_nobody = gathers_for_nobody();
  const auto too_few = for_nobody ? std::nullopt : gathering_.give_up(driver.now());
  if (!for_nobody && !too_few) return {};
  if (too_few) driver.trace(*too_few);
  const auto before = driver.calls().size();
  answer_others(driver, {gathering_.let_go(), {}}, noting(describe));
  count(totals_, driver.calls().subspan(before));
  return too_few;
}

void OfferReplies::launch_whole(Driver& driver, const Describe& describe) {
  const auto [job, kind, slots, need] = *gathering_.under_way();
  const auto offers = gathering_.take_all();
  totals_.received += offers.size();
  FillUp policy(job);
  pool_.fill_only(job);
  OfferAnswer(pool_, policy, kinds_).answer_more(driver, {offers, {}}, describe);
  pool_.fill_only({});
  PROFFER_CHECK(pool_.unlaunched(job, kind) == 0, "a rigid job has not started as a whole");
  answer_->revive(driver, {kind});  // what is left over, and what was refused meanwhile, is for other jobs
}

OfferReplies::Describe OfferReplies::noting(const Describe& describe) {
  return [this, &describe](const Placement& placed, const Offer& offer) {
    avoided_.remove(placed.task);
    return describe(placed, offer);
  };
}

void OfferReplies::answer(Driver& driver, const Offers& offers, const Describe& describe) {
  const auto before = driver.calls().size();
  const auto launch = noting(describe);
  const bool was_wished = wish(driver.now()).has_value();
  answer_others(driver, {gather(offers, driver.now()), offers.standings}, launch);
  if (gathering_.complete()) launch_whole(driver, launch);
  // A rigid job whose turn has come with these launches may want what they left over.
  const auto next = wish(driver.now());
  if (next && !was_wished) answer_->revive(driver, {next->kind});
  count(totals_, driver.calls().subspan(before));
}

void OfferReplies::answer_others(Driver& driver, Offers offers, const Describe& describe) {
  totals_.received += offers.offers.size();
  Offers plain{{}, offers.standings};
  std::vector<Offer> apart;
  for (auto& offer : offers.offers) {
    (avoided_.on(offer.agent.id).empty() ? plain.offers : apart).push_back(std::move(offer));
  }
  // Plain ones first: the policy is told of the message once, with all tasks in the pool.
  answer_->answer(driver, plain, describe);
  for (const auto& offer : apart) answer_avoided(driver, offers, offer, describe);
}

void OfferReplies::answer_avoided(Driver& driver, const Offers& offers, const Offer& offer,
                                  const Describe& describe) {
  std::vector<std::pair<JobId, PendingTask>> withheld;
  for (const auto& [id, entry] : avoided_.on(offer.agent.id)) {
    auto task = pool_.remove(entry.job, id);
    PROFFER_CHECK(task, "an avoiding attempt is not in the pool");
    withheld.emplace_back(entry.job, std::move(*task));
  }
  answer_->answer_more(driver, {{offer}, offers.standings}, describe);
  for (auto& [job, task] : withheld) pool_.add(job, std::move(task));  // its wait goes on
  // The answer spoke for a pool without them; left at that, other agents' slots would not be offered for
  // them.
  answer_->declare(driver);
}

std::vector<Kind> OfferReplies::end_waits(Time now) {
  auto kinds = gathering_.end_pauses(now);
  for (const auto& over : avoided_.take_over(now)) kinds.push_back(over.kind);
  return kinds;
}

void OfferReplies::withdraw(JobId job, const TaskId& task) {
  PROFFER_CHECK(pool_.remove(job, task), "an open attempt is not in the pool");
  avoided_.remove(task);
}

std::optional<Time> OfferReplies::next_deadline() const {
  if (gathers_for_nobody()) return Time{};
  const auto next = earlier(earlier(answer_->next_deadline(), avoided_.next()), held_.next());
  return earlier(next, gathering_.next());
}

}  // namespace proffer::frameworks

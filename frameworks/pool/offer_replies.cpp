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

/// Launches the nearest task of a job on every slot that the job may have.
class FillUp final : public Policy {
 public:
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time) override {
    for (const auto id : jobs.in_order(slot.kind)) {
      if (const auto locality = jobs.nearest(id, slot.kind, slot.agent)) return Take{id, *locality};
    }
    return Pass{};
  }
  std::optional<Time> next_level_change(Kind, const Candidates&, Time) const override { return {}; }
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
  gathering_.clear();
}

std::optional<RigidWish> OfferReplies::wish(Time now) const {
  const auto may = [&](JobId job) { return !gathering_.pauses(job, now); };
  const auto goes_on = [&](JobId job) { return may(job) && gathering_.job() == job; };
  for (const auto kind : kinds_) {
    auto job = pool_.first_rigid(kind, goes_on);
    if (!job) job = pool_.first_rigid(kind, may);
    if (job) return RigidWish{*job, kind, pool_.unlaunched(*job, kind)};
  }
  return {};
}

bool OfferReplies::gathers_for_nobody() const {
  const auto job = gathering_.job();
  return job && std::none_of(kinds_.begin(), kinds_.end(), [&](Kind kind) {
           return pool_.first_rigid(kind, [&](JobId id) { return id == *job; }).has_value();
         });
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

std::optional<LetGo> OfferReplies::take_gathered(Driver& driver) {
  if (gathers_for_nobody()) return LetGo{{gathering_.gather({}), {}}, {}};
  const auto too_few = gathering_.give_up(driver.now());
  if (!too_few) return {};
  driver.trace(*too_few);
  return LetGo{{gathering_.let_go(), {}}, too_few};
}

void OfferReplies::launch_whole(Driver& driver, const Describe& describe) {
  const auto job = *gathering_.job();
  const auto offers = gathering_.take_all();
  totals_.received += offers.size();
  FillUp policy;
  pool_.fill_only(job);
  OfferAnswer(pool_, policy, kinds_).answer_more(driver, {offers, {}}, describe);
  pool_.fill_only({});
}

void OfferReplies::answer(Driver& driver, const Offers& offers, const Describe& describe) {
  const auto before = driver.calls().size();
  auto answered = gather(offers, driver.now());
  totals_.received += answered.size();
  const auto launch = [&](const Placement& placed, const Offer& offer) {
    avoided_.remove(placed.task);
    return describe(placed, offer);
  };
  Offers plain{{}, offers.standings};
  std::vector<Offer> apart;
  for (auto& offer : answered) {
    (avoided_.on(offer.agent.id).empty() ? plain.offers : apart).push_back(std::move(offer));
  }
  // Plain ones first: the policy is told of the message once, with all tasks in the pool.
  answer_->answer(driver, plain, launch);
  for (const auto& offer : apart) answer_avoided(driver, offers, offer, launch);
  if (gathering_.complete()) launch_whole(driver, launch);
  count(totals_, driver.calls().subspan(before));
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

#include "frameworks/pool/offer_replies.hpp"

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

}  // namespace

void OfferReplies::use(std::unique_ptr<Policy> policy) {
  answer_.reset();  // first, as it refers to the policy
  policy_ = std::move(policy);
  answer_.emplace(pool_, *policy_, kinds_);
}

bool OfferReplies::keeps(const Offers& offers, Time now) {
  return held_.keeps(offers, answer_->holds_offers(), now);
}

void OfferReplies::answer(Driver& driver, const Offers& offers, const Describe& describe) {
  const auto before = driver.calls().size();
  totals_.received += offers.offers.size();
  const auto launch = [&](const Placement& placed, const Offer& offer) {
    avoided_.remove(placed.task);
    return describe(placed, offer);
  };
  Offers plain{{}, offers.standings};
  std::vector<Offer> apart;
  for (const auto& offer : offers.offers) {
    (avoided_.on(offer.agent.id).empty() ? plain.offers : apart).push_back(offer);
  }
  // Plain ones first: the policy is told of the message once, with all tasks in the pool.
  answer_->answer(driver, plain, launch);
  for (const auto& offer : apart) answer_avoided(driver, offers, offer, launch);
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

std::vector<Kind> OfferReplies::end_avoiding(Time now) {
  std::vector<Kind> kinds;
  for (const auto& over : avoided_.take_over(now)) kinds.push_back(over.kind);
  return kinds;
}

void OfferReplies::withdraw(JobId job, const TaskId& task) {
  PROFFER_CHECK(pool_.remove(job, task), "an open attempt is not in the pool");
  avoided_.remove(task);
}

std::optional<Time> OfferReplies::next_deadline() const {
  return earlier(earlier(answer_->next_deadline(), avoided_.next()), held_.next());
}

}  // namespace proffer::frameworks

#include "frameworks/pool/gathering.hpp"

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"
#include "proffer/check.hpp"
#include "proffer/fnv.hpp"

namespace proffer::frameworks {
namespace {

/// Pauses grow up to that power of two times the patience.
constexpr std::uint32_t kMostDoublings = 4;

}  // namespace

Gathering::Gathering(Duration patience) : patience_(patience) {
  PROFFER_CHECK(patience > Duration::zero(), "slots are gathered for some time");
}

bool Gathering::pauses(JobId job, Time now) const {
  const auto at = pauses_.find(job);
  return at != pauses_.end() && at->second.until && *at->second.until > now;
}

std::optional<RigidWish> Gathering::under_way() const {
  if (!until_) return {};
  return wish_;
}

std::vector<Offer> Gathering::gather(const std::optional<RigidWish>& wish) {
  std::vector<Offer> released;
  if (!wish || !wish_ || wish->job != wish_->job || wish->kind != wish_->kind) released = let_go();
  wish_ = wish;
  return released;
}

bool Gathering::keep(const Offer& offer, Time now) {
  if (!wish_ || tasks_in(offer.resources, wish_->need) == 0 || complete()) return false;
  if (!until_) until_ = now + patience_;
  held_.push_back(offer);
  return true;
}

std::int64_t Gathering::held_slots() const {
  std::int64_t slots = 0;
  for (const auto& offer : held_) slots += tasks_in(offer.resources, wish_->need);
  return slots;
}

bool Gathering::complete() const { return wish_ && !held_.empty() && held_slots() >= wish_->slots; }

std::vector<Offer> Gathering::take_all() {
  PROFFER_CHECK(complete(), "a rigid job takes all or nothing");
  forget(wish_->job);
  return let_go();
}

/// Frameworks that have gathered beside each other hold different offers, so these are what chance goes by.
Duration Gathering::pause_after(std::uint32_t in_vain) const {
  const auto most = patience_ * (std::int64_t{1} << std::min(in_vain, kMostDoublings));
  auto chance = fnv1a(kFnvBasis, in_vain);
  for (const auto& offer : held_) chance = fnv1a(chance, offer.id.n);
  return Duration{static_cast<std::int64_t>(chance % static_cast<std::uint64_t>(most.count()))};
}

std::optional<GatheredTooFew> Gathering::give_up(Time now) {
  if (!until_ || *until_ > now) return {};
  auto& pause = pauses_[wish_->job];
  const GatheredTooFew news{wish_->job, wish_->kind, wish_->slots, held_slots(), pause_after(pause.in_vain)};
  pause = {pause.in_vain + 1, wish_->kind, now + news.pause};
  until_.reset();
  return news;
}

std::vector<Offer> Gathering::let_go() {
  wish_.reset();
  until_.reset();
  return std::exchange(held_, {});
}

std::vector<Kind> Gathering::end_pauses(Time now) {
  std::vector<Kind> kinds;
  for (auto& [job, pause] : pauses_) {
    if (!pause.until || *pause.until > now) continue;
    pause.until.reset();
    kinds.push_back(pause.kind);
  }
  return kinds;
}

void Gathering::rescind(std::span<const OfferId> offers) {
  std::erase_if(held_, [&](const Offer& offer) {
    return std::find(offers.begin(), offers.end(), offer.id) != offers.end();
  });
}

std::optional<Time> Gathering::next() const {
  auto next = until_;
  for (const auto& [job, pause] : pauses_) next = earlier(next, pause.until);
  return next;
}

}  // namespace proffer::frameworks

// Policies of frameworks that harm others, for experiments: an allocator must withstand them.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/settings.hpp"
#include "proffer/random.hpp"

namespace proffer::policies {

/// Keeps slots from others without running much on them. The policy answers each message of offers only
/// `hold` later, takes one slot of each offer, and asks for what it declined again at once. The allocator
/// bounds what can be kept in this way: an offer counts as used in the order of who is next, and one that is
/// not answered expires (30 s by default), after which all agents are hidden from the framework until it
/// speaks, for twice as long each time.
class HoardPolicy final : public Policy, public AsksForOffers, public HoldsOffers {
 public:
  explicit HoardPolicy(Settings& settings);

  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override { return now; }
  bool take_widened(Kind kind) override { return declined_.erase(kind) > 0; }
  Duration holds_offers() const override { return hold_; }

 private:
  Duration hold_;
  std::map<Kind, OfferId> taken_;  ///< the newest offer of which a slot was taken
  std::set<Kind> declined_;
};

/// Declines a part of all offers, drawn one by one, and takes the others as `greedy` does: a control group,
/// since the gain of a patient policy over this one comes from choosing, and not from taking fewer offers.
class RandomDeclinePolicy final : public Policy {
 public:
  explicit RandomDeclinePolicy(Settings& settings);

  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override {
    return now + hold_;
  }

 private:
  std::int64_t declined_;  ///< so many of a million offers
  Duration hold_;
  Random random_;
  std::optional<OfferId> drawn_;
  bool declines_ = false;
};

/// Wants slots and takes none. A declined slot is offered again `hold` later; `never`: not until the jobs
/// have new tasks.
class NeverAcceptPolicy final : public Policy {
 public:
  explicit NeverAcceptPolicy(Settings& settings)
      : hold_(settings.duration_or_never("hold", std::chrono::seconds(5))) {}

  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override {
    return hold_ ? std::optional(now + *hold_) : std::nullopt;
  }

 private:
  std::optional<Duration> hold_;
};

}  // namespace proffer::policies

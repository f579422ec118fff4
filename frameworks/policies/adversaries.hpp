// Frameworks that do others harm, for experiments: what an allocator must stand.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "proffer/frameworks/settings.hpp"
#include "proffer/random.hpp"

namespace proffer {

/// Keeps slots from others without running much on them. It answers each message of offers only `hold` later,
/// takes one slot of each offer, and asks for what it declined again at once. What it can keep in this way is
/// bounded by the allocator: an offer counts as used in the order of who is next, and one that is not
/// answered expires (30 s by default), after which all agents are hidden from it until it speaks, for twice
/// as long each time.
class HoardPolicy final : public Policy {
 public:
  explicit HoardPolicy(Settings& settings);

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override { return now; }
  void job_ended(JobId) override {}
  bool take_widened(Kind kind) override { return declined_.erase(kind) > 0; }
  Duration holds_offers() const override { return hold_; }

 private:
  Duration hold_;
  std::map<Kind, OfferId> taken_;  ///< the newest offer it took a slot of
  std::set<Kind> declined_;
};

/// Declines a part of all offers, drawn one by one, and takes the others as `greedy`: a control group, since
/// what a patient policy gains over it comes from choosing, and not from taking fewer offers.
class RandomDeclinePolicy final : public Policy {
 public:
  explicit RandomDeclinePolicy(Settings& settings);

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override {
    return now + hold_;
  }
  void job_ended(JobId) override {}

 private:
  std::int64_t declined_;  ///< of a million offers
  Duration hold_;
  Random random_;
  std::optional<OfferId> drawn_;
  bool declines_ = false;
};

/// Wants slots and takes none. What it declined is offered again `hold` later; never: not until its jobs have
/// new tasks.
class NeverAcceptPolicy final : public Policy {
 public:
  explicit NeverAcceptPolicy(Settings& settings)
      : hold_(settings.duration_or_never("hold", std::chrono::seconds(5))) {}

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time now) override;
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override {
    return hold_ ? std::optional(now + *hold_) : std::nullopt;
  }
  void job_ended(JobId) override {}

 private:
  std::optional<Duration> hold_;
};

}  // namespace proffer

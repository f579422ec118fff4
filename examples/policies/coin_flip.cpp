// Delay scheduling without a memory: takes node-local tasks at once, and flips a coin over all others.
#include "proffer/frameworks/policy_plugin.hpp"
#include "proffer/random.hpp"

namespace {
using namespace proffer;

class CoinFlip final : public Policy {
 public:
  explicit CoinFlip(Settings& settings)
      : declined_(settings.millionths("part", 500'000)),
        hold_(settings.duration("hold", std::chrono::seconds(1))),
        random_(static_cast<std::uint64_t>(settings.count("seed", 1))) {}

  void opportunity(std::span<const Standing>, const Candidates&, Time) override {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time) override {
    std::optional<Take> first;
    for (const auto job : jobs.in_order(slot.kind)) {
      const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
      if (nearest == Locality::node) return Take{job, *nearest, {}};
      if (nearest && !first) first = Take{job, *nearest, {}};
    }
    if (!first) return Pass{DeclineReason::no_pending_task};
    if (drawn_ != slot.offer) declines_ = static_cast<std::int64_t>(random_.below(1'000'000)) < declined_;
    drawn_ = slot.offer;  // one draw an offer, however many slots it has
    if (declines_) return Pass{DeclineReason::policy};
    return *first;
  }
  /// It is shown what it declined again after the hold.
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
}  // namespace

PROFFER_POLICY("coin-flip", "takes node-local slots, and others at random", CoinFlip)

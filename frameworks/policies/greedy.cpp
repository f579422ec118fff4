#include "frameworks/policies/greedy.hpp"

#include <array>

namespace proffer::policies {
namespace {

constexpr std::array<std::string_view, 2> kMatches{"slot", "message"};

}  // namespace

GreedyPolicy::GreedyPolicy(Settings& settings) : match_message_(settings.choice("match", kMatches) == 1) {}

Choice GreedyPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) {
  for (const auto job : jobs.in_order(slot.kind)) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (nearest && *nearest <= farthest_) return Take{job, *nearest, {}};
  }
  return Pass{DeclineReason::no_pending_task};
}

void GreedyPolicy::begin_look(int number) {
  farthest_ = match_message_ ? static_cast<Locality>(number) : Locality::any;
}

}  // namespace proffer::policies

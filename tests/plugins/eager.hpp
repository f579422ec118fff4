// The smallest possible policy, for plug-ins that go wrong elsewhere.
#pragma once

#include "proffer/frameworks/policy_plugin.hpp"

namespace {
using namespace proffer;

class Eager : public Policy {
 public:
  explicit Eager(Settings&) {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time) override {
    for (const auto job : jobs.in_order(slot.kind)) {
      if (const auto nearest = jobs.nearest(job, slot.kind, slot.agent)) return Take{job, *nearest, {}};
    }
    return Pass{};
  }
  std::optional<Time> next_level_change(Kind, const Candidates&, Time) const override { return {}; }
};

}  // namespace

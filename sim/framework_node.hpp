// A framework of the plan: its session with the allocator and the MapReduce scheduler behind it.
#pragma once

#include <memory>
#include <string>

#include "proffer/frameworks/framework.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/study/plan.hpp"
#include "sim/node.hpp"

namespace proffer::sim {

class FrameworkNode final : public Node {
 public:
  /// Errors of MapReduce::make.
  static Result<std::unique_ptr<FrameworkNode>> make(const study::PlanFramework& plan, Random random,
                                                     const Foresight& foresight);

  void step(const Event& event, Actions& actions, Time now) override { session_.step(event, actions, now); }
  std::optional<Time> next_deadline() const override { return session_.next_deadline(); }
  void check_invariants() const override {
    session_.check_invariants();
    scheduler_->check_invariants();
  }
  const Error* refusal() const override {
    const auto& refused = scheduler_->refused();
    return refused ? &*refused : nullptr;
  }

  Result<JobId> submit(JobSpec spec) { return scheduler_->submit(std::move(spec)); }

 private:
  FrameworkNode(const study::PlanFramework& plan, std::unique_ptr<MapReduce> scheduler, Random random);

  std::unique_ptr<MapReduce> scheduler_;
  Framework session_;
};

}  // namespace proffer::sim

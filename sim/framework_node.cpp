#include "sim/framework_node.hpp"

#include <utility>

#include "proffer/study/tenant_config.hpp"

namespace proffer::sim {
namespace {

FrameworkConfig session_of(const study::PlanFramework& plan) {
  FrameworkConfig config;
  config.name = plan.name;
  config.pool = plan.pool;
  config.user = plan.user;
  config.priority = plan.priority;
  return config;
}

}  // namespace

Result<std::unique_ptr<FrameworkNode>> FrameworkNode::make(const study::PlanFramework& plan, Random random,
                                                           const Foresight& foresight) {
  auto config = study::config_of(plan);
  config.foresight = &foresight;
  auto scheduler = MapReduce::make(std::move(config), nullptr);
  if (!scheduler) return scheduler.error();
  return std::unique_ptr<FrameworkNode>(new FrameworkNode(plan, std::move(*scheduler), std::move(random)));
}

FrameworkNode::FrameworkNode(const study::PlanFramework& plan, std::unique_ptr<MapReduce> scheduler,
                             Random random)
    : Node("framework " + plan.name),
      scheduler_(std::move(scheduler)),
      session_(session_of(plan), *scheduler_, std::move(random)) {}

}  // namespace proffer::sim

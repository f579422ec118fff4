// The machines of a storm, as they are made when their processes start.
#pragma once

#include <memory>

#include "proffer/random.hpp"
#include "sim/storm/disk.hpp"
#include "sim/storm/plan.hpp"
#include "sim/storm/process.hpp"
#include "sim/storm/process_table.hpp"
#include "sim/storm/schedulers.hpp"

namespace proffer::sim::storm {

Resources slots_of(const AgentPlan& agent);

std::unique_ptr<AnyMachine> make_allocator(const Image& image, Random random);
std::unique_ptr<AnyMachine> make_catalog(const Image& image, Random random);
/// Gives an agent its id and its secrets before its first start, as its daemon does: those that a server
/// would give it are lost with the answer.
void mint_identity(Image& image, Random random);
std::unique_ptr<AnyMachine> make_agent(const AgentPlan& plan, HostNo host, const std::string& boot,
                                       const Image& image, Random random);
/// `scheduler` must outlive the machine.
std::unique_ptr<AnyMachine> make_framework(const FrameworkPlan& plan, const std::string& name,
                                           Scheduler& scheduler, const Image& image, Random random);

}  // namespace proffer::sim::storm

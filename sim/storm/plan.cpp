#include "sim/storm/plan.hpp"

#include <algorithm>

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint32_t kMostAgents = 12;
constexpr std::uint32_t kMostFrameworks = 5;

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// One machine in four does not come back when the calm begins.
Fate fate(Random& random) {
  const auto luck = random.below(8);
  return luck == 0 ? Fate::dead : luck == 1 ? Fate::cut_off : Fate::healthy;
}

AgentPlan draw_agent(Random& random) {
  AgentPlan agent;
  agent.maps = 1 + static_cast<std::int64_t>(random.below(4));
  agent.reduces = static_cast<std::int64_t>(random.below(3));
  agent.fate = fate(random);
  return agent;
}

FrameworkPlan draw_framework(Random& random) {
  FrameworkPlan framework;
  framework.character = static_cast<Character>(random.below(kCharacters.size()));
  const std::array<Duration, 4> timeouts{seconds(10), seconds(60), seconds(120), std::chrono::minutes(10)};
  framework.failover = timeouts[random.below(timeouts.size())];
  framework.fate = random.below(10) == 0 ? Fate::dead : Fate::healthy;
  return framework;
}

/// Drawn for all kinds, whether they are on or not: what one kind draws must not depend on others.
void draw_rates(Plan& plan, Random& random) {
  for (auto& mean : plan.every) mean = seconds(4 + random.below(56));
  for (const auto fault : {Fault::reboot, Fault::gone, Fault::takeover, Fault::drain}) {
    plan.every[static_cast<std::size_t>(fault)] = seconds(30 + random.below(90));
  }
  auto& network = plan.network;
  const auto loss = random.below(100);
  const auto doubling = random.below(200);
  const auto delay = random.below(200);
  network.latest = milliseconds(1 + random.below(3000));
  const std::array<std::size_t, 3> queues{64, 256, 1024};
  network.queue = queues[random.below(queues.size())];
  if (plan.has(Fault::loss)) network.loss = loss;
  if (plan.has(Fault::doubling)) network.doubling = doubling;
  if (plan.has(Fault::delay)) network.delay = delay;
}

/// Only what may crash can stay dead, and only what may be cut can stay cut off. One agent is healthy always.
void only_allowed_fates(Plan& plan, const FaultSet& allowed) {
  const auto may = [&](Fault fault) { return allowed.test(static_cast<std::size_t>(fault)); };
  for (auto& agent : plan.agents) {
    if (agent.fate == Fate::dead && !may(Fault::crash_agent)) agent.fate = Fate::healthy;
    if (agent.fate == Fate::cut_off && !may(Fault::cut)) agent.fate = Fate::healthy;
  }
  plan.agents.front().fate = Fate::healthy;
  for (auto& framework : plan.frameworks) {
    if (!may(Fault::crash_framework)) framework.fate = Fate::healthy;
  }
}

}  // namespace

Random Plan::random(std::uint64_t part, std::uint64_t number) const {
  return Random(mixed(mixed(mixed(seed) ^ part) ^ number));
}

Plan draw(std::uint64_t seed, const StormOptions& options) {
  Plan plan;
  plan.seed = seed;
  auto random = plan.random(1);
  for (std::size_t kind = 0; kind < kFaults.size(); ++kind) {
    const bool drawn = random.below(2) == 0;
    plan.on.set(kind, drawn && options.faults.test(kind));
  }
  plan.rage = seconds(20 + random.below(100));
  if (options.rage) plan.rage = std::min(plan.rage, *options.rage);
  plan.allocator_restarts_at_calm =
      random.below(2) == 0 && options.faults.test(static_cast<std::size_t>(Fault::crash_allocator));
  const auto agents = 1 + random.below(kMostAgents);
  const auto frameworks = 2 + random.below(kMostFrameworks - 1);
  draw_rates(plan, random);
  auto agent_random = plan.random(2);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(agents, options.agents); ++i) {
    plan.agents.push_back(draw_agent(agent_random));
  }
  auto framework_random = plan.random(3);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(frameworks, options.frameworks); ++i) {
    plan.frameworks.push_back(draw_framework(framework_random));
  }
  only_allowed_fates(plan, options.faults);
  plan.rough = plan.random(70).below(4) == 0;
  return plan;
}

Duration around(Random& random, Duration mean) {
  return Duration(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * to_us(mean) + 1))));
}

Duration mostly_short(Random& random, Duration most) {
  auto bound = static_cast<std::uint64_t>(to_us(most));
  for (auto halvings = random.below(8); halvings > 0; --halvings) bound /= 2;
  return Duration(static_cast<std::int64_t>(random.below(bound + 1)));
}

}  // namespace proffer::sim::storm

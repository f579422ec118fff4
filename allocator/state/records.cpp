#include "allocator/state/records.hpp"

#include <string>

#include "proffer/names.hpp"

namespace proffer::allocator {

KeptFramework record_of(const FrameworkRecord& framework) {
  return {framework.id,
          framework.secret,
          framework.name,
          framework.user,
          std::string(enum_name(kPriorities, framework.priority)),
          framework.place.pool,
          framework.place.asked,
          framework.failover.timeout,
          framework.incumbent.epoch,
          framework.incumbent.instance};
}

KeptAgent record_of(const AgentRecord& agent) {
  const bool unreachable = agent.reach == Reach::unreachable && !agent.past.awaited;
  return {agent.info, agent.past.secret, agent.past.run, agent.wish, unreachable};
}

void keep(const Turn& turn, const FrameworkRecord& framework) { turn.act(KeepRecord{record_of(framework)}); }
void keep(const Turn& turn, const AgentRecord& agent) { turn.act(KeepRecord{record_of(agent)}); }
void drop(const Turn& turn, const FrameworkRecord& framework) { turn.act(DropRecord{key_of(framework.id)}); }
void drop(const Turn& turn, const AgentRecord& agent) { turn.act(DropRecord{key_of(agent.info.id)}); }

}  // namespace proffer::allocator

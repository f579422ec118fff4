#include "frameworks/mapreduce/spread.hpp"

#include <algorithm>

namespace proffer::mapreduce {

void Spread::count(AgentId agent, std::int64_t more) {
  all_ += more;
  auto& here = on_[agent];
  here += more;
  if (here == 0) on_.erase(agent);
}

bool Spread::above_mean(AgentId agent, std::size_t placed, std::size_t agents) const {
  const auto at = on_.find(agent);
  const auto more = static_cast<std::int64_t>(placed);
  const auto here = (at == on_.end() ? 0 : at->second) + more;
  return here * static_cast<std::int64_t>(std::max<std::size_t>(1, agents)) > all_ + more;
}

}  // namespace proffer::mapreduce

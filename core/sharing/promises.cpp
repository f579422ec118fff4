#include "core/sharing/promises.hpp"

#include <algorithm>

#include "core/sharing/water_filling.hpp"

namespace proffer::sharing {

void find_broken_promises(const Nodes& nodes, NodeIndex pool, Kind kind, std::int64_t share,
                          std::vector<ShareTree::Warning>& warnings) {
  std::vector<NodeIndex> pools;
  std::vector<Claim> claims;
  std::int64_t promised = 0;
  for (const auto child : nodes[pool].children) {
    if (!nodes[child].is_pool) continue;
    const auto min = nodes[pool].order == PoolOrder::fair ? nodes[child].min_share[kind] : 0;
    promised = std::min(promised + min, kUnbounded);
    pools.push_back(child);
    claims.push_back({nodes[child].weight, std::min(min, kUnbounded), kUnbounded});
  }
  if (promised > share) warnings.push_back({nodes.path_of(pool), kind, promised, share});
  const auto shares = water_filling(share, claims);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    find_broken_promises(nodes, pools[i], kind, shares[i], warnings);
  }
}

}  // namespace proffer::sharing

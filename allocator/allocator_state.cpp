#include "allocator/allocator_state.hpp"

#include "proffer/check.hpp"

namespace proffer::allocator {

/// Pools come from a configuration that was checked when it was read.
AllocatorState::AllocatorState(AllocatorConfig settings, ClusterId of, Epoch now_in, Random seeded)
    : config(std::move(settings)),
      cluster_id(of),
      epoch(now_in),
      random(std::move(seeded)),
      eligibility(config.pools),
      private_agents(eligibility),
      shares(config.share_by),
      offers(now_in, config.offer_timeout),
      tasks(now_in) {
  for (const auto& pool : config.pools) {
    const auto declared = shares.tree().declare_pool(pool.share);
    PROFFER_CHECK(declared.ok(), declared.error().message);
  }
  PROFFER_CHECK(shares.tree().has_pool(config.default_pool), "the default pool is one of the pools");
  watched = watched_pools(config, eligibility, shares.tree());
}

}  // namespace proffer::allocator

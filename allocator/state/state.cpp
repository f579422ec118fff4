#include "allocator/state/state.hpp"

#include "proffer/check.hpp"

namespace proffer::allocator {

namespace {

/// A clock that runs out at once would come up again and again at one instant.
void check_times(const AllocatorConfig& config) {
  const auto& preemption = config.preemption;
  const auto fits = [](std::optional<Duration> time) { return !time || *time > Duration::zero(); };
  PROFFER_CHECK(fits(preemption.deadline), "the deadline of preemption is above 0");
  PROFFER_CHECK(fits(preemption.fair_share_timeout), "the timeout of fair shares is above 0");
  PROFFER_CHECK(refuse_preemption(preemption, config.share_by).empty(), "preemption that does not go");
  for (const auto& pool : config.pools) {
    PROFFER_CHECK(fits(pool.share.min_share_timeout), "the timeout of a min share is above 0");
  }
}

}  // namespace

State::State(AllocatorConfig settings, Identity who)
    : config(std::move(settings)),
      identity(std::move(who)),
      eligibility(config.pools),
      private_agents(eligibility),
      shares(config.share_by),
      offers(identity.server.epoch, config.offer_timeout),
      tasks(identity.server.epoch) {
  identity.incarnation = identity.secrets.session().value;
  check_times(config);
  for (const auto& pool : config.pools) {
    const auto declared = shares.tree().declare_pool(pool.share);
    PROFFER_CHECK(declared.ok(), declared.error().message);
  }
  for (const auto& user : config.users) shares.tree().set_user_limit(user.name, user.max_running);
  PROFFER_CHECK(shares.tree().has_pool(config.default_pool), "the default pool is one of the pools");
  starvation.watched = watched_pools(config, eligibility, shares.tree());
}

}  // namespace proffer::allocator

#include "live/http/sampling.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace proffer::live {
namespace {

std::int64_t weight_of(const ShareSample& share) {
  std::int64_t sum = 0;
  for (const auto& [kind, n] : share.used) sum += n;
  for (const auto& [kind, n] : share.fair) sum += n;
  return sum;
}

void add_to(ShareSample& sum, const ShareSample& one) {
  sum.used += one.used;
  for (const auto& [kind, n] : one.fair) sum.fair[kind] += n;
}

/// Keeps those with the most slots, by name, and one more for all others.
std::vector<ShareSample> largest(std::map<std::string, ShareSample> by_name) {
  std::vector<ShareSample> all;
  for (auto& [name, share] : by_name) all.push_back(std::move(share));
  if (all.size() <= kFrameworksSampled) return all;
  std::stable_sort(all.begin(), all.end(),
                   [](const ShareSample& a, const ShareSample& b) { return weight_of(a) > weight_of(b); });
  ShareSample others{kOthers, {}, {}};
  for (auto i = kFrameworksSampled; i < all.size(); ++i) add_to(others, all[i]);
  all.resize(kFrameworksSampled);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  all.push_back(std::move(others));
  return all;
}

}  // namespace

HistorySample sample_of(const ClusterView& view, const ClusterTally& tally, std::int64_t at_ms) {
  HistorySample sample;
  sample.at_ms = at_ms;
  for (const auto& agent : view.state.agents) {
    if (!agent.reachable) continue;
    sample.total += agent.total;
    sample.used += agent.used;
    sample.offered += agent.offered;
  }
  for (const auto& [name, one] : tally.frameworks) {
    sample.offers += one.offers;
    sample.launched += one.launched;
  }
  std::map<std::string, ShareSample> frameworks;
  for (const auto& framework : view.state.frameworks) {
    auto& share = frameworks[framework.name];
    share.name = framework.name;
    add_to(share, {framework.name, framework.used, framework.fair});
  }
  sample.frameworks = largest(std::move(frameworks));
  for (const auto& pool : view.state.pools) {
    if (sample.pools.size() == kPoolsSampled) break;
    sample.pools.push_back({pool.name, Resources(pool.used.begin(), pool.used.end()), pool.fair});
  }
  return sample;
}

}  // namespace proffer::live

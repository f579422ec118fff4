#include "allocator/pools/guarantees.hpp"

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"

namespace proffer::allocator {
namespace {

constexpr Duration kSettling = std::chrono::seconds(3);

struct Broken {
  BrokenGuarantee what;
  std::string sentence;
};

std::vector<Kind> kinds_there(const State& state) {
  std::vector<Kind> kinds;
  for (const auto kind : state.shares.kinds()) {
    if (state.shares.tree().capacity(kind) > 0) kinds.push_back(kind);
  }
  return kinds;
}

std::string no_such_kind(const std::string& pool, Kind kind, const std::vector<Kind>& there) {
  std::string names;
  for (const auto known : there) names.append(names.empty() ? "" : ", ").append(known.name());
  return "min_share of pool '" + pool + "': no agent has slots of kind " + std::string(kind.name()) +
         " (there are " + names + "); it counts once one has";
}

std::string no_guarantee(const std::string& pool, Kind kind) {
  return "min_share of pool '" + pool + "': bulk resources, such as " + std::string(kind.name()) +
         ", are shared by dominant share, without guarantees; it does not count";
}

std::vector<Broken> broken_guarantees(const State& state, const std::vector<Kind>& there) {
  const auto is_there = [&](Kind kind) { return std::find(there.begin(), there.end(), kind) != there.end(); };
  std::vector<Broken> all;
  for (const auto& pool : state.config.pools) {
    for (const auto& [kind, units] : pool.share.min_share) {
      const auto& name = pool.share.name;
      if (is_bulk(kind)) {
        all.push_back({{name, kind, true}, no_guarantee(name, kind)});
      } else if (!is_there(kind)) {
        all.push_back({{name, kind, true}, no_such_kind(name, kind, there)});
      }
    }
  }
  for (const auto& warning : state.shares.tree().warnings()) {
    if (!is_there(warning.kind)) continue;
    all.push_back({{warning.pool, warning.kind, false}, in_words(warning, "the cluster has")});
  }
  return all;
}

}  // namespace

std::vector<std::string> look_at_guarantees(const Turn& turn) {
  auto& state = turn.state;
  std::vector<std::string> sentences;
  const auto there = kinds_there(state);
  if (there.empty()) return sentences;
  std::set<BrokenGuarantee> now;
  for (auto& [what, sentence] : broken_guarantees(state, there)) {
    if (!state.guarantees.warned_of.contains(what)) turn.trace(PoolWarned{what.pool, sentence});
    now.insert(std::move(what));
    sentences.push_back(std::move(sentence));
  }
  // Replaced, not added to: a promise that is kept for a while and then broken again is news.
  state.guarantees.warned_of = std::move(now);
  return sentences;
}

void look_at_guarantees_soon(const Turn& turn) {
  auto& state = turn.state;
  const bool promises = std::any_of(state.config.pools.begin(), state.config.pools.end(),
                                    [](const AllocatorPool& pool) { return !pool.share.min_share.empty(); });
  if (promises && !state.guarantees.next_look) state.guarantees.next_look = turn.now + kSettling;
}

bool look_if_due(const Turn& turn) {
  auto& next = turn.state.guarantees.next_look;
  if (!next || *next > turn.now) return false;
  next.reset();  // first: a look that is due would come up again for ever
  look_at_guarantees(turn);
  return true;
}

}  // namespace proffer::allocator

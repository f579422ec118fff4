// Whole trees, drawn at random: entitlements against a reference that halves intervals, level by level; and
// the order, which must not depend on how the tree came about.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "tests/sharing/bisection.hpp"

namespace proffer {
namespace {

const Kind kMap("map");
const Kind kReduce("reduce");

struct Drawn {
  struct Leaf {
    std::string pool;
    LeafSpec spec;
    std::int64_t demand = 0;
    std::int64_t used = 0;
    std::int64_t running = 0;       // of what is used
    std::int64_t used_reduces = 0;  // of as many that it wants, and one
    /// Its demand.
    std::int64_t counted(bool waits) const { return std::max(running, waits ? 0 : demand); }
  };
  ShareBy by = ShareBy::kind;
  std::vector<PoolSpec> pools;  // of every name but the root's
  std::vector<Leaf> leaves;
  std::int64_t capacity = 0;
};

std::int64_t number(Random& random, std::uint64_t below) {
  return static_cast<std::int64_t>(random.below(below));
}

/// Three levels at most. `plain`: fair pools without limits, for which a reference is known.
Drawn draw(Random& random, bool plain) {
  Drawn tree;
  if (random.below(2) == 0) tree.by = ShareBy::dominant;
  std::vector<std::string> names;
  for (std::uint64_t i = 0, n = 1 + random.below(4); i < n; ++i) {
    names.push_back("p" + std::to_string(i));
    for (std::uint64_t j = 0, m = random.below(3); j < m; ++j)
      names.push_back(names[i] + ".q" + std::to_string(j));
  }
  for (const auto& name : names) {
    PoolSpec pool{name, 1 + number(random, 4000)};
    if (random.below(2) == 0) pool.min_share.set(kMap, number(random, 60));
    if (!plain) {
      pool.order = static_cast<PoolOrder>(random.below(3));
      if (random.below(3) == 0) pool.max_running = static_cast<std::uint32_t>(1 + random.below(3));
      if (random.below(3) == 0) pool.max_running_per_user = 1;
      if (random.below(2) == 0) pool.user_limit = static_cast<std::uint32_t>(1 + random.below(100));
    }
    tree.pools.push_back(pool);
  }
  names.emplace_back();
  for (std::uint64_t i = 0, n = random.below(12); i < n; ++i) {
    Drawn::Leaf leaf;
    leaf.pool = names[random.below(names.size())];
    leaf.spec = {"f" + std::to_string(i), 1 + number(random, 3000), random.below(4),
                 static_cast<Priority>(random.below(5)), random.below(2) == 0 ? "ann" : "bob"};
    leaf.demand = random.below(6) == 0 ? kUnbounded : number(random, 50);
    leaf.used = number(random, 50);
    leaf.running = random.below(3) == 0 ? number(random, static_cast<std::uint64_t>(leaf.used) + 1) : 0;
    leaf.used_reduces = number(random, 50);
    tree.leaves.push_back(leaf);
  }
  tree.capacity = number(random, 200);
  return tree;
}

/// The tree, and its leaves by name.
struct Grown {
  ShareTree tree;
  std::map<std::string, LeafId> leaves;

  explicit Grown(const Drawn& drawn) : tree(drawn.by) {
    for (const auto& pool : drawn.pools) EXPECT_TRUE(tree.declare_pool(pool).ok());
    tree.set_capacity(kMap, drawn.capacity);
    tree.set_capacity(kReduce, 100);
    for (const auto& leaf : drawn.leaves) {
      const auto id = *tree.add_leaf(leaf.pool, leaf.spec);
      leaves[leaf.spec.name] = id;
      tree.set_demand(id, kMap, leaf.demand);
      tree.set_used(id, kMap, leaf.used);
      tree.set_running(id, kMap, leaf.running);
      tree.set_demand(id, kReduce, leaf.used_reduces + 1);
      tree.set_used(id, kReduce, leaf.used_reduces);
    }
  }
  std::vector<std::string> order_of(Kind kind) const {
    std::vector<std::string> visited;
    (void)tree.neediest(kind, [&](LeafId leaf) {
      for (const auto& [name, id] : leaves) {
        if (id == leaf) visited.push_back(name);
      }
      return false;
    });
    return visited;
  }
  /// Of both kinds, one after the other.
  std::vector<std::string> order() const {
    auto visited = order_of(kMap);
    const auto reduces = order_of(kReduce);
    visited.insert(visited.end(), reduces.begin(), reduces.end());
    return visited;
  }
};

/// What stands in the pool itself: pools by their last name, leaves by theirs.
struct Children {
  std::vector<std::string> names;  // of pools: dotted
  std::vector<sharing::Claim> claims;
};

bool lies_in(const std::string& path, const std::string& pool) {
  return pool.empty() || path == pool || path.starts_with(pool + ".");
}

Children children_of(const std::string& pool, const Drawn& drawn) {
  Children children;
  for (const auto& child : drawn.pools) {
    const auto dot = child.name.rfind('.');
    if (child.name == pool || (dot == std::string::npos ? "" : child.name.substr(0, dot)) != pool) continue;
    std::int64_t demand = 0;
    for (const auto& leaf : drawn.leaves) {
      if (lies_in(leaf.pool, child.name)) demand = std::min(kUnbounded, demand + leaf.counted(false));
    }
    children.names.push_back(child.name);
    children.claims.push_back({child.weight_milli, child.min_share[kMap], demand});
  }
  for (const auto& leaf : drawn.leaves) {
    if (leaf.pool != pool) continue;
    children.names.push_back(leaf.spec.name);
    children.claims.push_back({leaf.spec.weight_milli, 0, leaf.counted(false)});
  }
  return children;
}

std::int64_t share_of(const std::string& name, const Grown& grown) {
  const auto leaf = grown.leaves.find(name);
  return leaf != grown.leaves.end() ? grown.tree.fair_share(leaf->second, kMap)
                                    : grown.tree.numbers(*grown.tree.find_pool(name), kMap).fair;
}

/// Each level is compared given what the level above got, in whole units.
void compare_below(const std::string& pool, std::int64_t units, const Drawn& drawn, const Grown& grown) {
  const auto children = children_of(pool, drawn);
  const auto expected = sharing::bisected_shares(units, children.claims);
  for (std::size_t i = 0; i < children.names.size(); ++i) {
    const auto share = share_of(children.names[i], grown);
    EXPECT_LT(std::abs(static_cast<long double>(share) - expected[i]), 1.001L) << children.names[i];
    if (!grown.leaves.contains(children.names[i])) compare_below(children.names[i], share, drawn, grown);
  }
}

class RandomTrees : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Random random{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range<std::uint64_t>(0, 10));

TEST_P(RandomTrees, AThousandAgreeWithBisectionAtEachLevel) {
  for (int round = 0; round < 1000 && !HasFailure(); ++round) {
    const auto drawn = draw(random, true);
    compare_below("", drawn.capacity, drawn, Grown(drawn));
  }
}

TEST_P(RandomTrees, SharesSumToTheCapacityOrTheDemandWithNoneAboveItsOwn) {
  for (int round = 0; round < 200; ++round) {
    const auto drawn = draw(random, false);
    const Grown grown(drawn);
    std::int64_t shares = 0;
    std::int64_t demand = 0;
    for (const auto& leaf : drawn.leaves) {
      const auto id = grown.leaves.at(leaf.spec.name);
      const auto counted = leaf.counted(grown.tree.waits(id));
      const auto share = grown.tree.fair_share(id, kMap);
      EXPECT_LE(share, counted);
      shares += share;
      demand = std::min(kUnbounded, demand + counted);
    }
    ASSERT_EQ(shares, std::min(drawn.capacity, demand));
  }
}

/// At every level, given what the level above got.
void check_promises_below(const std::string& pool, std::int64_t units, const Drawn& drawn,
                          const Grown& grown) {
  const auto children = children_of(pool, drawn);
  std::int64_t promised = 0;
  for (const auto& claim : children.claims) promised += std::min(claim.min, claim.demand);
  for (std::size_t i = 0; i < children.names.size(); ++i) {
    const auto share = share_of(children.names[i], grown);
    const auto& claim = children.claims[i];
    if (promised <= units) {
      EXPECT_GE(share, std::min(claim.min, claim.demand)) << children.names[i];
    }
    if (!grown.leaves.contains(children.names[i])) {
      check_promises_below(children.names[i], share, drawn, grown);
    }
  }
}

TEST_P(RandomTrees, MinSharesAreHonouredWhereTheyCanBe) {
  for (int round = 0; round < 200; ++round) {
    const auto drawn = draw(random, true);
    check_promises_below("", drawn.capacity, drawn, Grown(drawn));
  }
}

TEST_P(RandomTrees, ExactSharesLieBetweenTheirWholeNumbers) {
  for (int round = 0; round < 200; ++round) {
    const auto drawn = draw(random, true);
    const Grown grown(drawn);
    const auto children = children_of("", drawn);
    const auto exact = sharing::bisected_shares(drawn.capacity, children.claims);
    for (std::size_t i = 0; i < children.names.size(); ++i) {
      const auto leaf = grown.leaves.find(children.names[i]);
      const auto node = leaf != grown.leaves.end() ? grown.tree.node_of(leaf->second)
                                                   : *grown.tree.find_pool(children.names[i]);
      const auto numbers = grown.tree.numbers(node, kMap);
      EXPECT_LE(numbers.most_fair - numbers.least_fair, 1);
      EXPECT_LE(static_cast<long double>(numbers.least_fair), exact[i] + 0.001L) << children.names[i];
      EXPECT_GE(static_cast<long double>(numbers.most_fair), exact[i] - 0.001L) << children.names[i];
    }
  }
}

TEST_P(RandomTrees, OrderAndSharesDoNotDependOnHowTheTreeCameAbout) {
  for (int round = 0; round < 200; ++round) {
    auto drawn = draw(random, false);
    const Grown grown(drawn);
    random.shuffle(drawn.leaves);
    random.shuffle(drawn.pools);
    const Grown again(drawn);
    again.tree.check_invariants();
    ASSERT_EQ(again.order(), grown.order());
    for (const auto& [name, id] : grown.leaves) {
      EXPECT_EQ(again.tree.waits(again.leaves.at(name)), grown.tree.waits(id));
      EXPECT_EQ(share_of(name, again), grown.tree.fair_share(id, kMap)) << name;
    }
    for (const auto& pool : drawn.pools) EXPECT_EQ(share_of(pool.name, again), share_of(pool.name, grown));
  }
}

// Recomputed from the leaves: among siblings that are leaves nobody beyond the limit goes before one within
// it.
TEST_P(RandomTrees, UsersBeyondTheLimitOfTheirPoolComeLast) {
  for (int round = 0; round < 300; ++round) {
    const auto drawn = draw(random, false);
    const Grown grown(drawn);
    const auto order = grown.order_of(kMap);
    for (const auto& pool : drawn.pools) {
      if (pool.order != PoolOrder::capacity || pool.user_limit == kNoUserLimit) continue;
      const auto numbers = grown.tree.numbers(*grown.tree.find_pool(pool.name), kMap);
      std::map<std::string, std::int64_t> used;
      std::set<std::string> users;
      for (const auto& leaf : drawn.leaves) {
        if (leaf.pool != pool.name) continue;
        used[leaf.spec.user] += leaf.used;
        const auto id = grown.leaves.at(leaf.spec.name);
        if (leaf.counted(grown.tree.waits(id)) > 0) users.insert(leaf.spec.user);
      }
      const auto units = numbers.used < numbers.fair ? numbers.fair : numbers.used + 1;
      bool any_beyond = false;
      for (const auto& name : order) {
        const auto leaf = std::find_if(drawn.leaves.begin(), drawn.leaves.end(),
                                       [&](const auto& one) { return one.spec.name == name; });
        if (leaf->pool != pool.name) continue;
        const auto mine = used[leaf->spec.user];
        const auto parts = static_cast<std::int64_t>(users.size());
        const bool beyond = mine * parts >= units && mine * 100 >= units * pool.user_limit;
        EXPECT_FALSE(any_beyond && !beyond) << name << " in " << pool.name;
        any_beyond = any_beyond || beyond;
      }
    }
  }
}

TEST_P(RandomTrees, SettingsAndPlacesTakenLaterAreAsGoodAsFromTheStart) {
  for (int round = 0; round < 200; ++round) {
    const auto drawn = draw(random, false);
    const Grown grown(drawn);
    auto elsewhere = drawn;
    for (auto& pool : elsewhere.pools) pool = {pool.name};
    for (auto& leaf : elsewhere.leaves) leaf.pool = "p0";
    Grown later(elsewhere);
    (void)later.order();
    for (const auto& leaf : drawn.leaves) {
      ASSERT_TRUE(later.tree.move_leaf(later.leaves.at(leaf.spec.name), leaf.pool).ok());
      later.tree.check_invariants();
    }
    for (const auto& pool : drawn.pools) ASSERT_TRUE(later.tree.set_pool(pool).ok());
    later.tree.check_invariants();
    ASSERT_EQ(later.order(), grown.order());
    for (const auto& [name, id] : grown.leaves) {
      EXPECT_EQ(share_of(name, later), grown.tree.fair_share(id, kMap));
    }
  }
}

}  // namespace
}  // namespace proffer

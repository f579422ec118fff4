// The tree under random changes, against a model that recomputes everything from the leaves.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {
namespace {

const Kind kMaps("map");
const Kind kReduces("reduce");
const std::vector<std::string> kPools{"", "a", "a.x", "a.y", "b", "c"};

struct Model {
  struct Leaf {
    std::string pool;
    std::int64_t demand = 0;
    std::int64_t used = 0;
  };
  std::map<LeafId, Leaf> leaves;

  std::int64_t total(std::int64_t Leaf::*field) const {
    std::int64_t sum = 0;
    for (const auto& [id, leaf] : leaves) sum = std::min(kUnbounded, sum + leaf.*field);
    return sum;
  }
};

class Storm : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Storm() : random(GetParam()), tree(GetParam() % 2 == 0 ? ShareBy::kind : ShareBy::dominant) {
    tree.set_capacity(kReduces, 50);
    for (const auto& name : kPools) {
      Resources min_share;
      if (random.below(3) == 0) min_share.set(kMaps, static_cast<std::int64_t>(random.below(20)));
      EXPECT_TRUE(
          tree.declare_pool({name, static_cast<std::int64_t>(500 + random.below(4000)), min_share}).ok());
    }
  }

  void change() {
    if (model.leaves.empty() || random.below(10) == 0) return add();
    auto& [id, leaf] = *std::next(model.leaves.begin(), static_cast<long>(random.below(model.leaves.size())));
    switch (random.below(10)) {
      case 0:
        tree.remove_leaf(id);
        model.leaves.erase(id);
        break;
      case 1:
        capacity = static_cast<std::int64_t>(random.below(300));
        tree.set_capacity(kMaps, capacity);
        break;
      case 2:
      case 3:
        leaf.demand = random.below(5) == 0 ? kUnbounded : static_cast<std::int64_t>(random.below(40));
        tree.set_demand(id, kMaps, leaf.demand);
        break;
      case 4:
        leaf.pool = kPools[random.below(kPools.size())];
        EXPECT_TRUE(tree.move_leaf(id, leaf.pool).ok());
        break;
      case 5:
        tree.set_used(id, kReduces, static_cast<std::int64_t>(random.below(40)));
        break;
      case 6:
        set_some_pool();
        break;
      default:
        leaf.used = static_cast<std::int64_t>(random.below(40));
        tree.set_used(id, kMaps, leaf.used);
    }
  }
  void set_some_pool() {
    PoolSpec spec{.name = kPools[random.below(kPools.size())]};
    spec.order = static_cast<PoolOrder>(random.below(kPoolOrders.size()));
    spec.user_limit = static_cast<std::uint32_t>(1 + random.below(100));
    EXPECT_TRUE(tree.set_pool(spec).ok());
  }
  void add() {
    const auto& pool = kPools[random.below(kPools.size())];
    const auto weight = static_cast<std::int64_t>(1 + random.below(3000));
    const auto name = "leaf" + std::to_string(submitted);
    LeafSpec spec{name, weight, ++submitted};
    spec.user = random.below(3) == 0 ? "ann" : "bob";
    if (random.below(2) == 0) spec.due = time_from_us(static_cast<std::int64_t>(random.below(9)));
    const auto leaf = *tree.add_leaf(pool, spec);
    model.leaves[leaf] = {pool, 0, 0};
  }
  std::vector<LeafId> order() const {
    std::vector<LeafId> visited;
    (void)tree.neediest(kMaps, [&](LeafId leaf) {
      visited.push_back(leaf);
      return false;
    });
    return visited;
  }

  Random random;
  ShareTree tree;
  Model model;
  std::int64_t capacity = 0;
  std::uint64_t submitted = 0;
};
INSTANTIATE_TEST_SUITE_P(Seeds, Storm, ::testing::Range<std::uint64_t>(0, 10));

TEST_P(Storm, InvariantsHoldAndSharesSumToCapacityOrDemand) {
  for (int i = 0; i < 600; ++i) {
    change();
    tree.check_invariants();
    std::int64_t fair = 0;
    for (const auto& [id, leaf] : model.leaves) {
      const auto share = tree.fair_share(id, kMaps);
      EXPECT_LE(share, leaf.demand);
      fair += share;
    }
    ASSERT_EQ(fair, std::min(capacity, model.total(&Model::Leaf::demand)));
  }
}

TEST_P(Storm, ExactlyThoseWhoWantMoreAreVisitedOnceEach) {
  for (int i = 0; i < 600; ++i) {
    change();
    auto visited = order();
    std::sort(visited.begin(), visited.end());
    std::vector<LeafId> expected;
    for (const auto& [id, leaf] : model.leaves) {
      if (leaf.demand > leaf.used) expected.push_back(id);
    }
    ASSERT_EQ(visited, expected);
  }
}

struct Entry {
  std::string name;
  std::string pool;
  std::int64_t demand;
  std::int64_t used;
};

std::vector<std::string> order_of(const std::vector<Entry>& entries) {
  ShareTree tree;
  for (const auto& pool : kPools) EXPECT_TRUE(tree.declare_pool({pool, 1000, {}}).ok());
  std::map<LeafId, std::string> names;
  for (const auto& entry : entries) {
    const auto leaf = *tree.add_leaf(entry.pool, {entry.name, 1000, 1});
    names[leaf] = entry.name;
    tree.set_demand(leaf, kMaps, entry.demand);
    tree.set_used(leaf, kMaps, entry.used);
  }
  std::vector<std::string> order;
  (void)tree.neediest(kMaps, [&](LeafId leaf) {
    order.push_back(names.at(leaf));
    return false;
  });
  return order;
}

TEST_P(Storm, TheOrderDoesNotDependOnTheOrderOfInsertion) {
  std::vector<Entry> entries;
  for (int i = 0; i < 30; ++i) {
    entries.push_back({"f" + std::to_string(i), kPools[random.below(kPools.size())],
                       static_cast<std::int64_t>(random.below(6)),
                       static_cast<std::int64_t>(random.below(3))});
  }
  const auto expected = order_of(entries);
  random.shuffle(entries);
  EXPECT_EQ(order_of(entries), expected);
}

}  // namespace
}  // namespace proffer

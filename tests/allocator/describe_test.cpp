// What DESCRIBE tells, whatever the cluster is like. The stage asks that all of it reads back.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::SizeIs;

TEST(Describe, ReadsBackInWhateverOrderKindsCame) {
  std::vector<std::string> kinds{"gpu", "map", "reduce", "tape"};
  do {
    Stage s(with_pools({{{"guarded", 1000, {{Kind("tape"), 1}, {Kind("gpu"), 1}}}}}));
    s.framework("f", {.demand = 2});
    for (const auto& kind : kinds) s.agent("with-" + kind, Resources{{Kind(kind), 2}});
    EXPECT_THAT(s.describe("f").fair, SizeIs(kinds.size()));
  } while (std::next_permutation(kinds.begin(), kinds.end()));
}

TEST(Describe, ReadsBackWithMoreKindsThanOneAgentMayHave) {
  Stage s;
  s.framework("f");
  for (int i = 40; i-- > 0;) s.agent("a" + std::to_string(i), Resources{{Kind("k" + std::to_string(i)), 1}});
  EXPECT_THAT(s.describe("f").offered, SizeIs(40));
}

}  // namespace
}  // namespace proffer

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

TEST(Describe, CountsOffersAndTasksAsTheTracesTell) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  s.accept("f", "a1", {"t1"});
  s.finish("a1", "t1");
  const auto counts = s.describe("f");
  EXPECT_EQ(counts.offers_sent, s.traces<OfferMade>().size());
  EXPECT_EQ(counts.offers_accepted, 1u);
  EXPECT_EQ(counts.tasks_launched, 1u);
  EXPECT_EQ(counts.tasks_finished, 1u);
  EXPECT_EQ(counts.offers_declined[static_cast<std::size_t>(DeclineReason::no_pending_task)], 1u);
}

TEST(Describe, DoesNotCountATaskThatWasNeverLaunchedAsFailed) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  EXPECT_EQ(s.accept("f", "a1", {"t1", "t2"}), "t1 t2=REJECTED(too-large)");
  EXPECT_EQ(s.describe("f").tasks_failed, 0u);
}

TEST(Describe, DoesNotCountAnOfferThatEndedWithItsSessionAsRescinded) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f", {.failover = 10 * kSecond});
  s.lose("f");
  EXPECT_THAT(s.traces<OfferRescinded>(), SizeIs(1));
  EXPECT_EQ(s.describe("f").offers_rescinded, 0u);
}

}  // namespace
}  // namespace proffer

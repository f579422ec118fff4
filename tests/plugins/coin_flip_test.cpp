// The example of a policy in a plug-in, shown one slot after the other.
#include "tests/frameworks/vocabulary.hpp"
#include "tests/plugins/vocabulary.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::agent;
using testing::anywhere;
using testing::load;
using testing::offer;
using testing::refusal;

/// The policy over a pool with a job of that many tasks.
struct Bench {
  Bench(const std::string& policy, int tasks) : bench((load("coin_flip"), policy)) {
    const auto job = bench.job(1);
    for (int n = 0; n < tasks; ++n) bench.pool.add(job, anywhere("t" + std::to_string(n)));
  }
  std::vector<std::string> slots(int count) {
    std::vector<std::string> said;
    for (int n = 0; n < count; ++n) said.push_back(bench.slot(1, 0s));
    return said;
  }
  testing::PolicyBench bench;
};

TEST(CoinFlip, DeclinesItsPartOfAllOffers) {
  Bench bench("coin-flip,part=0.25", 1000);
  const auto said = bench.slots(1000);
  const auto declined = std::count(said.begin(), said.end(), "policy");
  EXPECT_GT(declined, 200);
  EXPECT_LT(declined, 300);
}

TEST(CoinFlip, TakesNodeLocalTasksWhateverTheCoinSays) {
  Bench bench("coin-flip,part=1", 1);
  bench.bench.pool.add(bench.bench.job(2), testing::map_on("here", {1}));
  EXPECT_EQ(bench.slots(2), (std::vector<std::string>{"here@node", "policy"}));
}

TEST(CoinFlip, NothingAndAllAreParts) {
  EXPECT_THAT(Bench("coin-flip,part=0", 3).slots(3), ::testing::Each(::testing::StartsWith("t")));
  EXPECT_THAT(Bench("coin-flip,part=1", 3).slots(3), ::testing::Each("policy"));
}

TEST(CoinFlip, EqualSeedsDeclineTheSame) {
  const auto said = [](const std::string& policy) { return Bench(policy, 50).slots(50); };
  EXPECT_EQ(said("coin-flip,seed=3"), said("coin-flip,seed=3"));
  EXPECT_NE(said("coin-flip,seed=3"), said("coin-flip,seed=4"));
}

TEST(CoinFlip, SlotsOfOneOfferShareItsFate) {
  Bench bench("coin-flip", 1000);
  for (std::uint64_t n = 1; n <= 50; ++n) {
    const auto said = bench.bench.offers({offer(n, agent(1), 4)}, 0s);
    EXPECT_TRUE(said.size() == 4 || said == std::vector<std::string>{"policy"});
  }
}

TEST(CoinFlip, IsShownADeclinedSlotAgainAfterTheHold) {
  const Bench bench("coin-flip,hold=250ms", 1);
  EXPECT_EQ(bench.bench.level_change(2s), Duration{2250ms});
}

TEST(CoinFlip, AnIdleFrameworkHasNoTask) {
  Bench bench("coin-flip,part=1", 0);
  EXPECT_EQ(bench.bench.slot(1, 0s), "no-pending-task");
}

TEST(CoinFlip, APartIsANumberFrom0To1) {
  load("coin_flip");
  for (const auto* good : {"0", "1", "0.25", "1.0", "0.000001"}) {
    EXPECT_EQ(refusal("coin-flip,part=" + std::string(good)), "nothing is wrong") << good;
  }
  for (const auto* bad : {"", "2", "1.1", "-0.5", ".5", "0.", "0.0000001", "half", "50%"}) {
    EXPECT_THAT(refusal("coin-flip,part=" + std::string(bad)), ::testing::HasSubstr("a part from 0 to 1"))
        << bad;
  }
}

}  // namespace
}  // namespace proffer

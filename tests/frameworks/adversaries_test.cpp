// Policies that do others harm, and the offers that one of them holds back.
#include "frameworks/pool/held_offers.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job of tasks that run anywhere.
struct RogueBench : PolicyBench {
  explicit RogueBench(std::string_view text, int tasks = 1000) : PolicyBench(text) { job_of(tasks, {}); }
};

TEST(HoardPolicy, TakesOneSlotOfAnOfferAndAsksForTheRestAgain) {
  RogueBench bench("hoard");
  EXPECT_THAT(bench.offers({offer(1, agent(1), 4), offer(2, agent(2), 4)}, 0s),
              ElementsAre("t0@any", "policy", "t1@any", "policy"));
  EXPECT_TRUE(bench.take_widened());
  EXPECT_FALSE(bench.take_widened());
}

TEST(HoardPolicy, AnswersJustBeforeOffersExpire) {
  EXPECT_EQ(RogueBench("hoard").ability<HoldsOffers>()->holds_offers(), Duration{25s});
  EXPECT_FALSE(make_policy(*parse_policy("hoard,hold=0s")));
  EXPECT_FALSE(make_policy(*parse_policy("random-decline,hold=0s")));
  EXPECT_FALSE(make_policy(*parse_policy("matchmaking,pass=0s")));
}

TEST(HeldOffers, AreDueInTheirOrderAndNotBefore) {
  frameworks::HeldOffers held;
  held.keeps({{offer(1, agent(1))}, {}}, 25s, at(0s));
  held.keeps({{offer(2, agent(2))}, {}}, 25s, at(1s));
  EXPECT_EQ(held.next(), at(25s));
  EXPECT_EQ(held.take_due(at(25s - 1us)), std::nullopt);
  EXPECT_EQ(held.take_due(at(25s))->offers.at(0).id, (OfferId{1, 1}));
  EXPECT_EQ(held.take_due(at(25s)), std::nullopt);
  EXPECT_EQ(held.next(), at(26s));
}

TEST(HeldOffers, ARescindedOneIsNotAnswered) {
  frameworks::HeldOffers held;
  held.keeps({{offer(1, agent(1)), offer(2, agent(2))}, {}}, 25s, at(0s));
  held.keeps({{offer(3, agent(1))}, {}}, 25s, at(1s));
  held.rescind(std::vector<OfferId>{{1, 1}, {1, 3}});
  EXPECT_EQ(held.take_due(at(30s))->offers.size(), 1u);
  EXPECT_EQ(held.next(), std::nullopt);
}

TEST(RandomDeclinePolicy, DeclinesItsPartOfAllOffers) {
  RogueBench bench("random-decline,part=0.25");
  int declined = 0;
  for (int i = 0; i < 1000; ++i) declined += bench.slot(1, 0s) == "policy" ? 1 : 0;
  EXPECT_GT(declined, 200);
  EXPECT_LT(declined, 300);
}

TEST(RandomDeclinePolicy, EqualSeedsDeclineTheSame) {
  const auto said = [](std::string_view text) {
    RogueBench bench(text);
    std::vector<std::string> all;
    for (int i = 0; i < 50; ++i) all.push_back(bench.slot(1, 0s) == "policy" ? "-" : "+");
    return all;
  };
  EXPECT_EQ(said("random-decline,seed=3"), said("random-decline,seed=3"));
  EXPECT_NE(said("random-decline,seed=3"), said("random-decline,seed=4"));
}

TEST(NeverAcceptPolicy, DeclinesAllForAsLongAsItSays) {
  RogueBench bench("never-accept,hold=2s");
  EXPECT_EQ(bench.slot(1, 1s), "policy");
  EXPECT_EQ(bench.level_change(1s), Duration{3s});
  EXPECT_EQ(RogueBench("never-accept,hold=never").level_change(1s), std::nullopt);
  EXPECT_EQ(RogueBench("never-accept", 0).slot(1, 0s), "no-pending-task");
}

}  // namespace
}  // namespace proffer::testing

// Answers to offers for the tasks of a pool.
#include "frameworks/pool/offer_replies.hpp"

#include "proffer/frameworks/policy_registry.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

using frameworks::OfferReplies;

constexpr JobId kJob{1};
const TaskId kTask{"j1-m-00000-0"};

/// A pool with one job and one map, whose offers are answered greedily.
struct OfferRepliesTest : ::testing::Test {
  OfferRepliesTest() {
    replies.use(make_policy({}).value());
    pool.add_job(kJob, "job");
    pool.add(kJob, {kTask, kMap, {}, {}, 0, now});
  }

  Time now = time_from_us(1'000'000);
  Random random{1};
  std::uint64_t next_request = 1;
  TaskPool pool;
  OfferReplies replies{pool, {kMap, kReduce}};
  std::vector<TaskId> launched;

  void offer_slots(const std::vector<std::uint64_t>& agents) {
    Offers offers;
    for (const auto n : agents) offers.offers.push_back(offer(++last_offer, agent(n)));
    Driver driver(now, random, next_request);
    replies.answer(driver, offers, [&](const Placement& placed, const Offer& with) {
      launched.push_back(placed.task);
      last_agent = with.agent.name;
      return TaskSpec{placed.task, Resources{{kMap, 1}}, placed.job, {}};
    });
  }

  std::uint64_t last_offer = 0;
  std::string last_agent;
};

TEST_F(OfferRepliesTest, ATaskIsLaunchedAndCounted) {
  offer_slots({1, 2});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_EQ(replies.totals().received, 2u);
  EXPECT_EQ(replies.totals().accepted, 1u);
  EXPECT_EQ(replies.totals().tasks_launched, 1u);
}

TEST_F(OfferRepliesTest, ATaskIsNotLaunchedWhereItIsAvoided) {
  replies.avoid(kTask, {kJob, kMap, agent_id(1), now + std::chrono::seconds(10)});
  offer_slots({1});
  EXPECT_THAT(launched, IsEmpty());
  EXPECT_EQ(pool.unlaunched(kJob, kMap), 1);
}

TEST_F(OfferRepliesTest, AnAvoidedAgentIsLookedAtAfterTheOthers) {
  replies.avoid(kTask, {kJob, kMap, agent_id(1), now + std::chrono::seconds(10)});
  offer_slots({1, 2});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_EQ(last_agent, "a2");
}

TEST_F(OfferRepliesTest, AnAgentIsAvoidedUntilItsTimeIsOver) {
  const auto until = now + std::chrono::seconds(10);
  replies.avoid(kTask, {kJob, kMap, agent_id(1), until});
  EXPECT_EQ(replies.next_deadline(), until);
  now = until;
  EXPECT_THAT(replies.end_avoiding(now), ElementsAre(kMap));
  offer_slots({1});
  EXPECT_THAT(launched, ElementsAre(kTask));
}

TEST_F(OfferRepliesTest, ATaskThatIsWithdrawnAvoidsNothing) {
  replies.avoid(kTask, {kJob, kMap, agent_id(1), now + std::chrono::seconds(10)});
  replies.withdraw(kJob, kTask);
  EXPECT_FALSE(replies.next_deadline());
  offer_slots({1});
  EXPECT_THAT(launched, IsEmpty());
}

}  // namespace
}  // namespace proffer::testing

// Answers to offers for the tasks of a pool.
#include "frameworks/mapreduce/offer_replies.hpp"

#include "proffer/frameworks/policy_registry.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce {
namespace {

using mapreduce_test::agent_id;
using mapreduce_test::agent_info;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr JobId kJob{1};
const TaskId kTask{"j1-m-00000-0"};

/// A pool with one job and one map, whose offers are answered greedily.
struct OfferRepliesTest : testing::Test {
  OfferRepliesTest() {
    replies.use(make_policy({}).value());
    pool.add_job(kJob, "job");
    pool.add(kJob, {kTask, Kind("map"), {}, {}, 0, now});
  }

  Time now = time_from_us(1'000'000);
  Random random{1};
  std::uint64_t next_request = 1;
  TaskPool pool;
  OfferReplies replies{pool, Kind("map"), Kind("reduce")};
  std::vector<TaskId> launched;

  void offer(const std::vector<std::string>& agents) {
    Offers offers;
    for (const auto& agent : agents) {
      offers.offers.push_back({OfferId{1, ++last_offer}, agent_info(agent), Resources{{Kind("map"), 1}}});
    }
    Driver driver(now, random, next_request);
    replies.answer(driver, offers, [&](const Placement& placed, const Offer& with) {
      launched.push_back(placed.task);
      last_agent = with.agent.name;
      return TaskSpec{placed.task, Resources{{Kind("map"), 1}}, placed.job, {}};
    });
  }

  std::uint64_t last_offer = 0;
  std::string last_agent;
};

TEST_F(OfferRepliesTest, ATaskIsLaunchedAndCounted) {
  offer({"a1", "a2"});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_EQ(replies.totals().received, 2u);
  EXPECT_EQ(replies.totals().accepted, 1u);
  EXPECT_EQ(replies.totals().tasks_launched, 1u);
}

TEST_F(OfferRepliesTest, ATaskIsNotLaunchedWhereItIsAvoided) {
  replies.avoid(kTask, {kJob, true, agent_id("a1"), now + std::chrono::seconds(10)});
  offer({"a1"});
  EXPECT_THAT(launched, IsEmpty());
  EXPECT_EQ(pool.unlaunched(kJob, Kind("map")), 1);
}

TEST_F(OfferRepliesTest, AnAvoidedAgentIsLookedAtAfterTheOthers) {
  replies.avoid(kTask, {kJob, true, agent_id("a1"), now + std::chrono::seconds(10)});
  offer({"a1", "a2"});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_EQ(last_agent, "a2");
}

TEST_F(OfferRepliesTest, AnAgentIsAvoidedUntilItsTimeIsOver) {
  const auto until = now + std::chrono::seconds(10);
  replies.avoid(kTask, {kJob, true, agent_id("a1"), until});
  EXPECT_EQ(replies.next_deadline(), until);
  now = until;
  Driver driver(now, random, next_request);
  replies.end_avoiding(driver, now);
  offer({"a1"});
  EXPECT_THAT(launched, ElementsAre(kTask));
}

TEST_F(OfferRepliesTest, ATaskThatIsWithdrawnAvoidsNothing) {
  replies.avoid(kTask, {kJob, true, agent_id("a1"), now + std::chrono::seconds(10)});
  replies.withdraw(kJob, kTask);
  EXPECT_FALSE(replies.next_deadline());
  offer({"a1"});
  EXPECT_THAT(launched, IsEmpty());
}

}  // namespace
}  // namespace proffer::mapreduce

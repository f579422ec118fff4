// ACCEPT: verdicts, what is launched, what becomes of the rest.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Accept, TasksAreLaunchedOnTheAgent) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  EXPECT_EQ(s.accept("f", "a1", {"t1", "t2"}), "t1 t2");
  const auto launches = s.take<Launch>("a1");
  ASSERT_THAT(launches, SizeIs(2));
  EXPECT_EQ(launches[0].task.id.value, "t1");
  EXPECT_EQ(launches[0].framework, s.client("f").framework);
  EXPECT_EQ(launches[0].framework_name, "f");
  EXPECT_NE(launches[0].launch, launches[1].launch);
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 2}}));
}

TEST(Accept, TakesAnyPartAndTheRestIsFreeAgain) {
  Stage s;
  s.framework("f");
  s.framework("g", {.demand = 0});
  s.agent("a1", 3);
  s.say("g", Heartbeat{1, Demand{{{kMap, 5}}}});
  EXPECT_EQ(s.offers("g"), "");
  EXPECT_EQ(s.accept("f", "a1", {"t1"}), "t1");
  EXPECT_EQ(s.offers("g"), "a1:2");
}

TEST(Accept, TheRestIsDeclinedWithItsReason) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  s.offers("f");
  s.accept("f", "a1", {"t1"}, {DeclineReason::no_rack_local, 5 * kSecond, {}});
  EXPECT_EQ(s.offers("f"), "");
  EXPECT_EQ(s.describe("f").offers_declined[static_cast<std::size_t>(DeclineReason::no_rack_local)], 1u);
  s.pass(5 * kSecond);
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Accept, RestRefusedUntilChangeOutlastsItsOwnLaunch) {
  Stage s;
  s.framework("f");
  s.agent("a1", 3);
  s.offers("f");
  s.accept("f", "a1", {"t1"}, {DeclineReason::policy, Duration::zero(), {}});
  EXPECT_EQ(s.offers("f"), "");
  s.finish("a1", "t1");
  EXPECT_EQ(s.offers("f"), "a1:3");
}

TEST(Accept, WithoutTasksItIsADecline) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.offers("f");
  EXPECT_EQ(s.accept("f", "a1", {}), "");
  EXPECT_EQ(s.offers("f"), "");
  EXPECT_EQ(s.describe("f").offers_accepted, 0u);
}

TEST(Accept, MoreThanTheOfferHoldsIsTooLarge) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  EXPECT_EQ(s.accept("f", "a1", {"t1", "t2", "t3"}), "t1 t2 t3=REJECTED(too-large)");
}

TEST(Accept, ATaskThatDoesNotFitDoesNotKeepOthersOut) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  Accept accept;
  accept.offers = s.held("f");
  accept.tasks = {s.task("large", 3), s.task("small", 1)};
  EXPECT_EQ(s.accept("f", accept), "large=REJECTED(too-large) small");
}

TEST(Accept, ADeadOfferCountsAsNothing) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  const auto dead = s.held("f");
  s.pass(30 * kSecond);
  Accept accept;
  accept.offers = dead;
  accept.tasks = {s.task("t1")};
  EXPECT_EQ(s.accept("f", accept), "t1=DROPPED(offer-gone)");
  EXPECT_THAT(s.take<Launch>("a1"), IsEmpty());
}

TEST(Accept, ADeadOfferBesideALiveOneLeavesWhatTheLiveOneHolds) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  Accept accept;
  accept.offers = s.held("f");
  accept.offers.push_back({kEpoch.value, 999});
  accept.tasks = {s.task("t1"), s.task("t2"), s.task("t3")};
  EXPECT_EQ(s.accept("f", accept), "t1 t2 t3=DROPPED(offer-gone)");
}

TEST(Accept, SomebodyElsesOfferIsDead) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  Accept accept;
  accept.offers = s.held("f");
  accept.tasks = {s.task("t1")};
  EXPECT_EQ(s.accept("g", accept), "t1=DROPPED(offer-gone)");
  EXPECT_EQ(s.describe("f").offered, (Resources{{kMap, 1}}));
}

TEST(Accept, AnOfferOfAnotherEpochIsDead) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  Accept accept;
  accept.offers = {{kEpoch.value - 1, s.held("f").at(0).n}};
  accept.tasks = {s.task("t1")};
  EXPECT_EQ(s.accept("f", accept), "t1=DROPPED(offer-gone)");
}

TEST(Accept, AnOfferNamedTwiceCountsOnce) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  Accept accept;
  accept.offers = {s.held("f").at(0), s.held("f").at(0)};
  accept.tasks = {s.task("t1"), s.task("t2")};
  EXPECT_EQ(s.accept("f", accept), "t1 t2=REJECTED(too-large)");
}

TEST(Accept, SeveralOffersOfOneAgentAreOneHeap) {
  Stage s;
  s.framework("f", {.demand = 1});
  s.agent("a1", 2);
  s.say("f", Heartbeat{1, Demand{{{kMap, 2}}}});
  ASSERT_THAT(s.held("f"), SizeIs(2));
  Accept accept;
  accept.offers = s.held("f");
  accept.tasks = {s.task("wide", 2)};
  EXPECT_EQ(s.accept("f", accept), "wide");
}

TEST(Accept, OffersOfTwoAgentsAreRefusedAndFreeAgain) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.agent("a2", 1);
  Accept accept;
  accept.offers = s.held("f");
  accept.tasks = {s.task("t1")};
  EXPECT_EQ(s.accept("f", accept), "t1=REJECTED(invalid)");
  EXPECT_EQ(s.describe("f").offered, Resources{});
}

TEST(Accept, BadTasksAreInvalid) {
  Stage s;
  s.framework("f");
  s.agent("a1", 5);
  Accept accept;
  accept.offers = s.held("f");
  accept.tasks = {s.task("bad id"), s.task(""), s.task(".."), s.task("t1")};
  accept.tasks.push_back({{"no-slots"}, {}, {}, s.task("x").work});
  accept.tasks.push_back({{"no-work"}, {{kMap, 1}}, {}, nullptr});
  EXPECT_EQ(s.accept("f", accept),
            "bad id=REJECTED(invalid) =REJECTED(invalid) ..=REJECTED(invalid) t1 no-slots=REJECTED(invalid) "
            "no-work=REJECTED(invalid)");
}

TEST(Accept, AnIdIsUsedOnce) {
  Stage s;
  s.framework("f");
  s.agent("a1", 5);
  s.offers("f");
  EXPECT_EQ(s.accept("f", "a1", {"t1", "t1"}, {DeclineReason::other, Duration::zero(), {}}),
            "t1 t1=REJECTED(duplicate-id)");
  s.revive("f");
  EXPECT_EQ(s.accept("f", "a1", {"t1"}, {DeclineReason::other, Duration::zero(), {}}),
            "t1=REJECTED(duplicate-id)");
}

TEST(Accept, ADuplicateIsNotTheEndOfTheTaskThatLives) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.run("f", "a1", "t1");
  s.agent("a2", 1);
  EXPECT_EQ(s.accept("f", "a2", {"t1"}), "t1=REJECTED(duplicate-id)");
  const auto changed = s.traces<TaskChanged>();
  ASSERT_THAT(changed, ::testing::SizeIs(1));
  EXPECT_EQ(changed[0].state, TaskState::running);
}

TEST(Accept, TheIdOfAnEndedTaskIsNotUsedAgain) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.run("f", "a1", "t1");
  s.finish("a1", "t1");
  s.acknowledge("f", "t1", 2);
  EXPECT_EQ(s.accept("f", "a1", {"t1"}), "t1=REJECTED(duplicate-id)");
}

TEST(Accept, TheIdOfARefusedTaskMayBeUsedAgain) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  EXPECT_EQ(s.accept("f", "a1", {"t1", "t2"}), "t1 t2=REJECTED(too-large)");
  s.agent("a2", 1);
  EXPECT_EQ(s.accept("f", "a2", {"t2"}), "t2");
}

TEST(Accept, TwoFrameworksMayUseOneTaskId) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 2);
  EXPECT_EQ(s.accept("f", "a1", {"t1"}), "t1");
  EXPECT_EQ(s.accept("g", "a1", {"t1"}), "t1");
}

TEST(Accept, SentAgainGetsTheStoredAnswerAndLaunchesNothing) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  Accept accept;
  accept.accept = 1;
  accept.offers = s.held("f");
  accept.tasks = {s.task("t1"), s.task("bad id")};
  EXPECT_EQ(s.resend("f", accept), "t1 bad id=REJECTED(invalid)");
  EXPECT_EQ(s.resend("f", accept), "t1 bad id=REJECTED(invalid)");
  EXPECT_THAT(s.take<Launch>("a1"), SizeIs(1));
}

TEST(Accept, OnlyTheNewestAnswersAreKept) {
  Stage s;
  s.check_every(100);
  s.framework("f");
  for (int i = 0; i < 1025; ++i) EXPECT_EQ(s.accept("f", Accept{}), "");
  Accept old;
  old.accept = 2;
  EXPECT_EQ(s.resend("f", old), "");
  old.accept = 1;
  EXPECT_EQ(s.resend("f", old), "0 answers");
  EXPECT_EQ(s.error("f"), ErrorCode::refused);
}

TEST(Accept, TheAnswerComesBeforeAnyNewOffer) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  s.client("f").inbox.clear();
  Accept accept;
  accept.accept = 1;
  accept.offers = s.held("f");
  accept.tasks = {s.task("t1")};
  accept.rest_refuse_for = Duration{1};
  s.say("f", accept);
  s.pass(Duration{1});
  const auto& inbox = s.client("f").inbox;
  ASSERT_THAT(inbox, SizeIs(2));
  EXPECT_TRUE(std::holds_alternative<Accepted>(inbox[0]));
  EXPECT_TRUE(std::holds_alternative<Offers>(inbox[1]));
}

TEST(Accept, DemandRidesInIt) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  s.offers("f");
  s.accept("f", "a1", {"t1"}, {DeclineReason::no_pending_task, Duration{1}, 1});
  s.pass(kSecond);
  EXPECT_EQ(s.offers("f"), "") << "it uses all it wants";
}

TEST(Accept, IsTracedWithWhatWasLaunched) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  s.pass(kSecond);
  s.accept("f", "a1", {"t1", "t2", "t3"});
  const auto accepted = s.traces<OfferAccepted>();
  ASSERT_THAT(accepted, SizeIs(1));
  EXPECT_EQ(accepted[0].tasks, 2u);
  EXPECT_EQ(accepted[0].held, kSecond);
  EXPECT_THAT(s.traces<TaskLaunched>(), SizeIs(2));
  const auto changed = s.traces<TaskChanged>();
  ASSERT_THAT(changed, SizeIs(1));
  EXPECT_EQ(changed[0].reason, TaskReason::too_large);
}

}  // namespace
}  // namespace proffer

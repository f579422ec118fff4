// Which maps are stragglers, and how slow agents are known.
#include "frameworks/mapreduce/stragglers.hpp"

#include "frameworks/mapreduce/backups.hpp"
#include "frameworks/mapreduce/map_times.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using mapreduce::AgentPace;
using mapreduce::Backups;
using mapreduce::find_stragglers;
using mapreduce::RunningMap;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Time kStart = time_from_us(1'000'000'000);

Speculation rules(Duration after = 0s) { return {true, 100, 1500, after}; }

/// Agents a1 to a4 of the usual pace, and a5, on which everything takes three times as long.
AgentPace one_slow() {
  AgentPace pace;
  for (const auto* agent : {"a1", "a2", "a3", "a4"}) pace.ended(agent_id(agent), 10s, 10s);
  pace.ended(agent_id("a5"), 30s, 10s);
  pace.check_invariants();
  return pace;
}

/// Two maps on agents of the usual pace, the second launched 5 s later; the median is 10 s.
mapreduce::Straggling look(Duration after_start, const Speculation& by = rules(), const char* second = "a2") {
  const std::vector<RunningMap> maps{{0, agent_id("a1"), kStart}, {1, agent_id(second), kStart + 5s}};
  return find_stragglers(maps, 10s, one_slow(), by, kStart + after_start);
}

TEST(Stragglers, AMapIsOneOnceItHasRunForOneAndAHalfTimesTheMedianNotBefore) {
  EXPECT_EQ(look(15s - 1us).worst, std::nullopt);
  EXPECT_EQ(look(15s - 1us).next, kStart + 15s);
  EXPECT_EQ(look(15s).worst, 0u);
  EXPECT_EQ(look(15s).next, kStart + 20s) << "the other's time";
}

TEST(Stragglers, TheWorstIsTheOneThatHasRunForLongest) { EXPECT_EQ(look(30s).worst, 0u); }

TEST(Stragglers, OneOnASlowAgentNeedNotBeWaitedFor) {
  EXPECT_EQ(look(6s, rules(), "a5").worst, 1u) << "30 s are expected, and a backup takes 10 s";
  EXPECT_EQ(look(16s, rules(), "a5").worst, 1u)
      << "it has 19 s left, the other perhaps as many as it has run";
}

TEST(Stragglers, OneOnASlowAgentThatWouldEndBeforeItsBackupIsLeftAloneUntilItsTimeIsOver) {
  const std::vector<RunningMap> maps{{0, agent_id("a5"), kStart}};
  const auto found = find_stragglers(maps, 10s, one_slow(), rules(), kStart + 20s);
  EXPECT_EQ(found.worst, std::nullopt);
  EXPECT_EQ(found.next, kStart + 30s);
  EXPECT_EQ(find_stragglers(maps, 10s, one_slow(), rules(), kStart + 30s).worst, 0u);
}

TEST(Stragglers, NoneIsOneBeforeItsLeastTime) {
  EXPECT_EQ(look(59s, rules(60s)).worst, std::nullopt);
  EXPECT_EQ(look(59s, rules(60s)).next, kStart + 60s);
  EXPECT_EQ(look(60s, rules(60s)).worst, 0u);
}

TEST(Stragglers, ThereIsNoneWhereNothingRuns) {
  const auto found = find_stragglers({}, 10s, one_slow(), rules(), kStart);
  EXPECT_EQ(found.worst, std::nullopt);
  EXPECT_EQ(found.next, std::nullopt);
}

TEST(AgentPaces, AreRelativeToTheAgentInTheMiddle) {
  auto pace = one_slow();
  EXPECT_EQ(pace.milli(agent_id("a1")), 1000);
  EXPECT_EQ(pace.milli(agent_id("a5")), 3000);
  EXPECT_EQ(pace.milli(agent_id("a6")), 1000) << "nothing is known of it";
  EXPECT_THAT(pace.slower_than(1500), ElementsAre(agent_id("a5")));
  AgentPace all_alike;
  for (const auto* agent : {"a1", "a2", "a3"}) all_alike.ended(agent_id(agent), 30s, 10s);
  EXPECT_THAT(all_alike.slower_than(1500), IsEmpty());
}

TEST(AgentPaces, AnAgentThatIsSlowNoLongerIsForgiven) {
  auto pace = one_slow();
  for (int maps = 0; maps < 4 * AgentPace::kRemembered; ++maps) pace.ended(agent_id("a5"), 10s, 10s);
  pace.check_invariants();
  EXPECT_THAT(pace.slower_than(1500), IsEmpty());
}

TEST(MapTimesMedian, IsTheLaterOfTwo) {
  mapreduce::MapTimes times;
  EXPECT_EQ(times.median(), Duration::zero());
  times.add(9s);
  times.add(3s);
  EXPECT_EQ(times.median(), 9s);
  times.add(1s);
  EXPECT_EQ(times.median(), 3s);
}

TEST(BackupsCap, IsATenthOfTheMostMapsAtOnceAndAtLeastOne) {
  Backups backups(rules());
  for (int map = 0; map < 30; ++map) backups.launched(JobId{1});
  for (int map = 0; map < 25; ++map) backups.ended(JobId{1}, TaskId{"m"});
  for (const auto* backup : {"b1", "b2", "b3"}) {
    EXPECT_TRUE(backups.has_room());
    backups.opened(TaskId{backup});
  }
  EXPECT_FALSE(backups.has_room());
  Backups idle(rules());
  EXPECT_TRUE(idle.has_room());
}

TEST(BackupsCap, ABackupThatGoesMakesRoomForTheJobThatWaited) {
  Backups backups(rules());
  backups.opened(TaskId{"b"});
  backups.wait_for_room(JobId{2});
  EXPECT_EQ(backups.next(), std::nullopt);
  backups.closed(TaskId{"another"});
  EXPECT_EQ(backups.next(), std::nullopt);
  backups.closed(TaskId{"b"});
  EXPECT_EQ(backups.take_due(kStart), JobId{2});
  EXPECT_EQ(backups.take_due(kStart), std::nullopt);
}

TEST(SpeculationRules, OnesThatWouldDoNothingOrNonsenseAreRefused) {
  EXPECT_TRUE(check_speculation({}).ok());
  EXPECT_FALSE(check_speculation({true, 0}).ok());
  EXPECT_FALSE(check_speculation({true, 1001}).ok());
  EXPECT_FALSE(check_speculation({true, 100, 1000}).ok());
  EXPECT_FALSE(check_speculation({true, 100, 1500, -1s}).ok());
}

}  // namespace
}  // namespace proffer::mapreduce_test

// The parts of a live run that need no process.
#include <gmock/gmock.h>

#include "live/plan/replay.hpp"
#include "live/plan/timetable.hpp"
#include "proffer/live/run_plan.hpp"
#include "tests/live_cluster/cluster.hpp"

namespace proffer::live {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Time kStart = time_from_us(50'000'000);

study::WorkloadJob job(const std::string& name, Duration submit, const std::string& after = "") {
  study::WorkloadJob job;
  job.name = name;
  job.submit = submit;
  job.after = after;
  return job;
}

TEST(Timetable, GivesEachJobOnceWhenItIsDue) {
  study::Workload workload;
  workload.jobs = {job("a", seconds(2)), job("b", seconds(1)), job("c", seconds(1))};
  Timetable timetable(workload, kStart);
  EXPECT_EQ(timetable.next(), kStart + seconds(1));
  EXPECT_THAT(timetable.take_due(kStart), IsEmpty());
  EXPECT_THAT(timetable.take_due(kStart + seconds(1)), ElementsAre(1, 2));
  EXPECT_THAT(timetable.take_due(kStart + seconds(9)), ElementsAre(0));
  EXPECT_EQ(timetable.next(), std::nullopt);
}

TEST(Timetable, WaitsForAPredecessorWithItsCleanUpAndTheSuccessorsSetUp) {
  study::Workload workload;
  workload.jobs = {job("a", seconds(0)), job("b", seconds(2), "a")};
  workload.jobs[0].cleanup = seconds(3);
  workload.jobs[1].setup = seconds(4);
  Timetable timetable(workload, kStart);
  EXPECT_THAT(timetable.take_due(kStart + seconds(100)), ElementsAre(0));
  EXPECT_EQ(timetable.next(), std::nullopt);
  timetable.ended(0, kStart + seconds(100));
  EXPECT_EQ(timetable.next(), kStart + seconds(109));
  timetable.ended(1, kStart + seconds(200));
  EXPECT_TRUE(timetable.all_ended());
}

TEST(PlanClock, TellsThePlansTime) {
  const PlanClock clock(kStart, kPlanStart, 0.5);
  EXPECT_EQ(clock.time(kStart), kPlanStart);
  EXPECT_EQ(clock.time(kStart + seconds(3)), kPlanStart + seconds(6));
  TraceLine line{kStart, 1, "framework f", TaskPlaced{}};
  std::get<TaskPlaced>(line.trace).waited = seconds(1);
  clock.convert(line);
  EXPECT_EQ(std::get<TaskPlaced>(line.trace).waited, seconds(2));
  TraceLine declined{kStart, 1, "allocator", OfferDeclined{}};
  std::get<OfferDeclined>(declined.trace).refuse_for_us = -1;
  clock.convert(declined);
  EXPECT_EQ(std::get<OfferDeclined>(declined.trace).refuse_for_us, -1) << "until REVIVE";
}

TEST(PlanClock, HasNoTimeBeforeItsZero) {
  EXPECT_EQ(PlanClock(kStart, kPlanStart, 0.0001).time(Time{}), Time{});
}

TEST(MergedLines, AreInOrderOfTimeThenOfFile) {
  const testing::Folder folder;
  const auto text = [](std::int64_t time_us, const std::string& source) {
    return format_trace({time_from_us(time_us), 1, source, JobFinished{}}) + "\n";
  };
  const auto one = folder.file("one", text(3, "one") + text(5, "one"));
  const auto two = folder.file("two", text(3, "two") + text(4, "two"));
  const auto lines = merged_lines({one, two});
  ASSERT_TRUE(lines);
  std::vector<std::string> sources;
  for (const auto& line : *lines) sources.push_back(line.source);
  EXPECT_THAT(sources, ElementsAre("one", "two", "two", "one"));
  const auto broken = folder.file("broken", text(1, "one") + "{\"t_us\":\n");
  EXPECT_THAT(merged_lines({broken}).error().message, HasSubstr("broken:2: "));
}

TEST(LiveRules, RefuseNamesThatFoldersHave) {
  study::Plan plan;
  plan.nodes = {{"catalog", "r", {}}};
  EXPECT_THAT(check_live(plan).error().message, HasSubstr("a node called \"catalog\""));
}

}  // namespace
}  // namespace proffer::live

// Small parts of what a MapReduce framework knows: agents, holders of cached files, sizes of tasks, and what
// an observer is told.
#include "frameworks/mapreduce/cache_holders.hpp"
#include "frameworks/mapreduce/job_reporter.hpp"
#include "frameworks/mapreduce/known_agents.hpp"
#include "frameworks/mapreduce/task_sizes.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using mapreduce::CacheHolders;
using mapreduce::JobReporter;
using mapreduce::KnownAgents;
using mapreduce::TaskSizes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

CachedFile file_of(std::uint64_t block) {
  CachedFile file;
  file.blocks.push_back({BlockId{block}, 10, 0, {}, {}});
  return file;
}

TEST(KnownAgents, AnAgentThatOffersAgainIsNotGone) {
  KnownAgents agents;
  agents.offered(agent_info("a1"));
  agents.lost(agent_id("a1"));
  EXPECT_THAT(agents.gone(), ElementsAre(agent_id("a1")));
  agents.offered(agent_info("a1"));
  EXPECT_THAT(agents.gone(), IsEmpty());
}

TEST(KnownAgents, ATaskHasSomewhereElseToGoWithTwoAgents) {
  KnownAgents agents;
  agents.offered(agent_info("a1"));
  EXPECT_FALSE(agents.has_several());
  agents.offered(agent_info("a2"));
  EXPECT_TRUE(agents.has_several());
}

TEST(CacheHolders, OnlyAgentsWithAllFilesHoldThem) {
  CacheHolders holders;
  EXPECT_TRUE(holders.add(BlockId{1}, agent_id("a1")));
  EXPECT_FALSE(holders.add(BlockId{1}, agent_id("a1")));
  holders.add(BlockId{1}, agent_id("a2"));
  holders.add(BlockId{2}, agent_id("a2"));
  const std::vector both{file_of(1), file_of(2)};
  EXPECT_THAT(holders.of_all(both), ElementsAre(agent_id("a2")));
}

TEST(CacheHolders, AnAgentThatIsGoneHoldsNothing) {
  CacheHolders holders;
  holders.add(BlockId{1}, agent_id("a1"));
  holders.add(BlockId{2}, agent_id("a1"));
  EXPECT_THAT(holders.forget(agent_id("a1")), ElementsAre(BlockId{1}, BlockId{2}));
  EXPECT_FALSE(holders.remove(BlockId{1}, agent_id("a1")));
}

TEST(TaskSizes, TheLargestTaskSaysHowManyFit) {
  TaskSizes sizes;
  EXPECT_EQ(sizes.per_message(true), static_cast<std::int64_t>(limits::kTasksPerAccept));
  sizes.include(mapreduce::kTaskBytesPerMessage / 4, 1);
  sizes.include(mapreduce::kTaskBytesPerMessage / 3, 1);
  EXPECT_EQ(sizes.per_message(true), 3);
  EXPECT_EQ(sizes.per_message(false), static_cast<std::int64_t>(limits::kTasksPerAccept));
}

TEST(TaskSizes, OneTaskIsSentHoweverLargeItIs) {
  TaskSizes sizes;
  sizes.include(1, 2 * mapreduce::kTaskBytesPerMessage);
  EXPECT_EQ(sizes.per_message(false), 1);
}

TEST(JobReporter, ProgressIsToldOnceAChange) {
  Watcher watcher;
  JobReporter reporter(&watcher);
  mapreduce::Job job(JobId{1}, word_count());
  reporter.progressed(job);
  reporter.progressed(job);
  EXPECT_THAT(watcher.steps, SizeIs(1));
  job.phase = JobPhase::planning;
  reporter.progressed(job);
  EXPECT_THAT(watcher.steps, SizeIs(2));
}

TEST(JobReporter, NobodyIsToldWithoutAnObserver) {
  JobReporter reporter(nullptr);
  const mapreduce::Job job(JobId{1}, word_count());
  reporter.progressed(job);
  reporter.ended(job);
  EXPECT_FALSE(reporter.is_heard());
}

}  // namespace
}  // namespace proffer::mapreduce_test

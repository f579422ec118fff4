// Counts from traces, and samples: bounded, whatever comes.
#include "live/http/counting.hpp"

#include <gmock/gmock.h>

#include "live/http/board.hpp"
#include "live/http/sampling.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

FrameworkId framework(std::uint64_t n) { return FrameworkId{Bits128{0, n}}; }

TEST(Counts, StayWhenAFrameworkIsGoneAndAnotherHasItsName) {
  Counting counting;
  for (std::uint64_t n = 1; n <= 2; ++n) {
    counting.count(FrameworkSubscribed{framework(n), "run", ""});
    counting.count(OfferMade{{}, framework(n), {}, {}});
    counting.count(FrameworkLost{framework(n), true, "done"});
  }
  EXPECT_EQ(counting.tally().frameworks.at("run").offers.sent, 2u);
}

TEST(Counts, OfTasksThatEndWithTheirFrameworkAreItsOwn) {
  Counting counting;
  counting.count(FrameworkSubscribed{framework(1), "run", ""});
  counting.count(FrameworkLost{framework(1), true, "done"});
  counting.count(
      TaskChanged{framework(1), {"t"}, AgentId{Bits128{0, 7}}, TaskState::killed, TaskReason::none});
  EXPECT_EQ(counting.tally().frameworks.at("run").ended[static_cast<std::size_t>(TaskState::killed)], 1u);
  EXPECT_FALSE(counting.tally().frameworks.contains(kOthers));
}

TEST(Counts, AreOfTheOthersOnceManyMoreFrameworksHaveGone) {
  Counting counting;
  for (std::uint64_t n = 0; n <= Counting::kRemoved; ++n) {
    counting.count(FrameworkSubscribed{framework(n), "run", ""});
    counting.count(FrameworkLost{framework(n), true, "done"});
  }
  counting.count(OfferRescinded{{}, framework(0)});
  EXPECT_EQ(counting.tally().frameworks.at(kOthers).offers.rescinded, 1u);
}

TEST(Counts, AreOfSoManyNamesAndOfAllOthersTogether) {
  Counting counting;
  const std::uint64_t names = Counting::kNames + 50;
  for (std::uint64_t n = 0; n < names; ++n) {
    counting.count(FrameworkSubscribed{framework(n), "f" + std::to_string(n), ""});
    counting.count(OfferMade{{}, framework(n), {}, {}});
  }
  EXPECT_EQ(counting.tally().frameworks.size(), Counting::kNames + 1);
  EXPECT_EQ(counting.tally().frameworks.at(kOthers).offers.sent, 50u);
}

TEST(Counts, OfATaskThatWasNeverLaunchedAreNone) {
  Counting counting;
  counting.count(FrameworkSubscribed{framework(1), "f", ""});
  counting.count(TaskChanged{framework(1), {"t"}, {}, TaskState::rejected, TaskReason::too_large});
  EXPECT_FALSE(counting.tally().frameworks.contains("f"));
}

TEST(Samples, HaveTheLargestFrameworksAndAllOthersAsOne) {
  ClusterView view;
  for (int n = 0; n < 100; ++n) {
    FrameworkState state;
    state.name = "f" + std::to_string(n);
    state.used.set(Kind("map"), n + 1);
    view.state.frameworks.push_back(state);
  }
  const auto sample = sample_of(view, {}, 5);
  ASSERT_EQ(sample.frameworks.size(), kFrameworksSampled + 1);
  std::int64_t sum = 0;
  for (const auto& share : sample.frameworks) sum += share.used[Kind("map")];
  EXPECT_EQ(sum, 5050);
  EXPECT_EQ(sample.frameworks.back().name, kOthers);
}

TEST(BoardOfSnapshots, KeepsTheNewestSamples) {
  Board board;
  for (std::size_t n = 0; n < Board::kSamples + 10; ++n) {
    auto sample = std::make_shared<HistorySample>();
    sample->at_ms = static_cast<std::int64_t>(n);
    board.add(sample);
  }
  EXPECT_EQ(board.history(0).size(), Board::kSamples);
  EXPECT_EQ(board.history(0).front()->at_ms, 10);
  EXPECT_EQ(board.history(905).size(), 5u);
}

TEST(BoardOfSnapshots, IsAskedOnlyWhenItsSnapshotIsNotNew) {
  Board board;
  EXPECT_EQ(board.fresh(Duration::zero()), nullptr);
  EXPECT_TRUE(board.take_request());
  board.show(std::make_shared<const Snapshot>(), steady_now());
  EXPECT_NE(board.fresh(Duration::zero()), nullptr);
  EXPECT_FALSE(board.take_request());
  board.show(std::make_shared<const Snapshot>(), steady_now() - Board::kFresh);
  board.fresh(Duration::zero());
  EXPECT_TRUE(board.take_request());
}

TEST(BoardOfSnapshots, OfABusyAllocatorShowsItsLastOneUntilItIsOld) {
  Board board;
  board.show(std::make_shared<const Snapshot>(), steady_now() - Board::kFresh);
  EXPECT_NE(board.fresh(Duration::zero()), nullptr);
  board.show(std::make_shared<const Snapshot>(), steady_now() - Board::kOld);
  EXPECT_EQ(board.fresh(Duration::zero()), nullptr);
}

TEST(BoardOfSnapshots, ThatIsClosedKeepsNobodyWaiting) {
  Board board;
  board.close();
  EXPECT_EQ(board.fresh(std::chrono::hours(1)), nullptr);
}

}  // namespace
}  // namespace proffer::live

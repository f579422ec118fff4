// A job whose output was claimed before it was submitted: several drivers may run it from the beginning.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// The job as its driver of that number submits it.
JobSpec of_driver(std::uint32_t number) {
  auto spec = word_count();
  spec.driven.claimed = true;
  spec.driven.first_attempt = (number - 1) * 100;
  return spec;
}

struct Detached : testing::Test {
  Detached() {
    first.input("/in", {{"a1"}, {"a1"}});
    first.store.add(output_claim("/out"));
    first.submit(of_driver(1));
    first.begin();
  }
  /// Begins the job again, over the store that the first driver has left.
  void begin_anew(Hand& hand) const {
    hand.store = first.store;
    hand.submit(of_driver(2));
    hand.begin();
  }
  Hand first;
};

TEST_F(Detached, TheClaimOnItsOutputIsItsOwn) {
  first.run_maps();
  first.run_reduces();
  EXPECT_EQ(first.phase(), JobPhase::succeeded);
  EXPECT_THAT(first.store.below("/out"), ElementsAre("_SUCCESS", "part-00000", "part-00001"));
}

TEST_F(Detached, TheNextDriverRunsItFromTheBeginningUnderOtherNames) {
  first.run_maps();
  first.finish(first.offer_reduce("a1").at(0));
  Hand second;
  begin_anew(second);
  const auto maps = second.run_maps();
  ASSERT_THAT(maps, SizeIs(2));
  EXPECT_EQ(maps[0].id.value, "j1-m-00000-100");
  second.run_reduces();
  EXPECT_EQ(second.phase(), JobPhase::succeeded);
  EXPECT_THAT(second.store.below("/out"), ElementsAre("_SUCCESS", "part-00000", "part-00001"))
      << "nothing of the first driver is left";
}

TEST_F(Detached, WhatTheFormerDriverHasPublishedIsNotMadeAgain) {
  first.run_maps();
  first.run_reduces();
  Hand second;
  begin_anew(second);
  EXPECT_THAT(second.launched, IsEmpty());
  EXPECT_EQ(second.phase(), JobPhase::succeeded);
  EXPECT_EQ(second.store.below("/out"), first.store.below("/out"));
}

TEST_F(Detached, AnOutputThatIsPublishedWhileTheNextDriverWorksIsItsOwnAsWell) {
  first.run_maps();
  const auto reduces = first.offer_reduce("a1", 2);
  first.finish(reduces[0]);
  Hand second;
  begin_anew(second);
  second.run_maps();
  first.finish(reduces[1]);  // the first driver was only out of reach
  EXPECT_EQ(first.phase(), JobPhase::succeeded);
  second.store = first.store;
  second.run_reduces();
  EXPECT_EQ(second.phase(), JobPhase::succeeded);
  EXPECT_THAT(second.store.below("/out"), Contains("_SUCCESS"));
  EXPECT_THAT(second.store.below("/out"), Not(Contains(testing::HasSubstr("_temporary"))));
}

TEST_F(Detached, OneThatFailsGivesItsClaimBack) {
  Hand other;
  other.store.add(output_claim("/out"));
  auto spec = of_driver(1);
  spec.inputs = {"/nowhere"};
  other.submit(spec);
  other.begin();
  EXPECT_EQ(other.phase(), JobPhase::failed);
  EXPECT_THAT(other.store.below("/out"), IsEmpty());
}

}  // namespace
}  // namespace proffer::mapreduce_test

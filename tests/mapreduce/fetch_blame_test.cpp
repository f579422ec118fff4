// Who is to blame when a reduce could not fetch.
#include "frameworks/mapreduce/fetch_blame.hpp"

#include <gmock/gmock.h>

namespace proffer::mapreduce {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AgentId agent(std::uint64_t n) { return {{1, n}}; }

/// Map n is at agent n; four agents have outputs, the reduce runs on the fifth.
Complaint about(std::set<std::uint32_t> maps, std::uint64_t by = 5, std::uint32_t reduce = 0) {
  Complaint complaint{reduce, agent(by), {}, {agent(1), agent(2), agent(3), agent(4)}, false};
  for (const auto map : maps) complaint.missing[map] = agent(map);
  return complaint;
}
Complaint alone(Complaint complaint) {
  complaint.alone = true;
  return complaint;
}

TEST(FetchBlame, WhoGetsNothingFromMostAgentsHasItselfToBlame) {
  Complaints complaints;
  const auto blame = complaints.judge(about({1, 2, 3}), {});
  EXPECT_TRUE(blame.own_agent);
  EXPECT_THAT(blame.maps, IsEmpty());
}

TEST(FetchBlame, HalfOfThemIsNotMost) { EXPECT_FALSE(Complaints().judge(about({1, 2}), {}).own_agent); }

TEST(FetchBlame, OneAgentIsNeverMost) {
  auto only = about({1});
  only.holders = {agent(1)};
  EXPECT_FALSE(Complaints().judge(only, {}).own_agent);
}

TEST(FetchBlame, ItsOwnAgentDoesNotCountAmongThoseThatItAsks) {
  EXPECT_TRUE(Complaints().judge(about({1, 2}, 4), {}).own_agent) << "two of three";
}

TEST(FetchBlame, AgentsThatAreGoneDoNotCount) {
  const auto blame = Complaints().judge(about({1, 2, 3}), {agent(2), agent(3)});
  EXPECT_FALSE(blame.own_agent);
  EXPECT_THAT(blame.maps, ElementsAre(2, 3));
}

TEST(FetchBlame, OneReduceAmongSeveralIsNotBelievedByItself) {
  EXPECT_THAT(Complaints().judge(about({1}), {}).maps, IsEmpty());
}

TEST(FetchBlame, ASecondReduceOnAnotherAgentConfirmsIt) {
  Complaints complaints;
  complaints.judge(about({1, 2}), {});
  EXPECT_THAT(complaints.judge(about({1}, 3, 1), {}).maps, ElementsAre(1));
}

TEST(FetchBlame, ASecondReduceOnTheSameAgentDoesNot) {
  Complaints complaints;
  complaints.judge(about({1, 2, 3}, 5, 0), {});
  EXPECT_THAT(complaints.judge(about({1, 2, 3}, 5, 1), {}).maps, IsEmpty());
}

TEST(FetchBlame, AThirdComplaintOfOneReduceIsBelieved) {
  Complaints complaints;
  complaints.judge(about({1, 2, 3}), {});
  complaints.judge(about({1, 2, 3}), {});
  EXPECT_THAT(complaints.judge(about({1, 2, 3}), {}).maps, ElementsAre(1, 2, 3));
}

TEST(FetchBlame, TheOnlyReduceIsBelievedUnlessItHasItselfToBlame) {
  EXPECT_THAT(Complaints().judge(alone(about({1, 2})), {}).maps, ElementsAre(1, 2));
  EXPECT_THAT(Complaints().judge(alone(about({1, 2, 3})), {}).maps, IsEmpty());
}

TEST(FetchBlame, WhatIsGoneFromItsOwnAgentIsNoMatterOfTheNetwork) {
  EXPECT_THAT(Complaints().judge(about({3}, 3), {}).maps, ElementsAre(3));
}

TEST(FetchBlame, AMapThatWasMadeAgainBeginsAnew) {
  Complaints complaints;
  complaints.judge(about({1}), {});
  complaints.forget(1);
  EXPECT_THAT(complaints.judge(about({1}, 3, 1), {}).maps, IsEmpty());
}

}  // namespace
}  // namespace proffer::mapreduce

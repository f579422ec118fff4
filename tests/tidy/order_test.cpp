#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> order(std::string text) {
  return planted(check_order, "agent/runs.cpp", std::move(text));
}

TEST(Order, WalkingAHashContainerIsCaught) {
  EXPECT_THAT(
      order("std::unordered_map<int, std::vector<int>> runs_;\nfor (auto& [id, run] : runs_) f(run);"),
      ElementsAre("agent/runs.cpp:2: runs_ is walked in hash order, which differs between libraries; keep a "
                  "std::map, or sort what was collected right behind the loop"));
  EXPECT_THAT(order("boost::unordered_set<int> s;\nauto x = *s.begin();"),
              ElementsAre(StartsWith("agent/runs.cpp:2: s is walked")));
}

TEST(Order, AnAliasHidesNothing) {
  EXPECT_THAT(
      order("using Index = std::unordered_map<int, int>;\nIndex index_;\nfor (auto& e : this->index_) f(e);"),
      ElementsAre(StartsWith("agent/runs.cpp:3: index_ is walked")));
}

TEST(Order, TheHeaderOfASourceIsLookedAtToo) {
  EXPECT_THAT(planted(check_order, {{"agent/runs.hpp", "std::unordered_map<int, int> runs_;"},
                                    {"agent/runs.cpp", "for (auto& r : runs_) f(r);"},
                                    {"agent/other.cpp", "for (auto& r : runs_) f(r);"}}),
              ElementsAre(StartsWith("agent/runs.cpp:1: runs_ is walked")));
}

TEST(Order, LookingUpAndWalkingAnOrderedMapAreAllowed) {
  EXPECT_THAT(
      order("std::unordered_map<int, int> index_;\nstd::map<int, int> runs_;\n"
            "for (auto& r : runs_) f(index_.find(r.first));\nfor (int i = a ? 1 : 2; i < 3; ++i) f(i);"),
      IsEmpty());
}

TEST(Order, CollectingIsAllowedWhenTheNextStatementSorts) {
  const std::string member = "std::unordered_map<int, int> runs_;\n";
  EXPECT_THAT(
      order(member + "for (auto& r : runs_) keys.push_back(r.first);\nstd::sort(keys.begin(), keys.end());"),
      IsEmpty());
  EXPECT_THAT(
      order(member + "for (auto& r : runs_) {\n  keys.push_back(r.first);\n}\nstd::ranges::sort(keys);"),
      IsEmpty());
  EXPECT_THAT(order(member + "for (auto& r : runs_) keys.push_back(r.first);\nsend(keys);\nstd::sort(k);"),
              ElementsAre(StartsWith("agent/runs.cpp:2: runs_ is walked")));
}

TEST(Order, InvariantsMayBeCheckedInAnyOrder) {
  const std::string member = "std::unordered_map<int, int> runs_;\n";
  EXPECT_THAT(order(member + "void Runs::check_invariants() const {\n  for (auto& r : runs_) f(r);\n}\n"),
              IsEmpty());
  EXPECT_THAT(order(member +
                    "void Runs::check_invariants() const { g(); }\nvoid h() { for (auto& r : runs_) f(r); }"),
              ElementsAre(StartsWith("agent/runs.cpp:3: runs_ is walked")));
  EXPECT_THAT(order(member + "void check_invariants() const;\nvoid h() { for (auto& r : runs_) f(r); }"),
              ElementsAre(StartsWith("agent/runs.cpp:3: runs_ is walked")));
}

TEST(Order, AddressesAsKeysAreCaught) {
  EXPECT_THAT(
      order("std::set<const Job*> waiting_;"),
      ElementsAre(
          "agent/runs.cpp:1: a set ordered by addresses, which differ from run to run; order by id or "
          "name"));
  EXPECT_THAT(order("std::map<JobId, Job*> jobs_;"), IsEmpty());
}

}  // namespace
}  // namespace proffer::tidy

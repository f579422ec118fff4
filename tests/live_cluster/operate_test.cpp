// Pools that an operator changes while a cluster runs, and what `proffer why` says of it.
#include <gmock/gmock.h>

#include <fstream>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using testing::Ran;

constexpr const char* kTwoPools = "[[pool]]\nname = \"red\"\n[[pool]]\nname = \"blue\"\n";

Ran operate(Cluster& cluster, std::vector<std::string> words) {
  words.insert(words.end(), {"--allocator", cluster.processes().allocator_endpoint()});
  return testing::proffer(words);
}

TEST(Operate, APoolIsCreatedSetListedAndRemoved) {
  Cluster cluster(1, kTwoPools);
  EXPECT_EQ(operate(cluster, {"pool", "create", "green", "weight=2", "min_map=1"}).out,
            "pool green is created\n");
  EXPECT_EQ(operate(cluster, {"pool", "set", "green", "max_running=3"}).exit_code, 0);
  EXPECT_THAT(operate(cluster, {"pool", "list"}).out,
              ::testing::ContainsRegex("green +2 +map=1 +- +fair +3"));
  EXPECT_EQ(operate(cluster, {"pool", "rm", "green"}).out, "pool green is removed\n");
  const auto gone = operate(cluster, {"pool", "rm", "green"});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_THAT(gone.err, HasSubstr("there is no pool 'green'; the pools are 'blue', 'red'"));
}

TEST(Operate, APoolMayBeGivenOtherAgents) {
  Cluster cluster(2, kTwoPools);
  const auto runs = cluster.start({"run", "--name", "r", "--pool", "red", "-n", "1", "--", "sleep", "600"});
  ASSERT_TRUE(eventually([&] { return cluster.running("r") == 1; }, 20s));
  EXPECT_EQ(operate(cluster, {"pool", "set", "blue", "racks=elsewhere"}).out, "pool blue is set\n");
  const auto waits = cluster.start({"run", "--name", "b", "--pool", "blue", "-n", "1", "--", "sleep", "600"});
  EXPECT_THAT(operate(cluster, {"pool", "list"}).out, HasSubstr("blue: racks elsewhere\n"));
  EXPECT_EQ(cluster.running("b"), 0);
  EXPECT_EQ(operate(cluster, {"pool", "set", "blue", "racks="}).exit_code, 0);
  EXPECT_TRUE(eventually([&] { return cluster.running("b") == 1; }, 20s));
  EXPECT_EQ(cluster.running("r"), 1);
  EXPECT_THAT(operate(cluster, {"pool", "set", "red", "racks=a,,b"}).err,
              HasSubstr("racks=a,,b: racks has the name \"\", which must be"));
}

TEST(Operate, WhoSetsAMinShareThatCannotBeKeptIsWarned) {
  Cluster cluster(1, kTwoPools);
  ASSERT_TRUE(
      eventually([&] { return operate(cluster, {"status"}).out.find(" up ") != std::string::npos; }, 20s));
  const auto mistyped = operate(cluster, {"pool", "set", "red", "min_maps=3"});
  EXPECT_EQ(mistyped.out, "pool red is set\n");
  EXPECT_THAT(mistyped.err, HasSubstr("warning: min_share of pool 'red': no agent has slots of kind maps"));
  EXPECT_THAT(operate(cluster, {"pool", "set", "red", "min_map=1000"}).err,
              HasSubstr("warning: pools are promised 1000 slots of kind map"));
}

TEST(Operate, WhatIsSetIsListed) {
  Cluster cluster(1, kTwoPools);
  operate(cluster, {"pool", "set", "red", "min_map=1", "min_share_timeout=20s", "return_after=2m"});
  const auto json = operate(cluster, {"pool", "list", "--json"}).out;
  EXPECT_THAT(json, HasSubstr("\"min_share_timeout_s\": 20.0"));
  EXPECT_THAT(json, HasSubstr("\"return_after_s\": 120.0"));
  EXPECT_THAT(json, HasSubstr("\"mode\": \"off\""));
  EXPECT_THAT(operate(cluster, {"pool", "list"}).out, HasSubstr("preemption off"));
}

TEST(Operate, NamesAreLookedAtBeforeAnythingIsAsked) {
  for (const auto* name : {"a b", "root.x", "root"}) {
    const auto ran = testing::proffer({"pool", "create", name, "--allocator", "tcp://127.0.0.1:9"});
    EXPECT_EQ(ran.exit_code, 2) << name << ran.err;
  }
  EXPECT_THAT(testing::proffer({"pool", "set", "red", "wieght=2"}).err,
              HasSubstr("did you mean \"weight\"?"));
}

TEST(Operate, AFileWithAMistakeChangesNothingAndSaysWhere) {
  Cluster cluster(1, kTwoPools);
  const auto file = cluster.folder().path() + "/cluster/allocator/allocator.toml";
  std::ofstream(file, std::ios::app) << "[[pool]]\nname = \"pink\"\nwieght = 2\n";
  const auto wrong = operate(cluster, {"pool", "reload"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("allocator.toml:"));
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"weight\"?"));
  EXPECT_THAT(operate(cluster, {"pool", "list"}).out, ::testing::Not(HasSubstr("pink")));
}

TEST(Operate, WhyTellsOfAClusterThatRuns) {
  Cluster cluster(1, kTwoPools);
  auto busy = cluster.start({"run", "--name", "busy", "--pool", "red", "-n", "3", "--", "sleep", "600"});
  ASSERT_TRUE(eventually([&] { return cluster.running("busy") == 2; }, 20s));
  Ran why;
  EXPECT_TRUE(eventually(
      [&] {
        why = operate(cluster, {"why", "framework", "busy", "--json"});
        return why.out.find("\"share.running\": 2") != std::string::npos;
      },
      20s))
      << why.out << why.err;
  EXPECT_THAT(why.out, HasSubstr("\"cause\": \"at-share\""));
  EXPECT_THAT(operate(cluster, {"why", "framework", "bsuy"}).err, HasSubstr("busy"));
}

TEST(Operate, WhyTellsApartTwoFrameworksOfOneName) {
  Cluster cluster(1, "", {{Kind("map"), 1}});
  const auto runs = cluster.start({"run", "--name", "twin", "--", "sleep", "600"});
  ASSERT_TRUE(eventually([&] { return cluster.running("twin") == 1; }, 20s));
  const auto waits = cluster.start({"run", "--name", "twin", "--", "sleep", "600"});
  Ran why;
  EXPECT_TRUE(eventually(
      [&] {
        why = operate(cluster, {"why", "framework", "twin"});
        return why.out.find("frameworks are called twin") != std::string::npos;
      },
      20s))
      << why.out << why.err;
  EXPECT_THAT(why.out, ::testing::Not(HasSubstr("lacks")));
}

}  // namespace
}  // namespace proffer

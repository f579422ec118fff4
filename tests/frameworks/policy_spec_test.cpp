// Policies as people write them.
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

Error error_of(std::string_view text) {
  const auto spec = parse_policy(text);
  if (!spec) return spec.error();
  const auto made = make_policy(*spec);
  return made ? Error{} : made.error();
}

TEST(PolicySpec, NameAndSettingsAreSplitAtCommas) {
  const auto spec = parse_policy("wait,node_wait=5s,reset=never");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->name, "wait");
  EXPECT_THAT(spec->settings, ElementsAre(std::pair<const std::string, std::string>("node_wait", "5s"),
                                          std::pair<const std::string, std::string>("reset", "never")));
}

TEST(PolicySpec, BadTextIsNamedInTheError) {
  EXPECT_EQ(error_of("").code, ErrorCode::invalid);
  EXPECT_THAT(error_of(",node_wait=5s").message, HasSubstr("begins with its name"));
  EXPECT_THAT(error_of("wait,5s").message, HasSubstr("'5s'"));
  EXPECT_THAT(error_of("wait,").message, HasSubstr("comma"));
  EXPECT_THAT(error_of("wait,,reset=never").message, HasSubstr("not a setting"));
  EXPECT_THAT(error_of("wait,reset=never,reset=never").message, HasSubstr("twice"));
}

TEST(PolicyRegistry, AnUnknownPolicyIsAnsweredWithThoseThatThereAre) {
  EXPECT_EQ(error_of("patient").code, ErrorCode::not_found);
  EXPECT_EQ(error_of("patient").message,
            "there is no policy 'patient'; there are auto, dsfs, greedy, hoard, matchmaking, never-accept, "
            "oracle, quincy, random-decline, skip and wait");
  EXPECT_EQ(error_of("wiat,node_wait=5s").message, "there is no policy 'wiat'; did you mean 'wait'?");
  EXPECT_THAT(policy_names(), ElementsAre("auto", "dsfs", "greedy", "hoard", "matchmaking", "never-accept",
                                          "oracle", "quincy", "random-decline", "skip", "wait"));
}

TEST(PolicyRegistry, AnUnknownSettingIsAnsweredWithThoseThatThereAre) {
  EXPECT_EQ(error_of("wait,node=5s").message,
            "policy wait has no setting 'node'; it has node_wait, rack_wait, reset and work_conserving");
  EXPECT_EQ(error_of("greedy,node=5s").message, "policy greedy has no setting 'node'; it has match");
}

TEST(PolicyRegistry, ABadValueIsAnsweredWithWhatWouldBeGood) {
  EXPECT_THAT(error_of("wait,node_wait=5").message,
              HasSubstr("node_wait of policy wait = '5' is not a time"));
  EXPECT_THAT(error_of("wait,reset=often").message,
              HasSubstr("one of pro-rata, share-aware, on-launch, on-local-launch, never and no-rejects"));
  EXPECT_THAT(error_of("skip,node_skips=-1").message, HasSubstr("a whole number"));
  EXPECT_THAT(error_of("skip").message, HasSubstr("node_skips of policy skip must be given"));
}

TEST(PolicyRegistry, EveryTimeUnitIsUnderstoodExactly) {
  for (const auto* good :
       {"20us", "500ms", "5s", "2m", "0.65s", "1.5ms", "0s", "2h", "1.5h", "0.123456785d"}) {
    EXPECT_EQ(error_of("wait,node_wait=" + std::string(good)), Error{}) << good;
  }
  for (const auto* bad : {"", "s", "5w", "-1s", "1.s", ".5s", "1..5s", "0.5us", "5 s", "99999999999m"}) {
    EXPECT_EQ(error_of("wait,node_wait=" + std::string(bad)).code, ErrorCode::invalid) << bad;
  }
}

TEST(PolicyRegistry, WaitsThatAreNotGivenFollowTheHeartbeatUpTo15s) {
  const auto first_rack_launch = [](Duration heartbeat) {
    PolicyBench bench("greedy");
    bench.policy = make_policy(*parse_policy("wait"), heartbeat).value();
    bench.pool.add(bench.job(1), map_on("t", {1}));
    bench.slot(2, 0s);
    return *bench.level_change(0s);
  };
  EXPECT_EQ(first_rack_launch(1s), Duration{1500ms});
  EXPECT_EQ(first_rack_launch(60s), Duration{15s});
  EXPECT_EQ(first_rack_launch(0s), Duration{1500ms}) << "without heartbeats, as with the usual ones";
}

TEST(PolicyRegistry, ACoreCostThatNoFlowCanCarryIsRefused) {
  EXPECT_EQ(error_of("quincy,core_cost=101").message,
            "setting core_cost of policy quincy = '101' is not a whole number from 0 to 100");
}

}  // namespace
}  // namespace proffer::testing

#include "proffer/formats/config.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace proffer {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Config good(std::string_view text) {
  auto config = parse_config(text, "p.toml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? std::move(*config) : Config{};
}

std::string wrong(std::string_view text) {
  const auto config = parse_config(text, "p.toml");
  return config ? "nothing is wrong" : config.error().message;
}

/// What is wrong with one line in a section.
std::string wrong_in(std::string_view section, std::string_view line) {
  return wrong("[" + std::string(section) + "]\n" + std::string(line) + "\n");
}

constexpr std::string_view kAll = R"(
[allocator]
frameworks_endpoint = "tcp://0.0.0.0:5150"
agents_endpoint = "tcp://*:0"
catalog_endpoint = "tcp://catalog.example:5153"
state_dir = "/var/lib/proffer/allocator"
event_log = "/var/log/proffer/allocator.jsonl"
default_pool = "research.ml"
offer_timeout = "45s"
batch = "50ms"
report_period = "3s"
report_slots = 1
heartbeat = "500ms"
suspect_after = "2s"
disconnected_after = "4s"
unreachable_after = "1m"
recovery_hold = "0s"
reregister_window = "2m"
kill_grace = "0s"
share_by = "kind"
preemption = "log"
fair_share_timeout = "10m"
fair_share_threshold = 0.4
preemption_deadline = "7s"

[[pool]]
name = "research.ml"
weight = 2.5
min_share = { map = 4, reduce = 1 }
order = "fifo"
max_running = 8
max_running_per_user = 2
racks = ["r1", "r2"]
agents = ["a9"]

[[pool]]
name = "production"
weight = 3
min_share = { map = 2000 }
min_share_timeout = "20s"

[agent]
name = "a1"
rack = "r1"
slots = { map = 4, reduce = 2 }
allocator = "tcp://allocator.example:5151"
data_endpoint = "tcp://0.0.0.0:0"
advertise = "tcp://a1.example:7000"
work_dir = "/var/lib/proffer/agent"
uplink = "512KiB/s"
event_log = "agent.jsonl"

[catalog]
endpoint = "tcp://127.0.0.1:6153"
state_dir = "/var/lib/proffer/catalog"
agent_silent_after = "20s"
event_log = "catalog.jsonl"

[client]
allocator = "tcp://allocator.example:5150"
catalog = "tcp://catalog.example:5153"
failover_timeout = "0s"
)";

TEST(Config, AnEmptyFileGivesTheDefaults) {
  const auto config = good("");
  EXPECT_EQ(config.allocator.frameworks_endpoint, "tcp://127.0.0.1:5150");
  EXPECT_EQ(config.allocator.agents_endpoint, "tcp://127.0.0.1:5151");
  EXPECT_EQ(config.allocator.allocator.offer_timeout, 30s);
  EXPECT_TRUE(config.allocator.allocator.pools.empty());
  EXPECT_EQ(config.agent.agent.slots, (Resources{{Kind("map"), 2}, {Kind("reduce"), 1}}));
  EXPECT_EQ(config.agent.agent.rack, "default");
  EXPECT_EQ(config.agent.uplink, std::nullopt);
  EXPECT_EQ(config.catalog.endpoint, "tcp://127.0.0.1:5153");
  EXPECT_EQ(config.client.allocator, "tcp://127.0.0.1:5150");
}

TEST(Config, TheAllocatorsKeysAreRead) {
  const auto config = good(kAll).allocator;
  EXPECT_EQ(config.frameworks_endpoint, "tcp://0.0.0.0:5150");
  EXPECT_EQ(config.agents_endpoint, "tcp://*:0");
  EXPECT_EQ(config.state_dir, "/var/lib/proffer/allocator");
  EXPECT_EQ(config.event_log, "/var/log/proffer/allocator.jsonl");
  const auto& machine = config.allocator;
  EXPECT_EQ(machine.catalog_endpoint, "tcp://catalog.example:5153");
  EXPECT_EQ(machine.default_pool, "research.ml");
  EXPECT_EQ(machine.offer_timeout, 45s);
  EXPECT_EQ(machine.batch, 50ms);
  EXPECT_EQ(machine.report_period, 3s);
  EXPECT_EQ(machine.report_slots, 1u);
  EXPECT_EQ(machine.heartbeat, 500ms);
  EXPECT_EQ(machine.suspect_after, 2s);
  EXPECT_EQ(machine.disconnected_after, 4s);
  EXPECT_EQ(machine.unreachable_after, 60s);
  EXPECT_EQ(machine.recovery_hold, 0s);
  EXPECT_EQ(machine.reregister_window, 120s);
  EXPECT_EQ(machine.kill_grace, 0s);
  EXPECT_EQ(machine.share_by, ShareBy::kind);
  EXPECT_EQ(machine.preemption.mode, PreemptionMode::log);
  EXPECT_EQ(machine.preemption.fair_share_timeout, 10min);
  EXPECT_EQ(machine.preemption.fair_share_threshold_milli, 400);
  EXPECT_EQ(machine.preemption.deadline, 7s);
}

TEST(Config, PoolsAreReadInOrder) {
  const auto pools = good(kAll).allocator.allocator.pools;
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[0].share.name, "research.ml");
  EXPECT_EQ(pools[0].share.weight_milli, 2500);
  EXPECT_EQ(pools[0].share.min_share, (Resources{{Kind("map"), 4}, {Kind("reduce"), 1}}));
  EXPECT_EQ(pools[0].racks, (std::set<std::string>{"r1", "r2"}));
  EXPECT_EQ(pools[0].agents, std::set<std::string>{"a9"});
  EXPECT_EQ(pools[0].share.order, PoolOrder::fifo);
  EXPECT_EQ(pools[0].share.max_running, 8u);
  EXPECT_EQ(pools[0].share.max_running_per_user, 2u);
  EXPECT_EQ(pools[1].share.weight_milli, 3000);
  EXPECT_EQ(pools[1].share.min_share, (Resources{{Kind("map"), 2000}})) << "of a cluster, not of an agent";
  EXPECT_EQ(pools[1].share.min_share_timeout, 20s);
  EXPECT_TRUE(pools[1].racks.empty());
}

TEST(Config, TheOtherSectionsAreRead) {
  const auto config = good(kAll);
  EXPECT_EQ(config.agent.agent.name, "a1");
  EXPECT_EQ(config.agent.agent.rack, "r1");
  EXPECT_EQ(config.agent.agent.slots, (Resources{{Kind("map"), 4}, {Kind("reduce"), 2}}));
  EXPECT_EQ(config.agent.allocator, "tcp://allocator.example:5151");
  EXPECT_EQ(config.agent.data_endpoint, "tcp://0.0.0.0:0");
  EXPECT_EQ(config.agent.advertise, "tcp://a1.example:7000");
  EXPECT_EQ(config.agent.work_dir, "/var/lib/proffer/agent");
  EXPECT_EQ(config.agent.uplink, 512u << 10);
  EXPECT_EQ(config.agent.event_log, "agent.jsonl");
  EXPECT_EQ(config.catalog.endpoint, "tcp://127.0.0.1:6153");
  EXPECT_EQ(config.catalog.state_dir, "/var/lib/proffer/catalog");
  EXPECT_EQ(config.catalog.catalog.agent_silent_after, 20s);
  EXPECT_EQ(config.client.catalog, "tcp://catalog.example:5153");
  EXPECT_EQ(config.client.failover_timeout, 0s);
}

TEST(Config, WhatIsPrintedIsReadBack) {
  const auto text = print_config(good(kAll));
  EXPECT_EQ(print_config(good(text)), text);
  EXPECT_THAT(text, HasSubstr("weight = 2.5\nmin_share = { map = 4, reduce = 1 }\norder = \"fifo\"\n"));
  EXPECT_THAT(text, HasSubstr("uplink = \"512KiB/s\"\n"));
  for (const auto* section : {"allocator", "agent", "catalog", "client"}) {
    EXPECT_THAT(text, HasSubstr(print_config(good(kAll), section)));
  }
}

TEST(Config, DefaultsArePrintedAndEmptySettingsAreLeftOut) {
  EXPECT_EQ(print_config(Config{}, "catalog"),
            "[catalog]\nendpoint = \"tcp://127.0.0.1:5153\"\nagent_silent_after = \"10s\"\n"
            "replication = \"fixed\"\nreplication_variant = \"corrected\"\nreplication_interval = \"1m\"\n"
            "replication_alpha = 0.5\nreplication_threshold = \"3s\"\nreplication_extra = 0.3\n"
            "replication_copy_timeout = \"2m\"\n"
            "replication_restore_after = \"10m\"\n");
}

TEST(Config, TextsAreQuotedWhenTheyArePrinted) {
  const auto config = good("[agent]\nwork_dir = 'a \"b\" \\ \tc'\n");
  EXPECT_EQ(good(print_config(config)).agent.work_dir, "a \"b\" \\ \tc");
}

TEST(Config, WhatIsNoTomlIsRefusedWithItsPlace) {
  EXPECT_THAT(wrong("[allocator]\nheartbeat = \n"), StartsWith("p.toml:2:"));
  EXPECT_THAT(wrong("[agent\n"), StartsWith("p.toml:1:"));
  EXPECT_THAT(wrong("[agent]\nname='a'\nname='b'\n"), StartsWith("p.toml:3:"));
  EXPECT_THAT(wrong("\xff\xfe"), StartsWith("p.toml:1:"));
  EXPECT_THAT(wrong(std::string_view("a\0b", 3)), StartsWith("p.toml:1:"));
}

TEST(Config, AnUnknownKeyIsRefusedWithTheNearestKnownOne) {
  EXPECT_EQ(wrong_in("allocator", "  offer_timout = \"5s\""),
            "p.toml:2:3: unknown key of [allocator] \"offer_timout\"; did you mean \"offer_timeout\"?");
  EXPECT_EQ(wrong_in("client", "zzz = 1"),
            "p.toml:2:1: unknown key of [client] \"zzz\"; there are allocator, catalog, failover_timeout");
  EXPECT_EQ(wrong("[[pool]]\nnam = \"x\"\n"),
            "p.toml:2:1: unknown key of [[pool]] \"nam\"; did you mean \"name\"?");
  EXPECT_EQ(wrong("[alocator]\n"), "p.toml:1:2: unknown section \"alocator\"; did you mean \"allocator\"?");
  EXPECT_EQ(wrong("x = 1\n"),
            "p.toml:1:1: unknown section \"x\"; there are allocator, pool, user, agent, catalog, client");
}

TEST(Config, AWrongTypeIsRefusedWithWhatToWrite) {
  EXPECT_EQ(wrong_in("allocator", "offer_timeout = 5"),
            "p.toml:2:17: offer_timeout must be a duration in quotes, such as \"5s\", not an integer");
  EXPECT_EQ(wrong_in("agent", "uplink = true"),
            "p.toml:2:10: uplink must be a rate in quotes, such as \"512KiB/s\", not true or false");
  EXPECT_EQ(wrong_in("agent", "name = [\"a\"]"), "p.toml:2:8: name must be a string, not an array");
  EXPECT_EQ(wrong_in("agent", "slots = 2"),
            "p.toml:2:9: slots must be a table of kinds, such as { map = 2, reduce = 1 }, not an integer");
  EXPECT_EQ(wrong_in("agent", "rack = 2024-01-01"), "p.toml:2:8: rack must be a string, not a date or time");
  EXPECT_EQ(wrong("agent = 1\n"), "p.toml:1:9: [agent] must be a table");
  EXPECT_EQ(wrong("[pool]\nname = \"x\"\n"),
            "p.toml:1:1: write [[pool]], with two brackets, once for each pool");
  EXPECT_EQ(wrong("pool = [1]\n"), "p.toml:1:9: [[pool]] must be a table");
}

TEST(Config, WrongUnitsAndRangesAreRefused) {
  EXPECT_EQ(wrong_in("allocator", "heartbeat = \"1 sec\""),
            "p.toml:2:13: heartbeat is wrong: \"1 sec\" is not a duration: a number and us, ms, s, m, h or "
            "d, as in \"5s\"");
  EXPECT_EQ(wrong_in("allocator", "heartbeat = \"0s\""), "p.toml:2:13: heartbeat must be longer than 0");
  EXPECT_THAT(wrong_in("agent", "uplink = \"512KiB\""),
              HasSubstr("uplink is wrong: \"512KiB\" is not a rate"));
  EXPECT_EQ(wrong_in("agent", "slots = { map = 0 }"),
            "p.toml:2:9: slots has a wrong map: write a whole number from 1 to 1024");
  EXPECT_EQ(wrong_in("agent", "slots = { map = 1.5 }"),
            "p.toml:2:9: slots has a wrong map: write a whole number from 1 to 1024");
  EXPECT_EQ(wrong_in("agent", "slots = {}"),
            "p.toml:2:9: slots must have at least one kind, as in { map = 2 }");
  EXPECT_THAT(wrong_in("agent", "slots = { \"Map\" = 2 }"), HasSubstr("slots has the kind \"Map\""));
  EXPECT_THAT(wrong_in("agent", "name = \"a b\""), HasSubstr("name must be 1-128 bytes of [A-Za-z0-9._-]"));
  EXPECT_THAT(wrong_in("agent", "name = \"\""), HasSubstr("name must be 1-128 bytes"));
}

TEST(Config, WrongAddressesAreRefused) {
  for (const auto* address :
       {"", "127.0.0.1:5150", "tcp:/x", "tcp://", "tcp://:5150", "tcp://h", "tcp://h:", "tcp://h:0",
        "tcp://h:65536", "tcp://h:+1", "tcp://h:51x", "http://h:80", "ipc://"}) {
    EXPECT_THAT(wrong_in("agent", "allocator = \"" + std::string(address) + "\""),
                HasSubstr("allocator must be an address such as \"tcp://127.0.0.1:5150\""))
        << address;
  }
  EXPECT_EQ(good("[agent]\nallocator = \"tcp://[::1]:5151\"\n").agent.allocator, "tcp://[::1]:5151");
  EXPECT_EQ(good("[catalog]\nendpoint = \"ipc:///run/c\"\n").catalog.endpoint, "ipc:///run/c");
}

TEST(Config, WeightsAreAboveZeroWithThreeDecimals) {
  const auto weight = [](const std::string& text) {
    return wrong("[[pool]]\nname='x'\nweight=" + text + "\n");
  };
  for (const auto* text : {"0", "-1", "0.0", "0.0001", "1.2345", "nan", "inf", "1000001", "1e300"}) {
    EXPECT_EQ(weight(text),
              "p.toml:3:8: weight must be a number above 0 and at most 1000000, with at most three decimals")
        << text;
  }
  EXPECT_THAT(weight("\"2\""), HasSubstr("not a string"));
  EXPECT_EQ(good("[[pool]]\nname='x'\nweight=0.001\n").allocator.allocator.pools[0].share.weight_milli, 1);
  EXPECT_EQ(good("[[pool]]\nname='x'\nweight=1000000\n").allocator.allocator.pools[0].share.weight_milli,
            1000000000);
}

TEST(Config, OrdersTimeoutsAndThresholdsHaveTheirOwnWords) {
  EXPECT_EQ(wrong("[[pool]]\nname='x'\norder='fare'\n"),
            "p.toml:3:7: order is wrong: unknown word \"fare\"; did you mean \"fair\"?");
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nmin_share_timeout='0s'\n"), HasSubstr("min_share_timeout must be"));
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nmax_running=-1\n"), HasSubstr("max_running must be"));
  EXPECT_EQ(wrong_in("allocator", "fair_share_threshold = 1.5"),
            "p.toml:2:24: fair_share_threshold must be above 0 and up to 1");
  EXPECT_THAT(wrong_in("allocator", "preemption = \"yes\""), HasSubstr("preemption is wrong"));
}

TEST(Config, TheRootIsThePoolWhoseNameIsEmpty) {
  const auto config = good("[[pool]]\nname = ''\norder = 'fifo'\n");
  EXPECT_EQ(config.allocator.allocator.pools.at(0).share.order, PoolOrder::fifo);
  EXPECT_EQ(good(print_config(config)).allocator.allocator.pools.at(0).share.name, "");
}

TEST(Config, NoPoolIsNamedRoot) {
  EXPECT_EQ(wrong("[[pool]]\nname='root.x'\n"),
            "p.toml:2:6: name cannot begin with root, which is the pool around all others: write what comes "
            "behind it");
  EXPECT_EQ(good("[[pool]]\nname='roots'\n").allocator.allocator.pools[0].share.name, "roots");
}

TEST(Config, APoolIsSetByFlagsAsInAFile) {
  AllocatorPool pool;
  const auto set = [&](std::string_view key, std::string_view text) {
    const auto done = set_pool(pool, key, text);
    return done ? std::string() : done.error().message;
  };
  EXPECT_EQ(set("weight", "2.5") + set("racks", "r1,7") + set("min_map", "4") + set("order", "fifo") +
                set("return_after", "30s") + set("min_share_timeout", "20s") + set("max_running", "3"),
            "");
  EXPECT_EQ(print_pools({pool}),
            "\n[[pool]]\nname = \"\"\nweight = 2.5\nmin_share = { map = 4 }\norder = \"fifo\"\n"
            "max_running = 3\nmax_running_per_user = 0\nmin_share_timeout = \"20s\"\nuser_limit = 100\n"
            "racks = [\"7\", \"r1\"]\nprivate_agents = 0\nreturn_after = \"30s\"\n");
  EXPECT_EQ(set("racks", "") + set("min_share_timeout", "0"), "");
  EXPECT_THAT(pool.racks, ::testing::IsEmpty());
  EXPECT_EQ(pool.share.min_share_timeout, std::nullopt);
}

TEST(Config, AFlagOfAPoolThatIsWrongIsRefusedAsInAFile) {
  AllocatorPool pool;
  const auto wrong = [&](std::string_view key, std::string_view text) {
    return set_pool(pool, key, text).error().message;
  };
  EXPECT_EQ(wrong("wieght", "2"), "unknown setting of a pool \"wieght\"; did you mean \"weight\"?");
  EXPECT_THAT(wrong("weight", "0"), HasSubstr("weight must be a number above 0 and at most 1000000"));
  EXPECT_THAT(wrong("return_after", "5"), HasSubstr("return_after is wrong: \"5\" is not a duration"));
  EXPECT_THAT(wrong("racks", "a,,b"), HasSubstr("racks has the name \"\", which must be"));
  EXPECT_THAT(wrong("min_map", "-1"), HasSubstr("min_map must be a whole number of slots"));
  EXPECT_THAT(wrong("order", "fare"), HasSubstr("did you mean \"fair\"?"));
  EXPECT_THAT(wrong("name", "x"), HasSubstr("unknown setting of a pool"));
  EXPECT_EQ(pool, AllocatorPool());
}

TEST(Config, KeysThatWantARestartAreNamed) {
  const auto before = good("[allocator]\noffer_timeout='9s'\n").allocator;
  const auto after =
      good("[allocator]\nshare_by='dominant'\npreemption='on'\n[[pool]]\nname='x'\n").allocator;
  EXPECT_THAT(changed_keys(before, after), ::testing::ElementsAre("offer_timeout", "share_by"));
  EXPECT_THAT(changed_keys(after, after), ::testing::IsEmpty());
}

TEST(Config, BadPoolsAreRefused) {
  EXPECT_EQ(wrong("[[pool]]\nweight = 2\n"), "p.toml:1:1: a [[pool]] needs a name");
  EXPECT_EQ(wrong("[[pool]]\nname='x'\n\n[[pool]]\nname='x'\n"),
            "p.toml:4:1: the pool \"x\" stands in line 1 already");
  EXPECT_THAT(wrong("[[pool]]\nname='a..b'\n"), HasSubstr("name must be empty, or at most 8 names"));
  EXPECT_THAT(wrong("[[pool]]\nname='a.b.c.d.e.f.g.h.i'\n"), HasSubstr("at most 8 names"));
  EXPECT_EQ(wrong("[[pool]]\nname='x'\nracks=['r1','r1']\n"), "p.toml:3:7: racks has \"r1\" twice");
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nagents=['a/b']\n"),
              HasSubstr("agents has the name \"a/b\", which must be"));
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nagents=[1]\n"),
              HasSubstr("agents must be an array of strings, not an integer"));
}

TEST(Config, TimeoutsThatContradictEachOtherAreRefused) {
  EXPECT_EQ(wrong_in("allocator", "suspect_after = \"10s\""),
            "p.toml:1:2: disconnected_after (5s) must be longer than suspect_after (10s)");
  EXPECT_EQ(wrong_in("allocator", "unreachable_after = \"5s\""),
            "p.toml:2:21: unreachable_after (5s) must be longer than disconnected_after (5s)");
  EXPECT_THAT(wrong_in("allocator", "heartbeat = \"1m\""),
              HasSubstr("suspect_after (3s) must be longer than heartbeat (1m)"));
}

TEST(Config, TheDefaultPoolMustBeOneThatIsDeclared) {
  EXPECT_EQ(wrong_in("allocator", "default_pool = \"x\""),
            "p.toml:2:16: default_pool \"x\" is not the name of a [[pool]]");
  EXPECT_EQ(good("[allocator]\ndefault_pool='a'\n[[pool]]\nname='a.b'\n").allocator.allocator.default_pool,
            "a");
}

TEST(Config, SettingsThatWouldDoNothingAreRefused) {
  EXPECT_EQ(
      wrong("[[pool]]\nname='x'\nmin_share_timeout='9s'\nracks=['r1']\n"),
      "p.toml:3:19: min_share_timeout of the pool \"x\" would do nothing: slots are only taken from others "
      "for pools that may have every agent; leave it out");
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nmin_share_timeout='9s'\n[[pool]]\nname='x.y'\nagents=['a']\n"),
              HasSubstr("p.toml:3:19: min_share_timeout of the pool \"x\""));
  EXPECT_EQ(wrong("[[pool]]\nname='x'\norder='fifo'\n[[pool]]\nname='x.y'\nmin_share={map=1}\n"),
            "p.toml:6:11: min_share of the pool \"x.y\" would do nothing: the pool around it has the order "
            "\"fifo\", not \"fair\"; leave it out");
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nprivate_agents=2\nreturn_after='0s'\n"), HasSubstr("p.toml:4:14: "));
  EXPECT_THAT(wrong("[[pool]]\nname=''\nweight=2\n"), HasSubstr("p.toml:3:8: weight of the pool \"\""));
  EXPECT_THAT(wrong("[[pool]]\nname=''\nmin_share={map=1}\n"), HasSubstr("the root has all there is"));
}

TEST(Config, LimitsOfUsersAreInPercentAndOfPoolsThatAreNotFair) {
  const auto config = good("[[pool]]\nname='x'\norder='capacity'\nuser_limit=25\n");
  EXPECT_EQ(config.allocator.allocator.pools.at(0).share.user_limit, 25u);
  EXPECT_THAT(print_config(config), HasSubstr("user_limit = 25\n"));
  EXPECT_EQ(wrong("[[pool]]\nname='x'\norder='capacity'\nuser_limit=0\n"),
            "p.toml:4:12: user_limit must be a whole number of percent, from 1 to 100");
  EXPECT_EQ(wrong("[[pool]]\nname='x'\nuser_limit=25\n"),
            "p.toml:3:12: user_limit of the pool \"x\" would do nothing: its order is \"fair\", which counts "
            "no users; leave it out");
}

TEST(Config, PoolsOfFrameworksAreNotOrderedByDeadline) {
  EXPECT_EQ(wrong("[[pool]]\nname='x'\norder='deadline'\n"),
            "p.toml:3:7: order of the pool \"x\" would do nothing: \"deadline\" is for pools of jobs, and no "
            "framework is due at a time; leave it out");
}

TEST(Config, SingleUsersHaveLimits) {
  const auto config = good("[[user]]\nname='ann'\nmax_running=2\n[[user]]\nname='bob'\nmax_running=0\n");
  EXPECT_EQ(config.allocator.allocator.users, (std::vector<UserLimit>{{"ann", 2}, {"bob", 0}}));
  EXPECT_EQ(good(print_config(config, "allocator")).allocator.allocator.users,
            config.allocator.allocator.users);
}

TEST(Config, AUserHasANameOnceAndALimit) {
  EXPECT_EQ(wrong("[[user]]\nname='ann'\n"),
            "p.toml:1:1: [[user]]: the user \"ann\" needs max_running; 0 is no limit");
  EXPECT_EQ(wrong("[[user]]\nmax_running=1\n"), "p.toml:1:1: [[user]]: a user needs a name");
  EXPECT_THAT(wrong("[[user]]\nname='a'\nmax_running=1\n[[user]]\nname='a'\nmax_running=2\n"),
              HasSubstr("the user \"a\" stands in line 1 already"));
  EXPECT_THAT(wrong("[[user]]\nname='a'\nmax_runing=1\n"), HasSubstr("did you mean \"max_running\"?"));
  EXPECT_THAT(wrong("[user]\nname='a'\n"), HasSubstr("[[user]] is a list of tables"));
}

TEST(Config, DominantSharesGoWithoutTimeoutsOfFairShares) {
  const std::string dominant = "share_by='dominant'\npreemption='on'\n";
  EXPECT_EQ(good("[allocator]\n" + dominant).allocator.allocator.share_by, ShareBy::dominant);
  EXPECT_THAT(wrong_in("allocator", dominant + "fair_share_timeout='9s'"),
              HasSubstr("p.toml:4:20: fair_share_timeout does not go with share_by \"dominant\": "));
  auto config = good("[allocator]\nfair_share_timeout='9s'\n");
  ASSERT_TRUE(set_config(config, "allocator", "share_by", "dominant"));
  EXPECT_FALSE(check_config(config));
}

TEST(Config, SettingsFromFlagsOverrideTheFile) {
  auto config = good(kAll);
  ASSERT_TRUE(set_config(config, "agent", "slots", "map=8"));
  ASSERT_TRUE(set_config(config, "agent", "uplink", "1MB/s"));
  ASSERT_TRUE(set_config(config, "allocator", "offer_timeout", "5s"));
  EXPECT_EQ(config.agent.agent.slots, (Resources{{Kind("map"), 8}}));
  EXPECT_EQ(config.agent.uplink, 1000000u);
  EXPECT_EQ(config.allocator.allocator.offer_timeout, 5s);
  EXPECT_TRUE(check_config(config));
}

TEST(Config, AFlagMayBeANumber) {
  Config config;
  ASSERT_TRUE(set_config(config, "agent", "max_computing", "2"));
  ASSERT_TRUE(set_config(config, "agent", "name", "7"));
  ASSERT_TRUE(set_config(config, "catalog", "replication_alpha", "0.25"));
  EXPECT_EQ(config.agent.agent.max_computing, 2u);
  EXPECT_EQ(config.agent.agent.name, "7");
  EXPECT_EQ(config.catalog.catalog.replication.alpha_milli, 250);
  EXPECT_EQ(set_config(config, "agent", "max_computing", "-1").error().message,
            "max_computing must be a whole number from 0 to 4294967295");
  EXPECT_EQ(set_config(config, "agent", "max_computing", "two").error().message,
            "max_computing must be a whole number, not a string");
}

TEST(Config, ASectionThatDoesNotCountWhereItIsReadIsRefused) {
  constexpr std::string_view kSections[] = {"allocator", "pool"};
  EXPECT_TRUE(parse_config("[allocator]\n[[pool]]\nname='x'\n", "p.toml", kSections));
  EXPECT_EQ(
      parse_config("[[pool]]\nname='x'\n[agent]\nmax_computing = 1\n", "p.toml", kSections).error().message,
      "p.toml:3:2: [agent] is not used here, only [allocator], [[pool]]");
}

TEST(Config, AWrongFlagChangesNothing) {
  auto config = good(kAll);
  const auto before = print_config(config);
  EXPECT_EQ(set_config(config, "agent", "slots", "map=x").error().message,
            "slots is wrong: \"map=x\" is not slots: kinds with numbers, as in \"map=2,reduce=1\"");
  EXPECT_EQ(set_config(config, "allocator", "heartbeat", "0s").error().message,
            "heartbeat must be longer than 0");
  EXPECT_EQ(set_config(config, "agent", "uplnk", "1B/s").error().message,
            "unknown key \"uplnk\"; did you mean \"uplink\"?");
  EXPECT_THAT(set_config(config, "agnt", "name", "x").error().message, HasSubstr("did you mean \"agent\"?"));
  EXPECT_EQ(print_config(config), before);
}

TEST(Config, ContradictionsFromFlagsAreFoundByTheCheck) {
  auto config = good("");
  ASSERT_TRUE(set_config(config, "allocator", "suspect_after", "6s"));
  EXPECT_EQ(check_config(config).error().message,
            "disconnected_after (5s) must be longer than suspect_after (6s)");
}

TEST(Config, AFileThatIsNotThereIsNamed) {
  const auto read = read_config("/no/such/proffer.toml");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::not_found);
  EXPECT_EQ(read.error().message, "cannot read /no/such/proffer.toml: No such file or directory");
  const auto folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(read_config(folder).error().message, "cannot read " + folder + ": Is a directory");
}

TEST(Config, APrivatePoolIsARestrictedOneAndAPlaceAsAWhole) {
  EXPECT_THAT(wrong("[[pool]]\nname='x'\nprivate_agents=2\nmin_share_timeout='9s'\n"),
              HasSubstr("p.toml:4:19: min_share_timeout of the pool \"x\" would do nothing"));
  EXPECT_EQ(
      wrong("[[pool]]\nname='x'\nprivate_agents=2\n[[pool]]\nname='x.y'\nracks=['r1']\n"),
      "p.toml:6:7: racks of the pool \"x.y\" cannot be: the pool \"x\" around it is assigned agents for "
      "all pools in it (private_agents); leave it out");
  good("[[pool]]\nname='x'\nracks=['r1']\n[[pool]]\nname='x.y'\nprivate_agents=2\n");
}

}  // namespace
}  // namespace proffer

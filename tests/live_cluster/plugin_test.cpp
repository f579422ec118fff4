// A policy from a plug-in decides on a real cluster, and in every command that takes one.
#include <gmock/gmock.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using ::testing::AllOf;
using testing::Cluster;
using testing::Folder;
using ::testing::HasSubstr;
using testing::json_number;
using testing::proffer;

const std::string kPlugin = PROFFER_BIN_DIR "/../plugins/coin_flip.so";
// The draws of this seed begin with declines.
const std::string kPolicy = "coin-flip,part=0.7,hold=50ms,seed=1";

TEST(PluginLive, ItsDeclinesAreSeenOnACluster) {
  Cluster cluster(2);
  ASSERT_EQ(cluster({"put", cluster.folder().file("text", "b\na\n"), "/text"}).exit_code, 0);
  const auto ran = cluster({"mr", "-plugin", kPlugin, "-policy", kPolicy, "-input", "/text", "-output",
                            "/out", "-mapper", "cat", "-reducer", "cat", "-o", "json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_GT(json_number(ran.out, "/offers/declined/policy"), 0) << ran.out;
  EXPECT_EQ(cluster({"cat", "/out"}).out, "a\nb\n");
}

TEST(PluginLive, ACommandOnTheClusterTakesOneToo) {
  Cluster cluster(1);
  const auto ran = cluster({"run", "--plugin", kPlugin, "--policy", kPolicy, "--", "echo", "hello"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "hello\n");
}

TEST(PluginCommands, ThoseOfTheEnvironmentCount) {
  auto child = live::Child::start({"/usr/bin/env", "PROFFER_PLUGIN=" + kPlugin + ":" + kPlugin,
                                   PROFFER_BIN_DIR "/proffer", "policy", "show", "coin-flip"},
                                  "/dev/null");
  ASSERT_TRUE(child) << child.error().message;
  const auto first = child->read_line(std::chrono::seconds(20));
  ASSERT_TRUE(first);
  EXPECT_THAT(*first, HasSubstr("coin-flip: "));
}

TEST(PluginCommands, AWrongPluginIsOneSentenceAndAnExitCode) {
  const Folder folder;
  const auto text = folder.file("text.so", "no ELF");
  const auto none = folder.path() + "/none.so";
  for (const auto& words : std::vector<std::vector<std::string>>{{"policy", "list"},
                                                                 {"sim", "e.toml"},
                                                                 {"experiment", "verify", "results"},
                                                                 {"run", "--", "true"}}) {
    auto all = words;
    all.insert(all.begin() + (words[0] == "policy" || words[0] == "experiment" ? 2 : 1), {"--plugin", text});
    if (words[0] == "sim") {
      all.back() = folder.file("e.toml",
                               "name = \"e\"\n[cluster]\nnodes = 1\nslots = { map = 1 }\n"
                               "[[framework]]\nname = \"f\"\n[[workload]]\nbins = [{ maps = 1 }]\n");
    }
    const auto ran = proffer(all);
    EXPECT_EQ(ran.exit_code, 2) << words[0];
    EXPECT_EQ(ran.err, "proffer: " + text + ": it is no shared object\n") << words[0];
  }
  EXPECT_EQ(proffer({"policy", "list", "--plugin", none}).exit_code, 1);
}

TEST(PolicyCommands, ListAndShowKnowSettingsAndDefaults) {
  const auto list = proffer({"policy", "list", "--plugin", kPlugin});
  EXPECT_THAT(list.out,
              AllOf(HasSubstr("greedy"), HasSubstr("node_wait, rack_wait, reset and work_conserving"),
                    HasSubstr("coin-flip"), HasSubstr("at random")));
  const auto json = proffer({"policy", "list", "-o", "json"}).out;
  EXPECT_THAT(json, AllOf(HasSubstr("\"name\": \"node_skips\",\n        \"default\": null"),
                          HasSubstr("\"default\": \"15s\"")));
  EXPECT_THAT(proffer({"policy", "show", "wait"}).out,
              AllOf(HasSubstr("from: proffer itself"), HasSubstr("1.5 heartbeats, up to 15s"),
                    HasSubstr("on-launch")));
  EXPECT_THAT(proffer({"policy", "show", "wiat"}).err, HasSubstr("did you mean 'wait'?"));
  EXPECT_THAT(proffer({"policy", "show", "wait,node_wait=5s"}).err, HasSubstr("proffer policy show wait"));
  EXPECT_EQ(proffer({"policy", "bench", "greedy", "--on", "x.toml", "--seeds", "0"}).exit_code, 2);
}

}  // namespace
}  // namespace proffer

// What a wrong file is answered with: the place, what is wrong, what to write.
#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

/// What is wrong with these lines behind the sections of small(), which begin in line 14.
std::string behind(const std::string& sections) { return wrong(small("", sections)); }
/// The same with these at the top, in line 2.
std::string at_top(const std::string& line) { return wrong(small(line)); }

TEST(Mistake, UnknownKeysAreToldTheNearest) {
  EXPECT_EQ(at_top("sceds = 3"),
            "e.toml:2:1: unknown key of an experiment \"sceds\"; did you mean \"seeds\"?");
  EXPECT_EQ(behind("[cost]\nremote_rat = \"3MB/s\"\n"),
            "e.toml:15:1: unknown key of [cost] \"remote_rat\"; did you mean \"remote_rate\"?");
  EXPECT_EQ(behind("[[workload]]\nbins = [{ map = 3 }]\n"),
            "e.toml:15:11: unknown key of bins \"map\"; did you mean \"maps\"?");
}

TEST(Mistake, WrongTypesAndUnits) {
  EXPECT_EQ(behind("[store]\nreplication = \"3\"\n"),
            "e.toml:15:15: replication must be a whole number, not a string");
  EXPECT_EQ(behind("[allocator]\nlatency = 3\n"),
            "e.toml:15:11: latency must be a duration in quotes, such as \"5s\", not an integer");
  EXPECT_EQ(behind("[cost]\nnic_rate = \"fast\"\n"),
            "e.toml:15:12: nic_rate must be a rate such as \"60MB/s\", or \"unlimited\", not \"fast\"");
  EXPECT_EQ(behind("[cost]\nrack_factor = 0.5\n"),
            "e.toml:15:15: rack_factor must be 1 or more: a factor of 1 costs nothing");
  EXPECT_EQ(behind("[store]\nplacement = \"hfds\"\n"),
            "e.toml:15:13: placement is wrong: unknown word \"hfds\"; did you mean \"hdfs\"?");
  EXPECT_EQ(at_top("seeds = 0"),
            "e.toml:2:9: seeds must be a whole number from 1 to 4294967295, or a table such as { from = 1, "
            "count = 10 }");
  EXPECT_EQ(at_top("schema = 2"), "e.toml:2:10: schema must be 1: this is all that this version knows");
  EXPECT_EQ(at_top("mode = \"real\""),
            "e.toml:2:8: mode is wrong: unknown word \"real\"; there are sim, live");
}

TEST(Mistake, WhatIsMissing) {
  EXPECT_EQ(wrong("horizon = \"1h\"\n"), "e.toml:1:1: the experiment needs a name");
  EXPECT_EQ(wrong("name = \"a\"\n"), "e.toml:1:1: there is no [cluster]");
  EXPECT_EQ(wrong("name = \"a\"\n[cluster]\nnodes = 3\n"),
            "e.toml:2:1: [cluster] needs slots, such as { map = 4, reduce = 2 }");
  EXPECT_EQ(
      wrong("name = \"a\"\n[cluster]\nslots = { map = 1 }\n"),
      "e.toml:2:1: [cluster] needs one of nodes, nodes_per_rack, [[cluster.node]] or topology = \"trace\"");
  EXPECT_EQ(wrong("name = \"a\"\n[cluster]\nnodes = 3\nslots = { map = 1 }\n"),
            "e.toml:1:1: there is no [[framework]]");
  EXPECT_EQ(behind("[[workload]]\nstart = \"1s\"\n"), "e.toml:14:1: a [[workload]] needs bins or a trace");
}

TEST(Mistake, JobsThatNoFrameworkTakes) {
  const auto with = [](const std::string& bin) {
    return behind("[[workload]]\nname = \"w\"\nbins = [{ " + bin + " }]\n");
  };
  EXPECT_EQ(with("maps = 1, reduces = 10001"), "e.toml:16:31: a job has at most 10000 reduces");
  EXPECT_EQ(
      with("maps = 65537"),
      "e.toml:16:18: a job has at most 65536 maps, since a file has at most 65536 blocks; more only with "
      "input = \"none\"");
}

TEST(Mistake, InPopularityAndRenewal) {
  const auto with = [](const std::string& line) {
    return behind("[[workload]]\nname = \"w\"\nbins = [{ maps = 1 }]\n" + line + "\n");
  };
  EXPECT_EQ(with("popularity = { files = 3 }\ninput = \"own\""),
            "e.toml:18:9: popularity says what is read; leave out input");
  EXPECT_EQ(with("popularity = { exponent = 1 }"),
            "e.toml:17:14: write how many files there are: popularity = { files = 800, exponent = 1.1 }");
  EXPECT_EQ(with("arrivals = { process = \"renewal\" }"),
            "e.toml:17:12: arrivals of process renewal need gaps: { process = \"renewal\", gaps = "
            "\"lognormal(10s, 30s)\" }");
  EXPECT_EQ(with("arrivals = { process = \"poisson\", mean = \"1s\", gaps = \"1s\" }"),
            "e.toml:17:12: arrivals of process poisson have no gaps");
}

TEST(Mistake, InInputNodes) {
  EXPECT_EQ(behind("[[workload]]\nname = \"w\"\nbins = [{ maps = 1 }]\ninput = \"none\"\ninput_nodes = "
                   "[\"r1n1\"]\n"),
            "e.toml:18:15: input_nodes is of no use where input = \"none\"");
  const auto on = [](const std::string& nodes) {
    return behind("[[workload]]\nname = \"w\"\nbins = [{ maps = 1 }]\ninput_nodes = " + nodes + "\n");
  };
  EXPECT_EQ(on("[\"r1n1\", \"r3n1\"]"),
            "e.toml:17:15: there is no node \"r3n1\"; the first is \"r1n1\" and the last \"r2n3\"");
  EXPECT_EQ(on("[\"r1n1\", \"r1n1\"]"), "e.toml:17:15: input_nodes names \"r1n1\" twice");
  EXPECT_EQ(on("[]"), "e.toml:17:15: input_nodes must name a node");
}

TEST(Mistake, InThePoolsOfAFramework) {
  const auto with = [](const std::string& pools, const std::string& more = "") {
    return behind("[[framework]]\nname = \"x\"\npools = " + pools + "\n" + more);
  };
  EXPECT_EQ(with("[{ name = \"a\", wieght = 2 }]"),
            "e.toml:16:24: unknown key of a pool \"wieght\"; did you mean \"weight\"?");
  EXPECT_EQ(with("[{ weight = 2 }]"), "e.toml:16:10: a pool needs a name");
  EXPECT_EQ(with("3"), "e.toml:16:9: pools must be a list of tables");
  EXPECT_EQ(with("[{ name = \"research\" }]",
                 "[[workload]]\nframeworks = \"x\"\npool = \"reserch\"\nbins = [{ maps = 1 }]\n"),
            "e.toml:19:8: unknown pool \"reserch\"; did you mean \"research\"?");
}

TEST(Mistake, InPolicies) {
  EXPECT_EQ(behind("[[framework]]\nname = \"x\"\npolicy = \"wiat\"\n"),
            "e.toml:16:10: policy is wrong: there is no policy 'wiat'; did you mean 'wait'?");
  EXPECT_EQ(behind("[[framework]]\nname = \"x\"\npolicy = { node_wait = \"5s\" }\n"),
            "e.toml:16:10: policy is wrong: it needs a name, as in { name = \"wait\", node_wait = \"5s\" }");
}

TEST(Mistake, InTheNamesOfFigures) {
  EXPECT_EQ(behind("[report]\nfigures = [\"slot-gantt\", \"jain-over-tine\"]\n"),
            "e.toml:15:26: unknown figure \"jain-over-tine\"; did you mean \"jain-over-time\"?");
  EXPECT_EQ(behind("[report]\nfigures = \"slot-gant\"\n"),
            "e.toml:15:11: unknown figure \"slot-gant\"; did you mean \"slot-gantt\"?");
}

TEST(Mistake, InNames) {
  EXPECT_EQ(behind("[[framework]]\nname = \"hadoop-1\"\n"),
            "e.toml:15:8: two frameworks are named \"hadoop-1\"");
  EXPECT_EQ(behind("[[framework]]\nname = \"x\"\npool = \"nowhere\"\n"),
            "e.toml:16:8: pool \"nowhere\" is not the name of a [[pool]]");
  EXPECT_EQ(behind("[[workload]]\nframeworks = [\"hadop\"]\nbins = [{ maps = 1 }]\n"),
            "e.toml:15:14: unknown framework \"hadop\"; did you mean \"hadoop\"?");
  EXPECT_EQ(behind("[[pool]]\nname = \"a\"\n[[pool]]\nname = \"a\"\n"),
            "e.toml:16:1: the pool \"a\" stands in line 14 already");
}

TEST(Mistake, InWorkloads) {
  EXPECT_EQ(behind("[[workload]]\nbins = [{ maps = 1 }]\narrivals = { process = \"poisson\" }\n"),
            "e.toml:16:12: arrivals of process poisson need mean, the mean gap: { process = \"poisson\", "
            "mean = \"14s\" }");
  EXPECT_EQ(behind("[[workload]]\nbins = [{ maps = 1 }]\narrivals = { process = \"fixed\", gap = \"1s\", "
                   "mean = \"14s\" }\n"),
            "e.toml:16:12: arrivals of process fixed have no mean");
  EXPECT_EQ(
      behind("[[workload]]\nbins = [{ maps = 1 }]\nmap_time = \"lognormal(10s)\"\n"),
      "e.toml:16:12: map_time is wrong: \"lognormal(10s)\": write lognormal(10s, 3s), with the mean and the "
      "standard deviation");
  EXPECT_EQ(behind("[[workload]]\nbins = [{ maps = 1 }]\nscale = { jobs = 2 }\n"),
            "e.toml:16:1: scale is only for a workload that is a trace");
  EXPECT_EQ(behind("[[workload]]\ntrace = \"swim:nowhere.tsv\"\n"),
            "e.toml:14:1: cannot read the trace nowhere.tsv, a path from the folder of this file");
  EXPECT_EQ(behind("[[workload]]\nbins = [{ maps = 1, jobs = 4000000000 }]\n"),
            "e.toml:15:9: the bins have more than 20000000 tasks");
}

TEST(Mistake, InTheCachedFile) {
  EXPECT_EQ(behind("[[workload]]\nbins = [{ maps = 1 }]\nblock_size = \"1B\"\ncached = \"600MB\"\n"),
            "e.toml:17:10: a file has at most 65536 blocks; let block_size be larger");
  EXPECT_EQ(behind("[[workload]]\nbins = [{ maps = 1 }]\ncached = 600\n").substr(0, 13), "e.toml:16:10:");
}

TEST(Mistake, ReducesWithoutASlotForThem) {
  auto text = small("", "[[workload]]\nbins = [{ maps = 1, reduces = 1 }]\n");
  text.replace(text.find("map = 4, reduce = 2"), 19, "map = 4");
  EXPECT_EQ(wrong(text),
            "e.toml:15:8: these jobs have reduces, but no node of the cluster has a reduce slot");
}

TEST(Mistake, MoreFrameworksThanNodesToDivide) {
  EXPECT_EQ(
      behind("[allocator]\npartition = \"static\"\n[[framework]]\nname = \"more\"\ncount = 5\n"),
      "e.toml:15:13: partition = \"static\" needs a node for each framework: there are 7 of them on 6 nodes");
}

TEST(Mistake, InFaults) {
  EXPECT_EQ(wrong(small(), {"cluster.faults=[{ at = \"1s\", kill = \"n7\", for = \"1m\" }]"}),
            "--set: there is no node \"n7\"; the first is \"r1n1\" and the last \"r2n3\"");
}

TEST(Mistake, InSweeps) {
  EXPECT_EQ(behind("[sweep]\nnode_wait = [\"0s\"]\n"),
            "e.toml:15:1: nothing uses \"${node_wait}\"; write that where the value belongs, or a dotted key "
            "such as "
            "\"allocator.offer_timeout\"");
  EXPECT_EQ(behind("[sweep]\n\"store.replication\" = 3\n"),
            "e.toml:15:23: store.replication must be a list of values, such as [\"0s\", \"5s\"]");
  EXPECT_EQ(behind("[sweep]\n\"store.replication\" = [3, 3]\n"),
            "e.toml:15:27: store.replication has \"3\" twice");
  EXPECT_EQ(behind("[sweep]\n\"stor.replication\" = [3]\n"),
            "e.toml:15:1: unknown section \"stor\"; did you mean \"store\"?");
  EXPECT_EQ(behind("[sweep]\n\"store.replicaton\" = [3]\n"),
            "e.toml:15:1: unknown key of [store] \"replicaton\"; did you mean \"replication\"?");
  EXPECT_EQ(behind("[sweep]\n\"store.replication\" = [3, \"many\"]\n"),
            "e.toml:15:27: replication must be a whole number, not a string");
  EXPECT_EQ(behind("[[cell]]\nset = {}\n"), "e.toml:14:1: a [[cell]] needs a name");
}

TEST(Mistake, AVariableWithoutAValue) {
  EXPECT_EQ(at_top("horizon = \"${long}\""),
            "e.toml:2:11: the variable \"long\" has no value: give it some in [sweep]");
}

TEST(Mistake, InChecks) {
  EXPECT_EQ(behind("[[check]]\nexpr = \"node_local >\"\n"),
            "e.toml:15:8: expr is wrong: \"node_local >\" ends too early: write a number or the name of a "
            "measure behind it");
  EXPECT_EQ(behind("[sweep]\n\"store.replication\" = [1, 2]\n[[check]]\nexpr = \"node_local{3} > 0\"\n"),
            "e.toml:17:8: \"3\" is no cell; there are \"replication=1\", \"replication=2\"");
  EXPECT_EQ(behind("[[check]]\n"), "e.toml:14:1: a [[check]] needs expr");
}

TEST(Mistake, InFiguresOfPapers) {
  EXPECT_EQ(behind("[sweep]\n\"store.replication\" = [1, 2]\n[[paper]]\nmeasure = \"a\"\nvalue = 3\n"),
            "e.toml:16:1: \"\" means 2 cells, \"replication=1\", \"replication=2\"; say which");
  EXPECT_EQ(behind("[[paper]]\nmeasure = \"a\"\n"), "e.toml:14:1: a [[paper]] needs value");
}

TEST(Mistake, InOverrides) {
  EXPECT_EQ(wrong(small(), {"store.replication=many"}),
            "--set: replication must be a whole number, not a string");
  EXPECT_EQ(wrong(small(), {"replication"}), "--set replication: write --set KEY=VALUE");
  EXPECT_EQ(wrong(small(), {"stor.replication=3"}),
            "--set stor.replication=3: unknown key \"stor\"; did you mean \"store\"?");
}

TEST(Mistake, NoToml) { EXPECT_THAT(wrong("name = \n"), ::testing::StartsWith("e.toml:1:")); }

}  // namespace
}  // namespace proffer::study

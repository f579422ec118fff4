// Bad input gets one clear sentence, the right exit code, and leaves nothing behind.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using ::testing::AllOf;
using testing::Cluster;
using testing::Folder;
using ::testing::HasSubstr;
using testing::proffer;
using namespace std::chrono_literals;

TEST(BadInput, AnUnreachableAllocatorIsExitCode3) {
  const auto ran = proffer({"status", "--allocator", "tcp://127.0.0.1:1"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.err, HasSubstr("no cluster answers at tcp://127.0.0.1:1 so far; waiting 5 s for one "
                                 "(`proffer dev` starts one here)\n"));
  EXPECT_EQ(proffer({"run", "--allocator", "tcp://127.0.0.1:1", "--", "true"}).exit_code, 3);
}

TEST(BadInput, AFolderIsNoFileToShip) {
  const auto ran = proffer({"mr", "-input", "/in", "-output", "/out", "-mapper", "cat", "-file", "/tmp"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("-file: cannot read /tmp: Is a directory"));
}

TEST(BadInput, AnUnknownKeyInAConfigurationIsNamedWithItsPlace) {
  const Folder folder;
  const auto file = folder.file("a.toml", "[allocator]\noffer_timeout = \"30s\"\nofer_timeout = \"1s\"\n");
  const auto ran = proffer({"allocator", "--config", file});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("a.toml:3:1"), HasSubstr("offer_timeout")));
}

TEST(BadInput, AWrongUnitInAConfigurationIsNamedWithItsPlace) {
  const Folder folder;
  const auto file = folder.file("a.toml", "[allocator]\noffer_timeout = \"30 parsecs\"\n");
  const auto ran = proffer({"allocator", "--config", file});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("a.toml:2:"));
}

TEST(BadInput, TheDemoDeletesOnlyWhatADemoMade) {
  const Folder folder;
  const auto summary = folder.file("summary.json", "{}");
  auto demo =
      live::Child::start({PROFFER_BIN_DIR "/proffer-demo", "--out", folder.path()}, folder.path() + "/log");
  ASSERT_TRUE(demo) << demo.error().message;
  EXPECT_EQ(WEXITSTATUS(demo->wait_exit(20s).value_or(-1)), 1);
  EXPECT_THAT(testing::read_file(folder.path() + "/log"), HasSubstr("is not the result of an earlier demo"));
  EXPECT_EQ(testing::read_file(summary), "{}");
}

TEST(BadInput, AnEventLogThatCannotBeWrittenIsAnError) {
  const Folder folder;
  const auto file = folder.file("e.toml",
                                "name = \"e\"\n[cluster]\nnodes = 1\nslots = { map = 1 }\n[[framework]]\n"
                                "name = \"f\"\n[[workload]]\nbins = [{ maps = 1, jobs = 1 }]\n");
  const auto ran = proffer({"sim", file, "--quiet", "--events", "/dev/full"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("/dev/full cannot be written"));
}

TEST(BadInput, AnAgentWithoutSlotsIsRefused) {
  const Folder folder;
  const auto ran = proffer({"agent", "--slots", "map=0", "--work-dir", folder.path() + "/w"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("slots"));
}

TEST(BadInput, UnknownSubcommandsAndFlagsAreExitCode2) {
  EXPECT_EQ(proffer({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(proffer({"status", "--frobnicate"}).exit_code, 2);
  EXPECT_EQ(proffer({}).exit_code, 2);
}

TEST(BadInput, WhatCannotBeMeantIsExitCode2) {
  const auto refused = [](const std::vector<std::string>& words) {
    const auto ran = proffer(words);
    EXPECT_EQ(ran.exit_code, 2);
    return ran.err;
  };
  EXPECT_THAT(refused({"run", "--policy", "nonsense", "--", "true"}), HasSubstr("nonsense"));
  EXPECT_THAT(refused({"mr", "-policy", "nonsense", "-input", "/i", "-output", "/o", "-mapper", "cat"}),
              HasSubstr("nonsense"));
  EXPECT_THAT(refused({"mr", "-jobs", "jobs.toml", "-mapper", "cat"}), HasSubstr("--jobs"));
  EXPECT_THAT(refused({"mr", "-input", "/i", "-output", "/o", "-mapper", "cat", "-numReduceTasks", "4"}),
              HasSubstr("needs a -reducer"));
  std::vector<std::string> long_command(1030, "x");
  for (std::size_t i = 0; const auto* word : {"run", "--", "wc"}) long_command[i++] = word;
  EXPECT_THAT(refused(long_command), HasSubstr("the bound is 1024"));
}

TEST(BadInput, ACombinerThatCannotRunIsRefusedAtOnce) {
  const auto ran = proffer({"mr", "-input", "/i", "-output", "/o", "-mapper", "cat", "-reducer", "cat",
                            "-combiner", "no-such-command-here"});
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_THAT(ran.err, HasSubstr("the combiner no-such-command-here"));
}

TEST(BadInput, AWrongPoolFileOfADevelopmentClusterIsNamedWithItsPlace) {
  const Folder folder;
  const auto file = folder.file("pools.toml", "[[pool]]\nnmae = \"a\"\n");
  const auto ran = proffer({"dev", "--port", "0", "--pools", file, "--", "true"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("pools.toml:2:1"));
}

TEST(BadInput, WhatADevelopmentClusterWouldNotUseOfItsFileIsRefused) {
  const Folder folder;
  const auto file = folder.file("pools.toml", "[[pool]]\nname = \"a\"\n[agent]\nmax_computing = 1\n");
  const auto ran = proffer({"dev", "--port", "0", "--pools", file, "--", "true"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(
      ran.err,
      HasSubstr("pools.toml:3:2: [agent] is not used here, only [allocator], [[pool]], [[user]]; see"));
}

TEST(BadInput, AWrongReplicationOfADevelopmentClusterIsRefused) {
  const auto ran = proffer({"dev", "--port", "0", "--replication", "dsbr", "--", "true"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("did you mean \"dsbra\"?"));
}

TEST(BadInput, SettingsOfAPoolThatAreMissingOrGivenTwiceAreRefused) {
  const auto none = proffer({"pool", "set", "red"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("pool set red: name a setting, as in weight=2"));
  EXPECT_THAT(proffer({"pool", "set", "red", "weight=1", "weight=2"}).err,
              HasSubstr("weight is given twice"));
}

class BadInputToACluster : public ::testing::Test {
 protected:
  Cluster cluster_{1};
  const Folder folder_;
  void put_text() { ASSERT_EQ(cluster_({"put", folder_.file("t", "a\nb\n"), "/t"}).exit_code, 0); }
};

TEST_F(BadInputToACluster, APortInUseIsSaidInOneSentence) {
  const auto taken = cluster_.processes().allocator_endpoint();
  const auto ran = proffer({"allocator", "--frameworks-endpoint", taken, "--agents-endpoint",
                            "tcp://127.0.0.1:0", "--state-dir", folder_.path() + "/state"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr(taken));
}

TEST_F(BadInputToACluster, AnUnknownPoolIsNamed) {
  const auto ran = cluster_({"run", "--pool", "nowhere", "--", "true"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("nowhere"));
}

TEST_F(BadInputToACluster, AKindThatNobodyHasIsSaid) {
  const auto log = folder_.path() + "/err";
  const auto waiting = cluster_.start({"run", "--kind", "gpu", "--", "true"}, log);
  const auto said = [&] { return testing::read_file(log).find("of the kind gpu") != std::string::npos; };
  EXPECT_TRUE(testing::eventually(said, 20s));
}

TEST_F(BadInputToACluster, AMissingInputFailsBeforeAnythingRuns) {
  const auto ran = cluster_({"mr", "-input", "/nothing", "-output", "/o", "-mapper", "cat"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("/nothing"));
  EXPECT_NE(cluster_({"ls", "/o"}).exit_code, 0);
}

TEST_F(BadInputToACluster, AnExistingOutputIsRefusedAndKept) {
  put_text();
  ASSERT_EQ(cluster_({"mr", "-input", "/t", "-output", "/o", "-mapper", "cat"}).exit_code, 0);
  const auto ran = cluster_({"mr", "-input", "/t", "-output", "/o", "-mapper", "wc"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("/o"));
  EXPECT_EQ(cluster_({"cat", "/o"}).out, "a\nb\n");
}

TEST_F(BadInputToACluster, AMapperThatIsNotExecutableIsRefusedAtOnce) {
  put_text();
  const auto script = folder_.file("mapper.sh", "cat\n");
  const auto ran = cluster_({"mr", "-input", "/t", "-output", "/o", "-mapper", script});
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr(script), HasSubstr("execut")));
}

TEST_F(BadInputToACluster, AFailingMapperFailsTheJobAndLeavesNoOutput) {
  put_text();
  const auto ran = cluster_({"mr", "-input", "/t", "-output", "/o", "-mapper", "echo broken >&2; exit 3"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("broken"));
  EXPECT_NE(cluster_({"ls", "/o"}).exit_code, 0);
}

TEST_F(BadInputToACluster, ASecondAgentOfOneNameIsRefused) {
  const auto status = cluster_({"status", "-o", "json"});
  const auto toml = testing::read_file(cluster_.folder().path() + "/cluster/n01/agent.toml");
  const auto at = toml.find("work_dir");
  ASSERT_NE(at, std::string::npos);
  const auto file =
      folder_.file("twin.toml", toml.substr(0, at) + "work_dir = \"" + folder_.path() + "/twin\"\n");
  const auto ran = proffer({"agent", "--config", file}, 20s);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("n01"));
}

TEST_F(BadInputToACluster, PuttingWhatIsNotThereOrWhereSomethingIsFails) {
  put_text();
  EXPECT_EQ(cluster_({"put", folder_.path() + "/none", "/n"}).exit_code, 1);
  EXPECT_EQ(cluster_({"put", folder_.file("u", "x"), "/t"}).exit_code, 1);
  EXPECT_EQ(cluster_({"cat", "/t"}).out, "a\nb\n");
}

TEST_F(BadInputToACluster, AUserOfAnyBytesIsShownAsHarmlessText) {
  const std::string user = ::getenv("USER") == nullptr ? "" : ::getenv("USER");
  ::setenv("USER", "m\xfcller\x1b[31m", 1);
  const auto runs = cluster_.start({"run", "--name", "u", "--", "sleep", "600"});
  const auto another = cluster_.start({"run", "--name", "u", "--", "sleep", "600"});
  user.empty() ? ::unsetenv("USER") : ::setenv("USER", user.c_str(), 1);
  ASSERT_TRUE(testing::eventually([&] { return cluster_.running("u") == 1; }, 20s));
  EXPECT_THAT(cluster_({"status", "-o", "json"}).out, HasSubstr("m\xef\xbf\xbdller\\u001b[31m"));
  EXPECT_THAT(cluster_({"status"}).out, ::testing::Not(HasSubstr("\x1b")));
  std::string why;
  const auto names_user = [&] {  // it does of the second one of a name
    why = cluster_({"why", "framework", "u"}).out;
    return why.find("ller?[31m") != std::string::npos;
  };
  EXPECT_TRUE(testing::eventually(names_user, 20s)) << why;
  EXPECT_THAT(why, ::testing::Not(HasSubstr("\x1b")));
}

TEST_F(BadInputToACluster, WhatIsNotThereToPutOrNoFileToGetIsSaid) {
  put_text();
  EXPECT_EQ(cluster_({"put", "nosuch", "/n"}).err,
            "proffer: there is no file or folder nosuch on this machine\n");
  const auto got = cluster_({"get", "/t", "-"});
  EXPECT_EQ(got.exit_code, 2);
  EXPECT_EQ(got.err, "proffer: get makes a file or a folder; proffer cat /t prints it\n");
}

TEST_F(BadInputToACluster, WhatFailsIsSaidOnce) {
  put_text();
  EXPECT_THAT(cluster_({"mr", "-input", "/t", "-output", "/o", "-mapper", "exit 3"}).err,
              AllOf(HasSubstr("proffer: job 1 failed"), ::testing::Not(HasSubstr("job job"))));
  EXPECT_THAT(cluster_({"run", "--", "sh", "-c", "exit 3"}).err,
              AllOf(HasSubstr("with exit code 3 ("), ::testing::Not(HasSubstr("exit code 3: exit code 3"))));
}

TEST(BadInput, PoolsThatCannotBeImportedLeaveNoFile) {
  const Folder folder;
  const auto to = folder.path() + "/pools.toml";
  EXPECT_EQ(proffer({"pool", "import", folder.path() + "/none.xml", "-o", to}).exit_code, 1);
  EXPECT_EQ(testing::read_file(to), "");
  EXPECT_NE(::access(to.c_str(), F_OK), 0);
  const auto xml = folder.file("f.xml", "<allocations><pool name=\"a\"/></allocations>");
  EXPECT_EQ(proffer({"pool", "import", xml, "-o", to}).exit_code, 0);
  EXPECT_THAT(testing::read_file(to), HasSubstr("name = \"a\""));
}

TEST(BadInput, WhatAJobLacksIsNamed) {
  EXPECT_THAT(proffer({"mr", "-input", "/i", "-output", "/o"}).err,
              HasSubstr("proffer: -mapper is missing: "));
}

}  // namespace
}  // namespace proffer

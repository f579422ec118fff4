// Commands that are handed over to the cluster, which drives them on its agents.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using testing::Ran;
using testing::read_file;

constexpr const char* kReference = "0\n1\n2\n3\n4\n5\n6\n7\n";
/// Agents are given up soon.
constexpr const char* kSoon =
    "[allocator]\nsuspect_after = \"2s\"\ndisconnected_after = \"4s\"\nunreachable_after = \"6s\"\n";

struct Detaching : ::testing::Test {
  static constexpr int kMaps = 8;
  Cluster cluster{4, kSoon, {{Kind("map"), 2}, {Kind("reduce"), 1}}, true};
  std::string folder = cluster.folder().path();
  std::string log = folder + "/log";
  std::string starts = folder + "/starts";
  std::string allocator = cluster.processes().allocator_endpoint();

  /// `proffer job VERB WORDS…`.
  std::vector<std::string> job_words(const std::string& verb, std::vector<std::string> words) const {
    words.insert(words.begin(), {"job", verb, "--allocator", allocator});
    return words;
  }
  Ran job(const std::string& verb, const std::vector<std::string>& words = {}) const {
    return testing::proffer(job_words(verb, words));
  }
  live::Child attach(const std::string& id) const {
    return testing::start_proffer(job_words("attach", {id}), log);
  }
  // Of the only job that there is:
  std::string list() const { return job("list", {"--json"}).out; }
  std::string state() const { return testing::json_text(list(), "/0/state"); }
  std::string driver_agent() const { return testing::json_text(list(), "/0/agent"); }
  int drivers_started() const { return testing::json_number(list(), "/0/starts"); }

  pid_t pid_of(const std::string& agent) {
    int index = 0;
    while (cluster.processes().agent_name(index) != agent) ++index;
    return cluster.processes().agent_pid(index);
  }

  std::size_t started() const {
    const auto text = read_file(starts);
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  void put_input() const {
    const auto local = cluster.folder().file("numbers", testing::numbered_blocks(kMaps, 1024));
    ASSERT_EQ(cluster({"put", "--block-size", "1KiB", local, "/in"}).exit_code, 0);
  }
  void let_end() const { cluster.folder().file("gate", ""); }
  std::string wait_for_gate() const { return "while [ ! -e " + folder + "/gate ]; do sleep 0.05; done"; }
  /// Hands a job over of which half of the maps wait for the gate; returns its id.
  std::string detach_job() const {
    const auto script =
        cluster.folder().file("map.sh", "read -r n; echo $n >> " + starts + "; if [ $n -ge 4 ]; then " +
                                            wait_for_gate() + "; fi; echo $n");
    const auto ran = cluster({"mr", "--detach", "-input", "/in", "-output", "/out", "-file", script,
                              "-mapper", "sh map.sh", "-reducer", "cat"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("d-")) << ran.out;
    const auto id = ran.out.substr(0, ran.out.find('\n'));
    EXPECT_THAT(ran.err, HasSubstr("proffer job attach " + id + "\nproffer job kill " + id + "\n"));
    return id;
  }
  /// Waits until the fast half of the maps is done, and as many others run as can.
  bool is_at_half() const {
    return eventually([&] { return started() >= kMaps; }, 60s);
  }
  static std::string all_of(live::Child& child) {
    std::string text;
    while (auto line = child.read_line(90s)) text += *line + "\n";
    return text;
  }
  static int exit_code_of(live::Child& child) {
    const auto status = child.wait_exit(90s);
    return status && WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
  }
};

TEST_F(Detaching, AJobIsDrivenByTheClusterAndShownToWhoAttaches) {
  put_input();
  const auto id = detach_job();
  ASSERT_TRUE(is_at_half()) << job("list").out;
  EXPECT_EQ(state(), "running");
  auto attached = attach(id.substr(0, 5));
  let_end();
  EXPECT_THAT(all_of(attached), HasSubstr("Output in /out\n"));
  EXPECT_EQ(exit_code_of(attached), 0) << read_file(log);
  EXPECT_EQ(cluster({"cat", "/out"}).out, kReference);
  EXPECT_EQ(started(), kMaps);
  const auto again = job("attach", {id});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("Output in /out\n"));
  EXPECT_THAT(job("list").out, HasSubstr(id));
  EXPECT_EQ(state(), "ended");
}

TEST_F(Detaching, ItGoesOnElsewhereWhenTheHostOfItsDriverIsLostAtHalf) {
  put_input();
  const auto id = detach_job();
  ASSERT_TRUE(is_at_half()) << job("list").out;
  auto attached = attach(id);
  const auto former = driver_agent();
  testing::lose_host(folder + "/cluster/" + former);
  ASSERT_TRUE(eventually([&] { return drivers_started() == 2; }, 60s)) << job("list").out;
  EXPECT_NE(driver_agent(), former);
  let_end();
  EXPECT_THAT(all_of(attached), HasSubstr("Output in /out\n"));
  EXPECT_EQ(exit_code_of(attached), 0) << read_file(log);
  EXPECT_THAT(read_file(log), HasSubstr("its driver on " + former + " is lost"));
  EXPECT_EQ(cluster({"cat", "/out"}).out, kReference);
}

TEST_F(Detaching, TheFormerDriverIsFencedWhereOnlyItsAgentWasAway) {
  put_input();
  const auto id = detach_job();
  ASSERT_TRUE(is_at_half()) << job("list").out;
  const auto former = driver_agent();
  const auto agent = pid_of(former);
  ::kill(agent, SIGSTOP);
  EXPECT_TRUE(eventually([&] { return drivers_started() == 2; }, 60s)) << job("list").out;
  // All maps of the second driver wait for the gate: the first one has been replaced.
  EXPECT_TRUE(eventually([&] { return started() >= 2 * kMaps; }, 60s));
  ::kill(agent, SIGCONT);
  let_end();
  auto attached = attach(id);
  EXPECT_THAT(all_of(attached), HasSubstr("Output in /out\n"));
  EXPECT_EQ(exit_code_of(attached), 0) << read_file(log);
  EXPECT_EQ(cluster({"cat", "/out"}).out, kReference);
  EXPECT_TRUE(eventually([&] { return cluster.running("mr") == 0 && cluster.running("drivers") == 0; }, 60s));
  EXPECT_EQ(cluster({"cat", "/out"}).out, kReference) << "there is one output, and it stays";
}

TEST_F(Detaching, ItGoesOnWhereItWasWhenTheAllocatorIsKilled) {
  put_input();
  const auto id = detach_job();
  ASSERT_TRUE(is_at_half()) << job("list").out;
  auto attached = attach(id);
  ASSERT_TRUE(cluster.processes().kill_and_restart("allocator"));
  ASSERT_TRUE(eventually([&] { return state() == "running"; }, 60s)) << job("list").err;
  let_end();
  EXPECT_THAT(all_of(attached), HasSubstr("Output in /out\n"));
  EXPECT_EQ(exit_code_of(attached), 0) << read_file(log);
  EXPECT_EQ(drivers_started(), 1);
  EXPECT_EQ(started(), kMaps) << "nothing was run again";
  EXPECT_EQ(cluster({"cat", "/out"}).out, kReference);
  EXPECT_THAT(job("attach", {id}).out, HasSubstr("Output in /out\n"));
}

TEST_F(Detaching, AKilledJobLeavesNothingBehind) {
  put_input();
  const auto id = detach_job();
  ASSERT_TRUE(is_at_half()) << job("list").out;
  const auto killed = job("kill", {id, "--why", "too slow"});
  EXPECT_EQ(killed.exit_code, 0) << killed.err;
  const auto attached = job("attach", {id});
  EXPECT_EQ(attached.exit_code, 1) << attached.err;
  EXPECT_THAT(attached.err, HasSubstr("too slow"));
  EXPECT_EQ(cluster.running("mr"), 0);
  EXPECT_NE(cluster({"ls", "/out"}).exit_code, 0) << "its output can be written by another job";
  EXPECT_EQ(job("kill", {id}).exit_code, 1);
}

TEST_F(Detaching, ABagOfCommandsCanBeDetachedAsWell) {
  const auto ran = cluster({"run", "--detach", "-n", "2", "--", "sh", "-c", "echo task {}; exit {}"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto attached = job("attach", {ran.out.substr(0, ran.out.find('\n'))});
  EXPECT_EQ(attached.exit_code, 1) << attached.err;
  EXPECT_THAT(attached.out, HasSubstr("task 0\n"));
  EXPECT_THAT(attached.out, HasSubstr("task 1\n"));
  EXPECT_THAT(attached.err, HasSubstr("exit code 1"));
}

TEST_F(Detaching, WhatCannotBeIsRefusedBeforeItIsHandedOver) {
  put_input();
  const auto refused = [&](std::vector<std::string> words, int exit_code, const std::string& why) {
    const auto ran = cluster(std::move(words));
    EXPECT_EQ(ran.exit_code, exit_code) << why;
    EXPECT_THAT(ran.err, HasSubstr(why));
    EXPECT_EQ(ran.out, "");
  };
  const auto mr = [](std::vector<std::string> more) {
    std::vector<std::string> words{"mr", "--detach", "-input", "/in", "-output", "/out", "-mapper", "cat"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  refused({"mr", "--detach", "-input", "/no", "-output", "/out", "-mapper", "cat"}, 1, "the input /no");
  refused({"mr", "--detach", "-input", "/in", "-output", "/in", "-mapper", "cat"}, 1,
          "the output /in exists");
  refused({"mr", "--detach", "-input", "/in", "-output", "/out"}, 2, "-mapper is missing");
  refused(mr({"-file", folder + "/none"}), 1, "-file: ");
  refused(mr({"--pool", "nowhere"}), 2, "there is no pool 'nowhere'");
  refused(mr({"--policy", "nonsense"}), 2, "nonsense");
  refused(mr({"--state-dir", folder + "/s"}), 2, "--state-dir and --detach exclude each other");
  refused(mr({"--summary", folder + "/s"}), 2, "--summary and --detach exclude each other");
  refused(mr({"-r", "local"}), 2, "-r local and --detach exclude each other");
  refused({"run", "--detach", "--resume", "--", "true"}, 2, "--resume and --detach exclude each other");
  refused({"run", "--detach"}, 2, "run needs COMMAND");
  refused({"run", "--detach", "--prefer", "nobody", "--", "true"}, 1, "no agent or rack has that name");
  EXPECT_EQ(job("list", {"--json"}).out, "[]\n");
  EXPECT_EQ(job("attach", {"d-0"}).exit_code, 1);
}

TEST(DetachingElsewhere, AClusterThatCannotDriveJobsSaysSo) {
  Cluster none(1, "", {{Kind("map"), 2}});
  const auto refused = none({"run", "--detach", "--", "true"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("takes no detached jobs"));
  Cluster small(1, "", {{Kind("map"), 1}}, true);
  const auto too_small = small({"run", "--detach", "--", "true"});
  EXPECT_EQ(too_small.exit_code, 1);
  EXPECT_THAT(too_small.err, HasSubstr("the cluster has 1 map slots"));
}

}  // namespace
}  // namespace proffer

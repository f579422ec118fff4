// Live runs with their agents on several machines: outposts of this one, and network namespaces.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "live/os/load.hpp"
#include "proffer/live/machines.hpp"
#include "tests/experiment_command/live_experiment.hpp"
#include "tests/experiment_command/results.hpp"

namespace proffer {
namespace {

namespace fs = std::filesystem;
using testing::csv_file;
using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kJobs;
using testing::LiveExperiment;
using testing::read_file;
using ::testing::SizeIs;

std::string mistake(const std::string& text) {
  const Folder folder;
  const auto read = live::read_machines(folder.file("m.toml", text));
  if (read) return "none";
  const auto& message = read.error().message;
  return message.substr(std::min(message.size(), folder.path().size() + 1));
}

TEST(Machines, TellsEachMistakeWithItsPlaceAndWhatToDo) {
  const std::string top = "address = \"127.0.0.1\"\n";
  const auto machine = [](const std::string& more) { return "[[machine]]\n" + more; };
  EXPECT_THAT(mistake("port = 1\n"), HasSubstr("m.toml:1:1: unknown key of a file of machines \"port\""));
  EXPECT_THAT(mistake("address = \"10.0.0.1:80:1\"\n"),
              HasSubstr("m.toml:1:11: address must be an address without"));
  EXPECT_THAT(mistake("machine = []\n"), HasSubstr("m.toml:1:1: address is missing"));
  EXPECT_THAT(mistake(top), HasSubstr("m.toml:1:1: there is no [[machine]]"));
  EXPECT_THAT(mistake(top + "machine = 3\n"), HasSubstr("m.toml:2:1: write [[machine]]"));
  EXPECT_THAT(mistake(top + machine("name = \"a\"\n")),
              HasSubstr("m.toml:2:1: a [[machine]] needs a name, and the"));
  EXPECT_THAT(mistake(top + machine("name = \"a\"\nadress = \"x\"\n")), HasSubstr("m.toml:4:1: "));
  const std::string a = machine("name = \"a\"\naddress = \"127.0.0.1\"\n");
  EXPECT_THAT(mistake(top + a + a), HasSubstr("m.toml:5:1: there are two machines called a"));
  EXPECT_THAT(mistake(top + a + "agents = 0\n"), HasSubstr("m.toml:5:10: agents must be"));
  EXPECT_THAT(mistake(top + a + "run = 3\n"),
              HasSubstr("m.toml:5:7: run must be a command such as \"ssh m1\""));
  EXPECT_THAT(mistake(top + a + "program = \"proffer\"\n"),
              HasSubstr("m.toml:5:11: program must be a whole path"));
  EXPECT_THAT(mistake(top + machine("name = \"run\"\naddress = \"127.0.0.1\"\n")),
              HasSubstr("choose another name"));
  EXPECT_THAT(mistake("address = \"10.0.0.1\"\n" + a),
              HasSubstr("say insecure = true if only people you trust can"));
  EXPECT_EQ(mistake("insecure = true\naddress = \"10.0.0.1\"\n" + a), "none");
  EXPECT_EQ(live::read_machines("/nowhere.toml").error().code, ErrorCode::not_found);
}

live::MachineList machines_with(const std::vector<std::optional<std::uint32_t>>& agents) {
  live::MachineList machines{"m.toml", "127.0.0.1", {}};
  for (const auto& count : agents) machines.all.push_back({"m", "127.0.0.1", {}, "", count});
  return machines;
}

TEST(Machines, DealsOutNodesInTheirOrder) {
  EXPECT_THAT(*live::deal_nodes(machines_with({2, 1}), 3), ElementsAre(0, 0, 1));
  EXPECT_THAT(*live::deal_nodes(machines_with({{}, 1, {}}), 4), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(*live::deal_nodes(machines_with({{}, {}, {}}), 2), ElementsAre(0, 1));
}

TEST(Machines, RefusesToDealMoreOrFewerThanThereAre) {
  const auto refusal = [](auto agents, std::size_t nodes) {
    return live::deal_nodes(machines_with(agents), nodes).error().message;
  };
  using Agents = std::vector<std::optional<std::uint32_t>>;
  EXPECT_THAT(refusal(Agents{2, 1}, 4),
              HasSubstr("its machines take 3 agents, and the experiment has 4 nodes"));
  EXPECT_THAT(refusal(Agents{2, 3}, 4), HasSubstr("its machines take 5 agents"));
  EXPECT_THAT(refusal(Agents{5, {}}, 4), HasSubstr("its machines take 5 agents"));
  EXPECT_THAT(refusal(Agents{1, {}}, 66), HasSubstr("65 agents are too many for the machine m"));
}

TEST(Load, IsReadAndReadsBackItsOwnLine) {
  const auto load = live::read_load();
  ASSERT_TRUE(load);
  EXPECT_GE(load->processors, 1u);
  EXPECT_GT(load->busy, 0u);
  EXPECT_LT(load->busy + load->stolen, load->all);
  const auto back = live::load_of(live::to_line(*load));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->all, load->all);
  EXPECT_EQ(back->busy, load->busy);
  EXPECT_NEAR(back->average, load->average, 0.006);
  EXPECT_EQ(live::load_of("0.5 2").error().code, ErrorCode::corrupt);
}

/// Outposts of this machine: what they start they find by their own standard input alone, as over ssh.
class Outposts : public LiveExperiment {
 protected:
  /// A file of two machines, of which the second is reached by `run`.
  std::string machines(const std::string& run) const {
    const std::string loopback = "address = \"127.0.0.1\"\n";
    return folder_.file("machines.toml", loopback + "[[machine]]\nname = \"m1\"\nagents = 2\n" + loopback +
                                             "[[machine]]\nname = \"m2\"\n" + loopback + "run = \"" + run +
                                             "\"\n");
  }
  testing::Ran sim(const std::string& machines, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"sim", file_, "--live", "--quiet", "--json", "--machines", machines};
    all.insert(all.end(), more.begin(), more.end());
    return testing::proffer(all);
  }
  /// A command that notes its process, which becomes the outpost.
  std::string noted() const {
    return "sh " + folder_.file("noted.sh", "echo $$ >" + folder_.path() + "/pid\nexec \"$@\"\n");
  }
  std::optional<pid_t> outpost() const {
    std::istringstream number(read_file(folder_.path() + "/pid"));
    pid_t pid = 0;
    return number >> pid ? std::optional(pid) : std::nullopt;
  }
  /// Starts a run that does not end, and returns once an outpost has a task.
  live::Child start_endless() const {
    auto run = testing::start_proffer(
        {"sim", file_, "--live", "--machines", machines(noted()), "--set", "workload.map_time=1h"}, log());
    EXPECT_TRUE(testing::eventually([&] { return task_runs_at_an_outpost(); }, std::chrono::seconds(30)));
    return run;
  }
  bool task_runs_at_an_outpost() const {
    const auto all = testing::processes_of(temporary() + "/proffer-outpost-");
    return std::any_of(all.begin(), all.end(),
                       [](const auto& process) { return process.find("proffer-worker") != process.npos; });
  }
  std::string log() const { return folder_.path() + "/log"; }
  bool all_ended() const {
    return testing::eventually([&] { return testing::processes_of(temporary()).empty(); },
                               std::chrono::seconds(20));
  }
};

TEST_F(Outposts, RunTheAgentsThatTheirMachineTakes) {
  const auto results = folder_.path() + "/live";
  const auto ran = testing::proffer(words({"-d", results, "--live", "--machines", machines("env A=b")}));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(csv_file(run_of("live") + "jobs.csv").rows, SizeIs(kJobs));
  EXPECT_THAT(read_file(run_of("live") + "summary.json"), HasSubstr("\"jobs.failed\": 0"));
  const auto rows = csv_file(run_of("live") + "machines.csv").rows;
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0], HasSubstr("run,,0,"));
  EXPECT_THAT(rows[1], HasSubstr("m1,127.0.0.1,2,"));
  EXPECT_THAT(rows[2], HasSubstr("m2,127.0.0.1,1,"));
  EXPECT_THAT(ran.out,
              HasSubstr("live: real processes on the machines of " + folder_.path() + "/machines.toml"));
  EXPECT_THAT(ran.out, HasSubstr("CLOCK GAINED"));
  EXPECT_THAT(read_file(run_of("live") + "manifest.json"), HasSubstr("machine m2, agents: 1, processors: "));
  EXPECT_THAT(left_behind(), IsEmpty());
}

/// A job that takes all slots for a while, so that something runs on a node when it dies.
TEST_F(Outposts, CarryOutFaults) {
  const auto ran = sim(
      machines("env A=b"),
      {"--set", "store.replication=3", "--set", "allocator.heartbeat=200ms", "--set",
       "workload.bins=[{ maps = 12, jobs = 1 }]", "--set", "workload.map_time=3s", "--set",
       "workload.arrivals=at-once", "--set",
       "cluster.faults=[{ at = \"1500ms\", kill = \"r1n1\", for = \"1s\" }, { at = \"4s\", cut = \"r3n1\", "
       "for = \"1500ms\" }]"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(testing::json_number(ran.out, "/measures/jobs.finished"), 1);
  EXPECT_GT(testing::json_number(ran.out, "/measures/tasks_unfinished"), 0) << "what ran on r1n1 is lost";
  EXPECT_THAT(left_behind(), IsEmpty());
}

TEST_F(Outposts, ThatCannotBeReachedEndTheRunWithTheReason) {
  const auto no_route = folder_.file("none.sh", "echo no route to host >&2; exit 255\n");
  const auto ran = sim(machines("sh " + no_route));
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("machine m2 cannot be reached: no route to host"));
  EXPECT_THAT(sim(machines("no-such-command m2")).err, HasSubstr("machine m2: cannot start no-such-command"));
  const auto other = sim(machines("sh " + folder_.file("other.sh", "echo outpost 0.0\ncat\n")));
  EXPECT_THAT(other.err, HasSubstr("machine m2 has proffer 0.0, and this is"));
  EXPECT_THAT(sim(machines("echo hello")).err, HasSubstr("machine m2 says \"hello "));
  EXPECT_TRUE(all_ended());
  EXPECT_THAT(left_behind(), IsEmpty());
}

TEST_F(Outposts, EndWithARunThatIsInterrupted) {
  auto run = start_endless();
  run.signal(SIGINT);
  const auto status = run.wait_exit(std::chrono::seconds(30));
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 1);
  EXPECT_TRUE(all_ended());
  EXPECT_THAT(left_behind(), IsEmpty());
}

/// The killed run leaves its own folder, and nothing else.
TEST_F(Outposts, EndWithARunThatIsKilled) {
  auto run = start_endless();
  run.signal(SIGKILL);
  EXPECT_TRUE(all_ended());
  const auto only_the_runs = [&] {
    const auto left = left_behind();
    return left.size() == 1 && left[0].find("proffer-live-") != std::string::npos;
  };
  EXPECT_TRUE(testing::eventually(only_the_runs, std::chrono::seconds(20)));
}

TEST_F(Outposts, ThatGoEndTheRunAndAllElse) {
  auto run = start_endless();
  const auto pid = outpost();
  ASSERT_TRUE(pid);
  ASSERT_GT(*pid, 1);
  ::kill(*pid, SIGKILL);
  const auto status = run.wait_exit(std::chrono::seconds(30));
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 1);
  EXPECT_THAT(read_file(log()), HasSubstr("machine m2 has gone"));
  EXPECT_TRUE(all_ended());
}

TEST_F(Outposts, AreForLiveRuns) {
  const auto simulated = testing::proffer({"sim", file_, "--machines", machines("env")});
  EXPECT_EQ(simulated.exit_code, 2);
  EXPECT_THAT(simulated.err, HasSubstr("--machines is for live runs; add --live"));
  const auto missing =
      testing::proffer({"sim", file_, "--live", "--machines", folder_.path() + "/none.toml"});
  EXPECT_THAT(missing.err, HasSubstr("none.toml"));
  EXPECT_NE(missing.exit_code, 0);
}

/// The fields of a line without quotes.
std::vector<std::string> fields(const std::string& row) {
  std::vector<std::string> all;
  std::istringstream in(row);
  for (std::string field; std::getline(in, field, ',');) all.push_back(field);
  return all;
}

TEST_F(LiveExperiment, RunsOnTwoNetworkNamespaces) {
  const std::string source = PROFFER_SOURCE_DIR;
  const std::string script = source + "/scripts/two-machines.sh";
  const auto tables = folder_.path() + "/tables";
  const auto ran = testing::run_program(
      {script, PROFFER_BIN_DIR "/proffer", "sim", source + "/examples/experiments/two-machines.toml",
       "--cell", "wait", "--live", "--scale-time", "0.1", "--quiet", "--json", "--tables", tables},
      std::chrono::seconds(90));
  if (ran.exit_code == 77) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(testing::json_number(ran.out, "/measures/jobs.finished"), 15);
  const auto rows = csv_file(tables + "/machines.csv").rows;
  ASSERT_THAT(rows, SizeIs(3));
  for (const auto* name : {"m1", "m2"}) {
    const auto row = fields(rows[name[1] - '0']);
    EXPECT_THAT(row, SizeIs(11));
    EXPECT_EQ(row[0], name);
    EXPECT_EQ(row[2], "4");
    // One clock after all: what is measured of its drift is the error alone.
    EXPECT_LE(std::abs(std::stod(row[5])), std::stod(row[6]));
    EXPECT_GT(std::stod(row[9]), 0) << "busy";
  }
  EXPECT_TRUE(testing::eventually([&] { return testing::processes_of(temporary()).empty(); },
                                  std::chrono::seconds(5)));
  EXPECT_THAT(left_behind(), IsEmpty()) << "also the script's folder";
}

}  // namespace
}  // namespace proffer

// Every daemon of a cluster is stopped in good order and started again, one after the other, while work runs.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::Ran;

/// A daemon of the cluster, in a folder of its own, which is started again with the same addresses.
class Daemon {
 public:
  Daemon(std::vector<std::string> words, std::string log)
      : words_(std::move(words)), log_(std::move(log)), child_(start()) {}

  /// Returns what its line of readiness says for a key, as in "endpoint=tcp://...".
  std::string value(const std::string& key) {
    std::istringstream words(ready_);
    for (std::string word; words >> word;) {
      if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
    }
    ADD_FAILURE() << words_.front() << " is not ready: " << testing::read_file(log_);
    return "";
  }
  /// Gives a flag another value for the starts to come.
  void set(const std::string& flag, const std::string& value) {
    *std::next(std::find(words_.begin(), words_.end(), flag)) = value;
  }
  /// Stops it in good order, and starts it again.
  void restart() {
    child_.signal(SIGTERM);
    EXPECT_EQ(child_.wait_exit(20s), std::optional(0)) << words_.front() << testing::read_file(log_);
    child_ = start();
  }

 private:
  live::Child start() {
    auto child = testing::start_proffer(words_, log_);
    if (auto line = child.read_line(20s)) ready_ = *line;
    return child;
  }

  std::vector<std::string> words_;
  std::string log_;
  std::string ready_;
  live::Child child_;
};

constexpr int kRestarted = 3;
const std::string kSomePort = "tcp://127.0.0.1:0";

/// An allocator, a catalog and three agents of two map slots and a reduce slot each.
class RollingRestart : public ::testing::Test {
 protected:
  RollingRestart() {
    allocator_.set("--frameworks-endpoint", endpoint_);
    allocator_.set("--agents-endpoint", agents_endpoint_);
    catalog_.set("--endpoint", catalog_endpoint_);
    for (int i = 1; i <= kRestarted; ++i) {
      const auto name = "n" + std::to_string(i);
      agents_.emplace_back(
          std::vector<std::string>{"agent", "--name", name, "--allocator", agents_endpoint_, "--work-dir",
                                   dir(name), "--slots", "map=2,reduce=1", "--end-with-parent"},
          dir(name) + "/../" + name + ".log");
    }
    EXPECT_TRUE(eventually([&] { return agents_up() == kRestarted; }, 30s));
  }
  std::string dir(const std::string& name) {
    const auto path = folder_.path() + "/" + name;
    std::filesystem::create_directories(path);
    return path;
  }
  Ran command(std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--allocator", endpoint_});
    return testing::proffer(words, 120s);
  }
  nlohmann::json status() {
    return nlohmann::json::parse(command({"status", "-o", "json"}).out, nullptr, false);
  }
  int agents_up() {
    const auto state = status();
    if (state.is_discarded()) return 0;
    const auto& agents = state.at("agents");
    return static_cast<int>(std::count_if(agents.begin(), agents.end(),
                                          [](const auto& agent) { return agent.at("reach") == "up"; }));
  }
  /// Restarts a daemon, and waits for the cluster to be whole again.
  void restart(Daemon& daemon) {
    daemon.restart();
    EXPECT_TRUE(eventually([&] { return agents_up() == kRestarted; }, 60s));
  }
  void restart_everything() {
    restart(allocator_);
    restart(catalog_);
    for (auto& agent : agents_) restart(agent);
  }

  testing::Folder folder_;
  Daemon catalog_{{"catalog", "--endpoint", kSomePort, "--state-dir", dir("catalog"), "--end-with-parent"},
                  folder_.path() + "/catalog.log"};
  std::string catalog_endpoint_ = catalog_.value("endpoint");
  Daemon allocator_{
      {"allocator", "--frameworks-endpoint", kSomePort, "--agents-endpoint", kSomePort, "--catalog-endpoint",
       catalog_endpoint_, "--state-dir", dir("allocator"), "--end-with-parent"},
      folder_.path() + "/allocator.log"};
  std::string endpoint_ = allocator_.value("frameworks");
  std::string agents_endpoint_ = allocator_.value("agents");
  std::vector<Daemon> agents_;
};

/// Each task notes its pid whenever it starts: a second note would be a second start.
TEST_F(RollingRestart, ThePidOfATaskBeforeIsItsPidAfter) {
  const auto starts = folder_.path() + "/starts";
  const auto gate = folder_.path() + "/gate";
  const auto log = folder_.path() + "/run.log";
  auto run = testing::start_proffer(
      {"run", "--allocator", endpoint_, "-n", "6", "--", "sh", "-c",
       "echo {} $$ >> " + starts + "; while [ ! -e " + gate + " ]; do sleep 0.05; done; echo done {}"},
      log);
  const auto lines = [&] {
    const auto text = testing::read_file(starts);
    return std::count(text.begin(), text.end(), '\n');
  };
  ASSERT_TRUE(eventually([&] { return lines() == 6; }, 30s));
  const auto before = testing::read_file(starts);
  restart_everything();
  EXPECT_EQ(testing::read_file(starts), before) << "nothing was started twice";
  std::istringstream tasks(before);
  for (std::string task, pid; tasks >> task >> pid;) {
    EXPECT_EQ(::kill(std::stoi(pid), 0), 0) << "task " << task << " runs no more";
  }
  folder_.file("gate", "");
  std::string out;
  while (auto line = run.read_line(60s)) out += *line + "\n";
  EXPECT_EQ(run.wait_exit(60s), std::optional(0)) << testing::read_file(log);
  for (int i = 0; i < 6; ++i) {
    EXPECT_THAT(out, ::testing::HasSubstr("done " + std::to_string(i) + "\n"));
  }
  EXPECT_EQ(testing::read_file(starts), before);
}

TEST_F(RollingRestart, TheOutputOfAJobIsThatOfOneThatNobodyDisturbed) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += "word" + std::to_string(i % 7) + " of many\n";
  const auto local = folder_.file("text", text);
  ASSERT_EQ(command({"put", "--block-size", "16KiB", "--replication", "2", local, "/text"}).exit_code, 0);
  const auto job = [&](const std::string& out, const std::string& pause) {
    return std::vector<std::string>{"mr",       "--allocator", endpoint_,
                                    "-input",   "/text",       "-output",
                                    out,        "-mapper",     "sleep " + pause + "; tr ' ' '\\n'",
                                    "-reducer", "uniq -c",     "-numReduceTasks",
                                    "2"};
  };
  ASSERT_EQ(testing::proffer(job("/reference", "0"), 120s).exit_code, 0);
  const auto log = folder_.path() + "/mr.log";
  auto disturbed = testing::start_proffer(job("/out", "2"), log);
  ASSERT_TRUE(eventually(
      [&] {
        return testing::json_number(command({"status", "-o", "json"}).out, "/frameworks/0/used/map") > 0;
      },
      30s));
  restart_everything();
  EXPECT_EQ(disturbed.wait_exit(180s), std::optional(0)) << testing::read_file(log);
  const auto reference = command({"cat", "/reference"}).out;
  EXPECT_NE(reference, "");
  EXPECT_EQ(command({"cat", "/out"}).out, reference);
}

}  // namespace
}  // namespace proffer

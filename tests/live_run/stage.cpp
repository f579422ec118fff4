#include "tests/live_run/stage.hpp"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "live/run/local_socket.hpp"
#include "live/run/run_folders.hpp"

namespace proffer::live::run_test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(20);

}  // namespace

Folder::Folder() {
  root_ = std::filesystem::temp_directory_path() / "proffer-run-XXXXXX";
  EXPECT_NE(::mkdtemp(root_.data()), nullptr);
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

bool lives(pid_t pid) {
  const auto stat = contents("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.at(name_end + 2) != 'Z';
}

bool eventually(const std::function<bool()>& holds) {
  for (const auto give_up = Clock::now() + kPatience; Clock::now() < give_up;) {
    if (holds()) return true;
    ::poll(nullptr, 0, 2);
  }
  return holds();
}

ExecutorConfig config_in(const Folder& folder) {
  ExecutorConfig config;
  config.dir = folder.path();
  config.sandboxes_dir = folder.path("sandboxes");
  config.blocks_dir = folder.path("blocks");
  config.outputs_dir = folder.path("outputs");
  config.worker_path = "/bin/true";
  config.launcher_path = std::string(PROFFER_BIN_DIR) + "/proffer-launcher";
  config.agent_name = "a1";
  config.agent = {Bits128{1, 2}};
  config.launcher_idle = std::chrono::seconds(1);
  for (const auto* dir : {"sandboxes", "blocks", "outputs"}) {
    std::filesystem::create_directory(folder.path(dir));
  }
  return config;
}

std::vector<pid_t> marked(const std::string& line) {
  std::vector<pid_t> found;
  std::error_code failure;
  for (std::filesystem::directory_iterator it("/proc", failure), end; !failure && it != end;
       it.increment(failure)) {
    const auto pid = std::atoi(it->path().filename().c_str());
    const auto all = "\n" + contents(it->path() / "environ");
    if (pid > 0 && all.find(line + std::string(1, '\0')) != std::string::npos) found.push_back(pid);
  }
  return found;
}

pid_t launcher_in(const std::string& folder) {
  const auto connection = connect_to(folder, kLauncherSocket);
  return connection ? listener_of(*connection) : -1;
}

void send_signal(pid_t pid, int signal) {
  ASSERT_GT(pid, 1);
  EXPECT_EQ(::kill(pid, signal), 0);
}

pid_t parent_of(pid_t pid) {
  const auto stat = contents("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  std::string state;
  pid_t parent = -1;
  fields >> state >> parent;
  return parent;
}

StartRun command(std::uint64_t n, std::vector<std::string> argv, Environment env) {
  StartRun run;
  run.launch = {1, n};
  run.framework = {Bits128{3, 4}};
  run.framework_name = "fw";
  run.task.id = {"t" + std::to_string(n)};
  run.task.work = std::make_shared<Work>(CommandWork{std::move(argv), std::move(env)});
  return run;
}

Stage::Stage(const std::function<void(ExecutorConfig&)>& change) {
  config_ = config_in(folder_);
  change(config_);
  open();
}

Stage::~Stage() {
  close();
  const auto ended = end_runs_in(config_.dir, std::string(PROFFER_BIN_DIR) + "/proffer-launcher");
  EXPECT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(contents(config_.dir + "/launcher.log"), "");
}

void Stage::open() {
  ++config_.run;
  events_.clear();
  exits_.clear();
  auto executor = Executor::start(config_);
  ASSERT_TRUE(executor) << executor.error().message;
  executor_ = std::move(*executor);
}

RunsListed Stage::listed() {
  const auto is_list = [](const Event& event) { return std::holds_alternative<RunsListed>(event); };
  EXPECT_TRUE(wait_until([&] { return !events_.empty(); })) << "no list";
  EXPECT_EQ(std::count_if(events_.begin(), events_.end(), is_list), 1);
  return events_.empty() ? RunsListed() : std::get<RunsListed>(events_.front());
}

void Stage::take() {
  for (auto& event : executor_->take_events()) {
    if (const auto* exited = std::get_if<RunExited>(&event)) {
      EXPECT_TRUE(exits_.emplace(exited->launch.n, *exited).second) << "a run ended twice";
    }
    if (const auto* list = std::get_if<RunsListed>(&event)) {
      for (const auto& ended : list->ended) exits_.emplace(ended.launch.n, ended);
    }
    if (const auto* probed = std::get_if<Probed>(&event)) probed_.push_back(probed->why);
    events_.push_back(std::move(event));
  }
}

bool Stage::wait_until(const std::function<bool()>& holds) {
  for (const auto give_up = Clock::now() + kPatience; Clock::now() < give_up;) {
    take();
    if (holds()) return true;
    // The event descriptor tells of ends and words; files we have to look at.
    pollfd wanted{executor_->event_fd(), POLLIN, 0};
    ::poll(&wanted, 1, 5);
  }
  return holds();
}

RunExited Stage::exit_of(std::uint64_t n) {
  EXPECT_TRUE(wait_until([&] { return ended(n); })) << "run " << n << " does not end";
  return exits_[n];
}

std::string Stage::probe() {
  const auto before = probed_.size();
  executor_->carry_out(Probe{});
  EXPECT_TRUE(wait_until([&] { return probed_.size() > before; })) << "the probe does not end";
  return probed_.size() > before ? probed_.back() : "no answer";
}

std::string Stage::first_line_of(std::uint64_t n) {
  EXPECT_TRUE(wait_until([&] { return out(n).find('\n') != std::string::npos; })) << "no line came";
  return out(n).substr(0, out(n).find('\n'));
}

std::vector<std::string> Stage::said_by(std::uint64_t n) const {
  std::vector<std::string> words;
  for (const auto& event : events_) {
    const auto* said = std::get_if<RunSaid>(&event);
    if (said && said->launch.n == n) words.push_back(said->payload);
  }
  return words;
}

bool Stage::started(std::uint64_t n) const {
  for (const auto& event : events_) {
    const auto* one = std::get_if<RunStarted>(&event);
    if (one && one->launch.n == n) return true;
  }
  return false;
}

}  // namespace proffer::live::run_test

#include "tests/live_run/stage.hpp"

#include <poll.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

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
  config.sandboxes_dir = folder.path("sandboxes");
  config.blocks_dir = folder.path("blocks");
  config.outputs_dir = folder.path("outputs");
  config.worker_path = "/bin/true";
  config.launcher_path = std::string(PROFFER_BIN_DIR) + "/proffer-launcher";
  config.agent_name = "a1";
  config.agent = {Bits128{1, 2}};
  for (const auto* dir : {"sandboxes", "blocks", "outputs"}) {
    std::filesystem::create_directory(folder.path(dir));
  }
  return config;
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
  auto config = config_in(folder_);
  change(config);
  auto executor = Executor::start(std::move(config));
  EXPECT_TRUE(executor) << executor.error().message;
  executor_ = std::move(*executor);
}

void Stage::take() {
  for (auto& event : executor_->take_events()) {
    if (const auto* exited = std::get_if<RunExited>(&event)) {
      EXPECT_TRUE(exits_.emplace(exited->launch.n, *exited).second) << "a run ended twice";
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

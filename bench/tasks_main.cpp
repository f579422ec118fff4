// Tasks a second on one agent: `/bin/true` through the executor and its launcher, each with a sandbox,
// captured output and everything else a task gets. Reference: a plain loop of posix_spawn and waitpid of the
// same program from this small process. The target is half of it.
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "bench/folder.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::bench {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kTasks = 2'000;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Programs a second.
double spawn_plainly() {
  const auto begin = std::chrono::steady_clock::now();
  std::string name = "/bin/true";
  for (std::uint64_t n = 0; n < kTasks; ++n) {
    char* const argv[] = {name.data(), nullptr};
    pid_t pid = -1;
    PROFFER_CHECK(::posix_spawn(&pid, name.c_str(), nullptr, nullptr, argv, ::environ) == 0, "no /bin/true");
    ::waitpid(pid, nullptr, 0);
  }
  return static_cast<double>(kTasks) / seconds_since(begin);
}

StartRun run(std::uint64_t n) {
  StartRun run;
  run.launch = {1, n};
  run.framework = {Bits128{1, 1}};
  run.framework_name = "bench";
  run.task.id = {"t" + std::to_string(n)};
  run.task.work = std::make_shared<Work>(CommandWork{{"/bin/true"}, {}});
  return run;
}

/// Tasks a second, `slots` of them at a time.
double execute(const live::ExecutorConfig& config, std::uint64_t slots) {
  auto executor = live::Executor::start(config);
  PROFFER_CHECK(executor.ok(), executor.error().message);
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t started = 0;
  std::uint64_t ended = 0;
  while (ended < kTasks) {
    for (; started < kTasks && started - ended < slots; ++started) (*executor)->carry_out(run(started));
    pollfd wanted{(*executor)->event_fd(), POLLIN, 0};
    ::poll(&wanted, 1, -1);
    for (const auto& event : (*executor)->take_events()) {
      const auto* exited = std::get_if<RunExited>(&event);
      if (exited == nullptr) continue;
      PROFFER_CHECK(exited->spawn_error.empty(), exited->spawn_error);
      PROFFER_CHECK(!exited->fault, exited->fault->why);
      (*executor)->carry_out(SettleRun{exited->launch});
      ++ended;
    }
  }
  const auto rate = static_cast<double>(kTasks) / seconds_since(begin);
  PROFFER_CHECK((*executor)->end_all().ok(), "the launcher does not end");
  return rate;
}

live::ExecutorConfig config_in(const std::string& folder) {
  live::ExecutorConfig config;
  config.dir = config.sandboxes_dir = folder;
  config.blocks_dir = config.outputs_dir = folder;
  config.launcher_path = fs::read_symlink("/proc/self/exe").parent_path() / "proffer-launcher";
  config.agent_name = "bench";
  return config;
}

int measure() {
  const Folder folder;
  const auto plain = spawn_plainly();
  fmt::print("{:>24} {:>9} {:>7}\n{:>24} {:>9.0f} {:>7}\n", "", "tasks/s", "ratio", "plain loop", plain,
             "1.00");
  for (const std::uint64_t slots : {1u, 4u, 16u}) {
    const auto below = folder.path(std::to_string(slots));
    fs::create_directory(below);
    const auto rate = execute(config_in(below), slots);
    fmt::print("{:>24} {:>9.0f} {:>7.2f}\n", fmt::format("executor, {} slots", slots), rate, rate / plain);
  }
  return 0;
}

}  // namespace
}  // namespace proffer::bench

int main() { return proffer::bench::measure(); }

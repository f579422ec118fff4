// A cluster whose disk is full to its last byte for a minute: what becomes of the tasks that run there, and
// how soon after that new ones do. All daemons have their folders on one small file system, which is mounted
// where this process alone sees it, and which something else fills again whenever a byte is free.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/folder.hpp"
#include "proffer/check.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/port.hpp"

namespace proffer::bench {
namespace {

using live::steady_now;

constexpr Duration kSecond = std::chrono::seconds(1);
constexpr Duration kFull = 60 * kSecond;
constexpr int kTasks = 16;

class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
    mounted_ = ::unshare(CLONE_NEWNS) == 0 &&
               ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("none", path_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=96m") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }
  const std::string& path() const { return path_; }
  /// Takes every byte that is left.
  void fill() const {
    const int fd = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string bytes(1 << 20, 'x');
    for (auto piece = bytes.size(); piece > 0;) {
      if (::write(fd, bytes.data(), piece) <= 0) piece /= 2;
    }
    ::close(fd);
  }
  void make_room() const { ::unlink(filler().c_str()); }

 private:
  std::string filler() const { return path_ + "/filler"; }

  std::string path_;
  bool mounted_ = false;
};

/// Returns the program that stands beside this one; to be asked for the first time before any file system is
/// mounted.
const std::string& program() {
  static const auto path =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "proffer").string();
  return path;
}

/// A cluster, and one framework whose tasks note each start and end in files of their own on another disk.
class Scene {
 public:
  Scene(const Folder& dir, const SmallDisk& disk) : dir_(dir) {
    std::filesystem::create_directories(dir.path("truth"));
    live::LocalClusterConfig config;
    config.proffer_path = program();
    config.dir = disk.path() + "/cluster";
    config.agents = live::even_agents(2, 1, {{Kind("map"), kTasks}});
    auto started = live::LocalCluster::start(std::move(config));
    PROFFER_CHECK(started.ok(), started.error().message);
    cluster_ = std::move(*started);
    const auto truth = dir.path("truth") + "/{}";
    const auto script = "echo start $$ >> " + truth + "; while [ ! -e " + dir.path("gate") +
                        ".$(({} / 8)) ]; do sleep 0.05; done; echo end $$ >> " + truth + "; exit $(({} % 3))";
    run_.emplace(begin({"-n", std::to_string(kTasks), "--", "sh", "-c", script}));
    wait_for("start", kTasks);
  }

  /// Lets the first or the last eight tasks end.
  void open_gate(int number) const { std::ofstream(dir_.path("gate." + std::to_string(number))); }
  /// Waits until so many tasks have noted that.
  void wait_for(const std::string& what, int count) const {
    const auto deadline = steady_now() + 60 * kSecond;
    while (noted(what) < count) {
      PROFFER_CHECK(steady_now() < deadline, "the tasks do not " + what);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  /// Returns whether a new framework's task runs and ends well now.
  bool runs_new_task() const {
    auto run = begin({"--kill-after", "10s", "--", "true"});
    return run.wait_exit(15 * kSecond) == std::optional(0);
  }
  /// Returns how many tasks did not start once and end once, or whose end was told wrongly, or not at all.
  int affected() {
    run_->wait_exit(30 * kSecond);
    std::ifstream log(dir_.path("log"));
    const std::string told{std::istreambuf_iterator<char>(log), {}};
    int count = 0;
    for (int i = 0; i < kTasks; ++i) {
      const auto at = told.find(fmt::format("task {} on ", i));
      const auto line = at == told.npos ? "" : told.substr(at, told.find('\n', at) - at);
      const auto end = i % 3 == 0 ? std::string("finished") : fmt::format("exit code {}", i % 3);
      count += line.find(end) == line.npos || !is_whole(i) ? 1 : 0;
    }
    return count;
  }
  bool daemons_live() const { return !cluster_->ended(); }

 private:
  live::Child begin(std::vector<std::string> words) const {
    const bool first = !run_;
    std::vector<std::string> argv{program(),     "run",
                                  "--allocator", cluster_->allocator_endpoint(),
                                  "--state-dir", dir_.path(first ? "state" : "state-of-new")};
    argv.insert(argv.end(), words.begin(), words.end());
    auto child = live::Child::start(argv, dir_.path(first ? "log" : "log-of-new"));
    PROFFER_CHECK(child.ok(), child.error().message);
    return std::move(*child);
  }
  std::string truth(int task) const {
    std::ifstream file(dir_.path("truth/" + std::to_string(task)));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int noted(const std::string& what) const {
    int count = 0;
    for (int i = 0; i < kTasks; ++i) count += truth(i).find(what) != std::string::npos ? 1 : 0;
    return count;
  }
  bool is_whole(int task) const {
    std::istringstream words(truth(task));
    std::string start;
    std::string end;
    int first = 0;
    int last = 0;
    words >> start >> first >> end >> last >> std::ws;
    return words.eof() && start == "start" && end == "end" && first == last;
  }

  const Folder& dir_;
  std::unique_ptr<live::LocalCluster> cluster_;
  std::optional<live::Child> run_;
};

int run() {
  PROFFER_CHECK(std::filesystem::exists(program()), "proffer is not beside this program");
  const Folder dir;
  const SmallDisk disk(dir.path("disk"));
  if (!disk.mounted()) {
    fmt::print(stderr, "this measurement mounts a small file system: run it as root\n");
    return 1;
  }
  Scene scene(dir, disk);
  disk.fill();
  const auto full_at = steady_now();
  int refused = 0;
  int taken = 0;
  for (bool half = false; steady_now() - full_at < kFull;) {
    disk.fill();  // whatever is freed, somebody takes
    (scene.runs_new_task() ? taken : refused) += 1;
    if (!half && steady_now() - full_at > kFull / 2) {
      half = true;
      scene.open_gate(0);
      scene.wait_for("end", kTasks / 2);
    }
  }
  PROFFER_CHECK(scene.daemons_live(), "a daemon has ended");
  disk.make_room();
  const auto room_at = steady_now();
  while (!scene.runs_new_task()) PROFFER_CHECK(steady_now() - room_at < kFull, "it does not come back");
  const auto back_after = std::chrono::duration<double>(steady_now() - room_at).count();
  scene.open_gate(1);
  fmt::print("{} tasks ran on a disk that was full for {} s, half of them ended meanwhile: {} affected\n",
             kTasks, kFull / kSecond, scene.affected());
  fmt::print("new tasks meanwhile: {} refused, {} run; the first after there was room again: {:.2f} s\n",
             refused, taken, back_after);
  return 0;
}

}  // namespace
}  // namespace proffer::bench

int main() { return proffer::bench::run(); }

// Tasks and statuses a second through one agent daemon, from LAUNCH to the acknowledgement of each status:
// `/bin/true`, in a work_dir in the folder of temporary files (or in the one that is named), with the agent's
// records in memory, where a sync costs nothing, and on that disk. The ratio is what durable statuses cost;
// the target is 0.6.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "bench/folder.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/daemons.hpp"
#include "proffer/live/port.hpp"

namespace proffer::bench {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kTasks = 2'000;
constexpr std::uint64_t kWarmUp = 50;

/// An agent in a process of its own, which was forked while this one had one thread.
class AgentProcess {
 public:
  AgentProcess(const std::string& work_dir, std::int64_t slots) {
    PROFFER_CHECK(::pipe(place_.data()) == 0, "no pipe");
    pid_ = ::fork();
    PROFFER_CHECK(pid_ >= 0, "no process");
    if (pid_ == 0) be(work_dir, slots);
    ::close(place_[0]);
  }
  ~AgentProcess() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  AgentProcess(const AgentProcess&) = delete;
  AgentProcess& operator=(const AgentProcess&) = delete;

  void begin(const std::string& allocator) {
    const auto line = allocator + "\n";
    const auto written = ::write(place_[1], line.data(), line.size());
    PROFFER_CHECK(written == static_cast<ssize_t>(line.size()), "the agent has ended");
    ::close(place_[1]);
  }

 private:
  [[noreturn]] void be(const std::string& work_dir, std::int64_t slots) {
    ::close(place_[1]);
    AgentSettings settings;
    for (char c = 0; ::read(place_[0], &c, 1) == 1 && c != '\n';) address_ += c;
    settings.allocator = address_;
    settings.agent.name = "bench";
    settings.agent.slots.set(Kind("map"), slots);
    settings.work_dir = work_dir;
    settings.kill_tasks_at_stop = true;
    live::Stop stop;
    stop.on_signals();
    const auto ended = live::run_agent(settings, stop, [](const std::string&) {});
    if (!ended) fmt::print(stderr, "{}\n", ended.error().message);
    ::_exit(ended.ok() ? 0 : 1);
  }

  pid_t pid_ = -1;
  std::array<int, 2> place_{};
  std::string address_;
};

struct Figures {
  double tasks = 0;  // a second
  double statuses = 0;
};

/// An allocator that does nothing but launch as soon as a slot is free.
class Launcher {
 public:
  explicit Launcher(std::uint64_t slots) : slots_(slots) {}
  const std::string& endpoint() const { return port_->endpoint(); }

  Figures measure() {
    auto began = std::chrono::steady_clock::now();
    std::uint64_t statuses_before = 0;
    while (ended_ < kWarmUp + kTasks) {
      port_->flush();
      live::Poller poller;
      poller.wait({{port_.get(), -1}}, std::chrono::seconds(1));
      while (const auto frame = port_->receive()) hear(*frame);
      if (ended_ >= kWarmUp && statuses_before == 0) {
        began = std::chrono::steady_clock::now();
        statuses_before = statuses_;
      }
    }
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return {static_cast<double>(kTasks) / seconds,
            static_cast<double>(statuses_ - statuses_before) / seconds};
  }

 private:
  void hear(const live::PortFrame& frame) {
    peer_ = frame.peer;
    const auto envelope = decode(frame.bytes);
    PROFFER_CHECK(envelope.ok(), envelope.error().message);
    if (std::holds_alternative<Register>(envelope->message)) {
      say(Registered{{{1, 1}}, std::chrono::seconds(1), {}, {}, {}, 1});
      for (std::uint64_t n = 0; n < slots_; ++n) launch();
    }
    if (const auto* told = std::get_if<Status>(&envelope->message)) hear(told->status);
  }
  void hear(const TaskStatus& status) {
    say(Acknowledge{status.framework, status.task, status.seq});
    if (status.seq <= seqs_[status.task.value]) return;  // sent again
    seqs_[status.task.value] = status.seq;
    ++statuses_;
    if (!is_terminal(status.state)) return;
    PROFFER_CHECK(status.state == TaskState::finished, status.message);
    ++ended_;
    launch();
  }
  void launch() {
    Launch launch;
    launch.launch = {1, ++launched_};
    launch.framework = {Bits128{1, 2}};
    launch.framework_name = "bench";
    launch.task.id = {"t" + std::to_string(launched_)};
    launch.task.resources.set(Kind("map"), 1);
    launch.task.work = std::make_shared<const Work>(CommandWork{{"/bin/true"}, {}});
    say(std::move(launch));
  }
  void say(Message message) {
    std::string frame;
    encode({{{1, 2}}, {1}, {3}, ++seq_, std::move(message)}, frame);
    PROFFER_CHECK(port_->send(peer_, std::move(frame)) == live::Sent::yes, "the agent has gone");
  }

  live::Context context_;
  std::unique_ptr<live::BoundPort> port_ = live::BoundPort::bind(context_, "tcp://127.0.0.1:0").value();
  PeerId peer_;
  std::uint64_t slots_;
  std::uint64_t seq_ = 0;
  std::uint64_t launched_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t statuses_ = 0;
  std::map<std::string, std::uint64_t> seqs_;
};

Figures measure_in(const std::string& disk, bool durable, std::uint64_t slots) {
  constexpr const char* kRecords = "/agent.sqlite";
  const Folder work_dir(disk);
  const Folder memory("/dev/shm");
  if (!durable) {
    std::ofstream(memory.path() + kRecords).flush();
    fs::create_symlink(memory.path() + kRecords, work_dir.path() + kRecords);
  }
  AgentProcess agent(work_dir.path(), static_cast<std::int64_t>(slots));
  Launcher launcher(slots);
  agent.begin(launcher.endpoint());
  return launcher.measure();
}

int measure(const std::string& disk) {
  fmt::print("{:>30} {:>9} {:>11} {:>7}\n", "records", "tasks/s", "statuses/s", "ratio");
  for (const std::uint64_t slots : {1u, 4u, 16u}) {
    const auto memory = measure_in(disk, false, slots);
    const auto durable = measure_in(disk, true, slots);
    const auto print = [&](const std::string& where, const Figures& figures) {
      fmt::print("{:>30} {:>9.0f} {:>11.0f} {:>7.2f}\n", fmt::format("{}, {} slots", where, slots),
                 figures.tasks, figures.statuses, figures.tasks / memory.tasks);
    };
    print("in memory", memory);
    print("on disk", durable);
  }
  return 0;
}

}  // namespace
}  // namespace proffer::bench

int main(int count, char** values) {
  return proffer::bench::measure(count > 1 ? values[1] : std::filesystem::temp_directory_path().string());
}

// An allocator that is killed and started again: the time until a framework has its next offer. The allocator
// is a real process on a folder; the agents' machines are driven here, over a connection each, and run tasks
// that only exist in name. They have free slots, and the framework waits for some all the while.
//
//   bench-recovery                      100 kills with 100 agents and 1,000 tasks, then 5 with 5,000, 50,000
//   bench-recovery KILLS AGENTS TASKS
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bench/folder.hpp"
#include "proffer/agent/agent.hpp"
#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/framework_host.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/port.hpp"

namespace proffer::bench {
namespace {

using live::steady_now;

constexpr Duration kSecond = std::chrono::seconds(1);
constexpr Duration kLook = std::chrono::milliseconds(1);
/// The broken connection tells of the allocator's end. One that has not enough of a processor while thousands
/// of agents begin is not to be given up for its silence.
constexpr Duration kPatience = 60 * kSecond;
constexpr int kAgentsPerProcess = 500;
constexpr int kStarting = 512;  // tasks at a time: their statuses have to fit into a queue of 1024 messages
const Kind kMap("map");

struct Size {
  int kills = 0;
  int agents = 0;
  int tasks = 0;  // a multiple of agents: all have the same number, and a tenth more slots
  int slots() const { return tasks / agents + std::max(1, tasks / agents / 10); }
};

/// An agent's machine on a connection of its own. Its runs begin at once, and never end.
class AgentWorld {
 public:
  AgentWorld(live::Context& context, const std::string& allocator, const Size& size, int number)
      : port_(live::ConnectedPort::connect(context, allocator).value()),
        agent_(config(size, number), {}, Random(static_cast<std::uint64_t>(number))) {
    step(RunsListed{});
  }

  live::Port* port() { return port_.get(); }
  std::optional<Time> next_deadline() const { return agent_.next_deadline(); }

  void turn() {
    port_->flush();
    while (const auto frame = port_->receive()) {
      auto envelope = decode(frame->bytes);
      PROFFER_CHECK(envelope.ok(), "the allocator sent what is no message");
      step(MessageReceived{kAllocatorPeer, std::move(*envelope)});
    }
    if (port_->take_lost()) step(PeerLost{kAllocatorPeer});
    if (const auto due = agent_.next_deadline(); due && *due <= steady_now()) step(TimePassed{});
  }

 private:
  static AgentConfig config(const Size& size, int number) {
    AgentConfig config;
    config.name = fmt::format("a{}", number);
    config.slots.set(kMap, size.slots());
    config.boot = "bench";
    config.allocator_silent_after = kPatience;
    return config;
  }
  void step(const Event& event) {
    Actions actions;
    agent_.step(event, actions, steady_now());
    for (auto& action : actions) {
      if (auto* send = std::get_if<Send>(&action)) {
        std::string frame;
        encode(send->envelope, frame);
        static_cast<void>(port_->send({}, std::move(frame)));
      } else if (const auto* start = std::get_if<StartRun>(&action)) {
        step(RunStarted{start->launch});
      }
    }
  }

  std::unique_ptr<live::ConnectedPort> port_;
  Agent agent_;
};

/// Some agents, in a process of their own that was forked while this one had one thread.
class AgentsProcess {
 public:
  AgentsProcess(const std::string& allocator, const Size& size, int first, int behind) {
    std::array<int, 2> ends{};
    PROFFER_CHECK(::pipe(ends.data()) == 0, "no pipe");
    pid_ = ::fork();
    PROFFER_CHECK(pid_ >= 0, "no process");
    if (pid_ == 0) be(ends, allocator, size, first, behind);
    ::close(ends[0]);
    begin_ = ends[1];
  }
  ~AgentsProcess() {
    ::close(begin_);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  AgentsProcess(const AgentsProcess&) = delete;
  AgentsProcess& operator=(const AgentsProcess&) = delete;

  /// Lets them connect.
  void begin() const { PROFFER_CHECK(::write(begin_, "\n", 1) == 1, "the agents have ended"); }

 private:
  [[noreturn]] static void be(const std::array<int, 2>& ends, const std::string& allocator, const Size& size,
                              int first, int behind) {
    const auto parent = ::getppid();
    ::close(ends[1]);
    if (char line = 0; ::read(ends[0], &line, 1) != 1) ::_exit(0);
    live::Context context;
    std::vector<std::unique_ptr<AgentWorld>> agents;
    std::vector<live::Poller::Wanted> wanted;
    for (int i = first; i < behind; ++i) {
      agents.push_back(std::make_unique<AgentWorld>(context, allocator, size, i));
      wanted.push_back({agents.back()->port(), -1});
    }
    while (::getppid() == parent) {
      auto due = steady_now() + kSecond;
      for (const auto& agent : agents) due = std::min(due, agent->next_deadline().value_or(due));
      live::Poller().wait(wanted, std::max(due - steady_now(), Duration::zero()));
      for (const auto& agent : agents) agent->turn();
    }
    ::_exit(0);
  }

  pid_t pid_ = -1;
  int begin_ = -1;
};

/// Launches its tasks, as many on each agent and not too many at once, and then declines whatever it is
/// offered, noting when.
class Waiting final : public Scheduler {
 public:
  explicit Waiting(int tasks_per_agent) : per_agent_(tasks_per_agent) {}

  void resource_offers(Driver& driver, const Offers& offers) override {
    auto none = Time{};
    first_offers_.compare_exchange_strong(none, steady_now());
    offers_.insert(offers_.end(), offers.offers.begin(), offers.offers.end());
    answer(driver);
  }
  void status_update(Driver& driver, const TaskStatus& status) override {
    if (is_terminal(status.state)) try_again(driver, status);
    if (status.state == TaskState::running) seen_running_.insert(status.task);  // it may be told again
    running_ = static_cast<int>(seen_running_.size());
    starting_.erase(status.task);
    answer(driver);
  }

  std::optional<Time> next_deadline() const override { return ask_at_; }
  void deadline(Driver& driver) override {
    ask_at_.reset();
    driver.revive();
  }

  /// Returns when offers came for the first time since forget_offers(); the epoch of time when none did.
  Time first_offers() const { return first_offers_; }
  void forget_offers() { first_offers_ = Time{}; }
  /// Returns how many tasks have ended that had run.
  int ended() const { return ended_; }
  int running() const { return running_; }

 private:
  void answer(Driver& driver) {
    for (; !offers_.empty() && std::ssize(starting_) < kStarting; offers_.pop_front()) {
      const auto& offer = offers_.front();
      auto& here = on_agents_[offer.agent.id];
      std::vector<TaskSpec> tasks;
      for (; here < per_agent_ && std::ssize(tasks) < offer.resources[kMap]; ++here) {
        tasks.push_back(task(offer.agent.id));
      }
      if (tasks.empty()) {
        driver.decline(offer.id, DeclineReason::other, {});
      } else {
        driver.accept({offer.id}, std::move(tasks), DeclineReason::other, {});
      }
    }
  }
  TaskSpec task(AgentId agent) {
    TaskSpec task;
    task.id = {fmt::format("t{}", ++launched_)};
    task.resources.set(kMap, 1);
    task.work = work_;
    launched_on_[task.id] = agent;
    starting_.insert(task.id);
    return task;
  }
  /// An offer that was taken back meanwhile costs the tasks that were to run on it.
  void try_again(Driver& driver, const TaskStatus& status) {
    ended_ += static_cast<int>(seen_running_.erase(status.task));
    --on_agents_[launched_on_[status.task]];
    if (!ask_at_) ask_at_ = driver.now() + kSecond;
  }

  int per_agent_;
  int launched_ = 0;
  std::map<AgentId, int> on_agents_;
  std::map<TaskId, AgentId> launched_on_;
  std::deque<Offer> offers_;  // not answered yet
  std::set<TaskId> starting_;
  std::optional<Time> ask_at_;
  std::shared_ptr<const Work> work_ = std::make_shared<Work>(CommandWork{{"true"}, {}});
  std::atomic<Time> first_offers_{Time{}};
  std::atomic<int> ended_{0};
  std::set<TaskId> seen_running_;
  std::atomic<int> running_{0};
};

/// The framework, in a thread.
class FrameworkThread {
 public:
  FrameworkThread(live::Context& context, const std::string& allocator, Scheduler& scheduler) {
    config_.framework.name = "bench";
    config_.framework.allocator_silent_after = kPatience;
    config_.allocator = allocator;
    thread_ = std::thread([&] {
      const auto ended = live::run_framework(context, config_, scheduler, stop_);
      PROFFER_CHECK(ended.ok(), ended.error().message);
    });
  }
  ~FrameworkThread() {
    stop_.request();
    thread_.join();
  }
  FrameworkThread(const FrameworkThread&) = delete;
  FrameworkThread& operator=(const FrameworkThread&) = delete;

 private:
  live::FrameworkHostConfig config_;
  live::Stop stop_;
  std::thread thread_;
};

/// The allocator's process, which is killed and started again with the same folder and addresses.
class AllocatorProcess {
 public:
  explicit AllocatorProcess(std::string dir) : dir_(std::move(dir)), process_(start()) { wait_until_ready(); }
  const std::string& frameworks() const { return frameworks_; }
  const std::string& agents() const { return agents_; }

  /// Kills it, and starts it again at once. Returns when it was killed.
  Time kill() {
    const auto killed_at = steady_now();
    process_.signal(SIGKILL);
    PROFFER_CHECK(process_.wait_exit(10 * kSecond).has_value(), "it does not end");
    process_ = start();
    return killed_at;
  }
  /// Returns when it listens.
  Time wait_until_ready() {
    const auto line = process_.read_line(60 * kSecond);
    PROFFER_CHECK(line.ok(), "the allocator does not start");
    frameworks_ = value(*line, "frameworks=");
    agents_ = value(*line, "agents=");
    return steady_now();
  }

 private:
  live::Child start() const {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "proffer";
    auto child = live::Child::start(
        {program.string(), "allocator", "--state-dir", dir_ + "/allocator", "--frameworks-endpoint",
         frameworks_, "--agents-endpoint", agents_, "--end-with-parent"},
        dir_ + "/log");
    PROFFER_CHECK(child.ok(), child.error().message);
    return std::move(*child);
  }
  static std::string value(const std::string& line, const std::string& key) {
    const auto at = line.find(key) + key.size();
    return line.substr(at, line.find(' ', at) - at);
  }

  std::string dir_;
  std::string frameworks_ = "tcp://127.0.0.1:0";
  std::string agents_ = "tcp://127.0.0.1:0";
  live::Child process_;
};

/// Looks every so often, until it holds.
template <class Holds>
void wait_until(const char* what, Duration every, Holds holds) {
  const auto deadline = steady_now() + 300 * kSecond;
  while (!holds()) {
    PROFFER_CHECK(steady_now() < deadline, what);
    std::this_thread::sleep_for(every);
  }
}

/// Returns whether an allocator has all agents and tasks.
bool is_whole(live::Context& context, const AllocatorProcess& allocator, const Size& size) {
  const auto state = live::describe(context, allocator.frameworks(), 60 * kSecond);
  if (!state || std::ssize(state->agents) != size.agents || state->agents_back != state->agents_known)
    return false;
  std::int64_t used = 0;
  for (const auto& agent : state->agents) used += agent.used[kMap];
  return used == size.tasks;
}

void print(const char* what, std::vector<Duration> times) {
  std::sort(times.begin(), times.end());
  const auto ms = [&](std::size_t percent) {
    const auto at = (times.size() * percent + 99) / 100 - 1;
    return std::chrono::duration<double, std::milli>(times[at]).count();
  };
  fmt::print("{:>40} {:9.0f} {:9.0f} {:9.0f}\n", what, ms(50), ms(99), ms(100));
}

/// Waits until the allocator has all agents and tasks. It is asked now and then, since the answer is long.
void wait_until_whole(live::Context& context, const AllocatorProcess& allocator, const Size& size) {
  const auto every = std::chrono::milliseconds(size.agents);
  wait_until("all tasks to be known", every, [&] { return is_whole(context, allocator, size); });
}

void run(const Size& size) {
  const Folder dir;
  AllocatorProcess allocator(dir.path());
  std::deque<AgentsProcess> agents;  // before there are threads
  for (int first = 0; first < size.agents; first += kAgentsPerProcess) {
    agents.emplace_back(allocator.agents(), size, first, std::min(size.agents, first + kAgentsPerProcess));
  }
  live::Context context;
  Waiting scheduler(size.tasks / size.agents);
  const FrameworkThread framework(context, allocator.frameworks(), scheduler);
  for (int known = 0; const auto& some : agents) {
    some.begin();
    known = std::min(size.agents, known + kAgentsPerProcess);
    // One after the other: a framework can have 4096 offers.
    wait_until("tasks to run", kLook,
               [&] { return scheduler.running() == size.tasks / size.agents * known; });
  }
  std::vector<Duration> from_kill;
  std::vector<Duration> from_ready;
  for (int i = 0; i < size.kills; ++i) {
    wait_until_whole(context, allocator, size);
    const auto killed_at = allocator.kill();
    scheduler.forget_offers();
    const auto ready_at = allocator.wait_until_ready();
    wait_until("an offer", kLook, [&] { return scheduler.first_offers() != Time{}; });
    const auto offered_at = scheduler.first_offers();
    from_kill.push_back(offered_at - killed_at);
    from_ready.push_back(offered_at - ready_at);
  }
  fmt::print("{} agents, {} tasks, {} kills\n", size.agents, size.tasks, size.kills);
  fmt::print("{:>40} {:>9} {:>9} {:>9}\n", "", "p50 ms", "p99 ms", "most ms");
  print("from the kill to the first offers", from_kill);
  print("from the allocator's start to these", from_ready);
  wait_until_whole(context, allocator, size);
  fmt::print("{:>40} {:9}\n", "tasks that ended", scheduler.ended());
}

int number(const char* text) {
  const std::string_view word(text);
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  PROFFER_CHECK(error == std::errc{} && end == word.data() + word.size() && value > 0, "no number above 0");
  return value;
}

}  // namespace
}  // namespace proffer::bench

int main(int argc, char** argv) {
  using namespace proffer::bench;
  if (argc == 4) {
    const Size size{number(argv[1]), number(argv[2]), number(argv[3])};
    PROFFER_CHECK(size.tasks % size.agents == 0, "TASKS is no multiple of AGENTS");
    run(size);
  } else if (argc == 1) {
    run({100, 100, 1000});
    run({5, 5000, 50000});
  } else {
    fmt::print(stderr, "usage: {} [KILLS AGENTS TASKS]\n", argv[0]);
    return 2;
  }
}

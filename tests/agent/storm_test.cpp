// A seeded storm over the agent: servers that restart, messages that are lost, doubled and late, processes
// that fail, linger and ignore signals, disks that change. Then calm, in which everything must come right.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "proffer/agent/agent.hpp"
#include "tests/agent/storm_servers.hpp"
#include "tests/reads_back.hpp"

namespace proffer::agent_test {
namespace {

using std::chrono::milliseconds;

const Kind kMap{"map"};
constexpr std::int64_t kSlots = 4;

struct Process {
  Resources resources;
  bool deaf = false;  // to SIGTERM
};

class Storm {
 public:
  explicit Storm(std::uint64_t seed) : random_(seed), agent_(config(), {{BlockId{1}, 5}}, Random(seed + 1)) {
    disk_[BlockId{1}] = 5;
    loss_ = random_.below(30);
    doubled_ = random_.below(20);
    latest_ms_ = 1 + random_.below(500);
  }

  void rage(int turns) {
    for (int i = 0; i < turns && !::testing::Test::HasFatalFailure(); ++i) {
      disturb();
      advance(milliseconds(random_.below(400)));
    }
  }

  void calm_down() {
    loss_ = doubled_ = 0;
    latest_ms_ = 1;
    for (auto& [id, task] : allocator_.tasks) task.kill = true;  // some run until they are killed
    for (int i = 0; i < 400; ++i) {
      // A change that was lost shows with the next one.
      if (i == 200) store(BlockId{99});
      advance(milliseconds(500));
    }
  }

  void expect_all_right() {
    EXPECT_TRUE(agent_.registered());
    EXPECT_TRUE(allocator_.settled());
    EXPECT_TRUE(processes_.empty());
    for (const auto& [id, task] : allocator_.tasks) {
      EXPECT_EQ(task.end == TaskState::finished || task.end == TaskState::failed ||
                    (task.end == TaskState::killed && started_.contains(id)),
                started_.contains(id))
          << "launch " << id.n << " ended as one that " << (started_.contains(id) ? "never" : "has")
          << " run";
    }
    EXPECT_EQ(catalog_.blocks, disk_);
    EXPECT_EQ(allocator_.trouble, "");
  }

  /// In calm, nothing but heartbeats flows.
  void expect_quiet() {
    noise_.clear();
    for (int i = 0; i < 120; ++i) advance(milliseconds(500));
    EXPECT_EQ(noise_, std::set<std::string>{});
  }

 private:
  static AgentConfig config() {
    AgentConfig config;
    config.name = "a1";
    config.data_endpoint = "tcp://h:1";
    config.slots = Resources{{kMap, kSlots}};
    return config;
  }

  // ---- time ----

  void after(std::uint64_t at_most_ms, Event event) {
    events_.emplace(now_ + milliseconds(1 + random_.below(at_most_ms)), std::move(event));
  }

  void advance(Duration time) {
    const auto end = now_ + time;
    if (now_ >= next_insist_) {
      allocator_.insist();
      catalog_.insist();
      next_insist_ = now_ + std::chrono::seconds(1);
    }
    post(allocator_, kAllocatorPeer);
    post(catalog_, kCatalogPeer);
    for (;;) {
      auto next = agent_.next_deadline();
      if (!events_.empty()) next = earlier(next, events_.begin()->first);
      if (!next || *next > end) break;
      now_ = std::max(now_, *next);
      if (!events_.empty() && events_.begin()->first <= now_) {
        auto node = events_.extract(events_.begin());
        happen(node.mapped());
      } else {
        step(TimePassed{});
      }
    }
    now_ = end;
  }

  void happen(const Event& event) {
    if (const auto* exited = std::get_if<RunExited>(&event)) {
      if (processes_.erase(exited->launch) == 0) return;  // it has ended earlier, another way
    }
    if (const auto* started = std::get_if<RunStarted>(&event)) {
      if (!processes_.contains(started->launch)) return;
    }
    step(event);
  }

  void step(const Event& event) {
    Actions actions;
    agent_.step(event, actions, now_);
    agent_.check_invariants();
    expect_reads_back(actions, event);
    for (const auto& action : actions) carry_out(action);
    post(allocator_, kAllocatorPeer);
    post(catalog_, kCatalogPeer);
  }

  /// Servers' words on their way to the agent.
  void post(StormServer& server, PeerId from) {
    for (; !server.out.empty(); server.out.pop_front()) {
      int copies = random_.below(100) < loss_ ? 0 : 1;
      if (random_.below(100) < doubled_) ++copies;
      for (; copies > 0; --copies) after(latest_ms_, MessageReceived{from, server.out.front()});
    }
  }

  // ---- what the agent does ----

  void carry_out(const Action& action) {
    if (const auto* message = std::get_if<Send>(&action)) return send(*message);
    if (const auto* run = std::get_if<StartRun>(&action)) return start(*run);
    if (const auto* signal = std::get_if<SignalRun>(&action)) return deliver(*signal);
    if (std::holds_alternative<Probe>(action)) {
      return after(100, Probed{loss_ > 0 && random_.below(3) == 0 ? "no disk" : ""});
    }
    if (const auto* drop = std::get_if<DropBlock>(&action)) {
      disk_.erase(drop->block);
      after(50, BlockVanished{drop->block});
    }
  }

  void send(const Send& message) {
    if (!std::holds_alternative<Heartbeat>(message.envelope.message)) {
      noise_.insert(std::string(type_name(message.envelope.message)));
    }
    int copies = random_.below(100) < loss_ ? 0 : 1;
    if (random_.below(100) < doubled_) ++copies;
    for (; copies > 0; --copies) {
      if (message.peer == kAllocatorPeer) allocator_.receive(message.envelope, random_);
      if (message.peer == kCatalogPeer) catalog_.receive(message.envelope, random_);
    }
  }

  void start(const StartRun& run) {
    ASSERT_TRUE(started_.insert(run.launch).second) << "launch " << run.launch.n << " was started twice";
    ASSERT_TRUE(tasks_.insert(run.task.id).second) << run.task.id.value << " was started twice";
    auto sum = run.task.resources;
    for (const auto& [launch, process] : processes_) sum += process.resources;
    ASSERT_LE(sum[kMap], kSlots);
    processes_[run.launch] = {run.task.resources, random_.below(4) == 0};
    const auto luck = random_.below(10);
    if (luck == 0) return after(100, RunExited{run.launch, {}, nullptr, "no such program"});
    RunExited end{run.launch, {luck == 2 ? 3 : 0, luck == 3 ? 11 : 0}, nullptr, ""};
    if (luck == 4) end.fault = AgentFault{AgentFault::What::start, "no process"};
    if (luck == 5) end.fault = AgentFault{AgentFault::What::output, "no disk"};
    if (luck == 4) return after(100, std::move(end));
    after(20, RunStarted{run.launch});
    if (luck == 1) return;  // it runs until it is killed
    after(5000, std::move(end));
  }

  void deliver(const SignalRun& signal) {
    const auto process = processes_.find(signal.launch);
    if (process == processes_.end()) return;
    const bool kills = signal.signal == RunSignal::kill;
    if (!kills && process->second.deaf) return;
    after(20, RunExited{signal.launch, {0, kills ? 9 : 15}, nullptr, ""});
  }

  // ---- what happens to it ----

  void disturb() {
    switch (random_.below(14)) {
      case 0:
        if (random_.below(5) == 0) allocator_.restart();
        break;
      case 1:
        if (random_.below(5) == 0) catalog_.restart();
        break;
      case 2:
        after(10, PeerLost{random_.below(2) == 0 ? kAllocatorPeer : kCatalogPeer});
        break;
      case 3:
        if (random_.below(3) == 0) now_ += std::chrono::seconds(random_.below(20));  // SIGSTOP
        break;
      case 4:
      case 5:
        kill_one();
        break;
      case 6:
      case 7:
        change_disk();
        break;
      default:
        launch_one();
    }
  }

  void launch_one() {
    Launch launch;
    launch.launch = {1, ++launches_};
    launch.framework = {Bits128{9, 9}};
    launch.framework_name = "wc";
    launch.task.id = {"t" + std::to_string(launches_)};
    launch.task.resources = Resources{{kMap, 1 + static_cast<std::int64_t>(random_.below(3))}};
    launch.task.work = std::make_shared<Work>(CommandWork{{"true"}, {}});
    auto& task = allocator_.tasks[launch.launch];
    task.launch = launch;
    task.kill = random_.below(6) == 0;
  }

  void kill_one() {
    if (launches_ == 0) return;
    allocator_.tasks[LaunchId{1, 1 + random_.below(launches_)}].kill = true;
  }

  void change_disk() {
    const BlockId block{1 + random_.below(20)};
    if (random_.below(3) == 0) return catalog_.remove(block);
    if (disk_.contains(block)) {
      disk_.erase(block);
      step(BlockVanished{block});
    } else {
      store(block);
    }
  }

  void store(BlockId block) {
    disk_[block] = 1 + random_.below(100);
    step(BlockStored{block, disk_[block]});
  }

  Random random_;
  Agent agent_;
  Time now_ = time_from_us(1'000'000);
  Time next_insist_{};
  std::multimap<Time, Event> events_;
  StormAllocator allocator_;
  StormCatalog catalog_;
  std::map<BlockId, std::uint64_t> disk_;
  std::map<LaunchId, Process> processes_;
  std::set<LaunchId> started_;
  std::set<TaskId> tasks_;
  std::set<std::string> noise_;
  std::uint64_t launches_ = 0;
  std::uint64_t loss_ = 0;     // percent
  std::uint64_t doubled_ = 0;  // percent
  std::uint64_t latest_ms_ = 1;
};

class AgentStorm : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(AgentStorm, EverythingComesRightInTheEnd) {
  Storm storm(GetParam());
  storm.rage(400);
  if (HasFatalFailure()) return;
  storm.calm_down();
  storm.expect_all_right();
  storm.expect_quiet();
}

INSTANTIATE_TEST_SUITE_P(Seeds, AgentStorm, ::testing::Range<std::uint64_t>(1, 41));

}  // namespace
}  // namespace proffer::agent_test

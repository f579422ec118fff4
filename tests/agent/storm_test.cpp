// A seeded storm over the agent: servers that restart, messages that are lost, doubled and late, processes
// that fail, linger and ignore signals, disks that change; agents that crash at any action, or are stopped,
// and come back with their records; hosts that are started anew. Then calm, in which everything must come
// right.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "proffer/agent/agent.hpp"
#include "tests/agent/storm_host.hpp"
#include "tests/agent/storm_servers.hpp"
#include "tests/reads_back.hpp"

namespace proffer::agent_test {
namespace {

using std::chrono::milliseconds;

const Kind kMap{"map"};
constexpr std::int64_t kSlots = 4;

/// One life of the agent, or the time until the next.
struct Life {
  std::unique_ptr<Agent> agent;  // none: the process is away
  std::uint64_t number = 0;
  Time next{};          // when it comes back
  bool listed = false;  // the world has told of the runs of former lives
};

/// An event on its way. Life 0: it befalls the host, and the agent only if there is one.
struct Coming {
  std::uint64_t life = 0;
  Event event;
};

class Storm {
 public:
  explicit Storm(std::uint64_t seed) : random_(seed) {
    disk_[BlockId{1}] = 5;
    loss_ = random_.below(30);
    doubled_ = random_.below(20);
    latest_ms_ = 1 + random_.below(500);
    crashes_ = random_.below(3) == 0 ? 0 : 1 + random_.below(4);
    come_back();
  }

  void rage(int turns) {
    for (int i = 0; i < turns && !::testing::Test::HasFatalFailure(); ++i) {
      disturb();
      advance(milliseconds(random_.below(400)));
    }
  }

  void calm_down() {
    loss_ = doubled_ = crashes_ = 0;
    if (!life_.agent) come_back();
    step(StoreRoom{});
    latest_ms_ = 1;
    for (auto& [id, task] : allocator_.tasks) task.kill = true;  // some run until they are killed
    for (int i = 0; i < 400; ++i) {
      // A change that was lost shows with the next one.
      if (i == 200) store(BlockId{99});
      advance(milliseconds(500));
    }
  }

  void expect_all_right() {
    ASSERT_TRUE(life_.agent);
    EXPECT_TRUE(life_.agent->registered());
    EXPECT_TRUE(allocator_.settled());
    EXPECT_TRUE(host_.idle());
    for (const auto& [id, task] : allocator_.tasks) {
      if (task.end) host_.expect_true(id, *task.end);
    }
    EXPECT_EQ(catalog_.blocks, disk_);
    EXPECT_EQ(allocator_.trouble, "");
  }

  /// In calm, nothing but heartbeats and reports on slots flows.
  void expect_quiet() {
    noise_.clear();
    for (int i = 0; i < 120; ++i) advance(milliseconds(500));
    noise_.erase("SLOT_REPORT");
    EXPECT_EQ(noise_, std::set<std::string>{});
  }

 private:
  static AgentConfig config() {
    AgentConfig config;
    config.orphan_grace = milliseconds(1500);
    config.name = "a1";
    config.data_endpoint = "tcp://h:1";
    config.slots = Resources{{kMap, kSlots}};
    return config;
  }

  // ---- time ----

  void after(std::uint64_t at_most_ms, Event event) {
    events_.emplace(now_ + milliseconds(1 + random_.below(at_most_ms)),
                    Coming{life_.number, std::move(event)});
  }
  void befalls_host(std::uint64_t at_most_ms, Event event) {
    events_.emplace(now_ + milliseconds(1 + random_.below(at_most_ms)), Coming{0, std::move(event)});
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
      auto next = life_.agent ? life_.agent->next_deadline() : life_.next;
      if (!events_.empty()) next = earlier(next, events_.begin()->first);
      if (!next || *next > end) break;
      now_ = std::max(now_, *next);
      if (!events_.empty() && events_.begin()->first <= now_) {
        auto node = events_.extract(events_.begin());
        happen(node.mapped());
      } else if (!life_.agent) {
        come_back();
      } else {
        step(TimePassed{});
      }
    }
    now_ = end;
  }

  /// The end of a run of a former life is told by the list, and sometimes also before.
  void happen(const Coming& coming) {
    const auto& event = coming.event;
    const auto* exited = std::get_if<RunExited>(&event);
    const auto* started = std::get_if<RunStarted>(&event);
    if (exited != nullptr && !host_.end(*exited)) return;
    if (started != nullptr && host_.find(started->launch) == nullptr) return;
    if (!life_.agent || (coming.life != 0 && coming.life != life_.number)) return;
    if (std::holds_alternative<RunsListed>(event)) {
      life_.listed = true;
      return step(host_.list(now_));
    }
    if (coming.life == 0 && !life_.listed && random_.below(2) == 0) return;
    step(event);
  }

  void step(const Event& event) {
    Actions actions;
    life_.agent->step(event, actions, now_);
    life_.agent->check_invariants();
    expect_reads_back(actions, event);
    carry_out(actions);
    post(allocator_, kAllocatorPeer);
    post(catalog_, kCatalogPeer);
    if (life_.agent && life_.agent->stopped()) go_away();
  }

  // ---- lives ----

  void come_back() {
    auto settings = config();
    if (life_.number > 0) settings.id = AgentId{Bits128{1, 1}};
    settings.run = ++life_.number;
    settings.boot = host_.boot();
    life_.agent = std::make_unique<Agent>(
        settings, std::vector<std::pair<BlockId, std::uint64_t>>(disk_.begin(), disk_.end()),
        Random(random_.bits()), host_.records());
    life_.listed = false;
    after(3000, RunsListed{});
  }

  void go_away() {
    life_.agent.reset();
    life_.next = now_ + milliseconds(random_.below(6000));
    if (random_.below(4) == 0 && crashes_ > 0) host_.reboot();
  }

  /// A crash cuts the actions off anywhere. What is kept is durable before what stands behind it; worlds that
  /// keep all records of a step first do no less.
  void carry_out(const Actions& actions) {
    auto left = actions.size() + 1;
    const bool crash = random_.below(400) < crashes_;
    if (crash) left = random_.below(actions.size() + 1);
    const bool records_first = random_.below(2) == 0;
    if (records_first) {
      for (const auto& action : actions) host_.keep(action);
    }
    for (const auto& action : actions) {
      if (left-- == 0) break;
      if (!records_first) host_.keep(action);
      carry_out(action);
    }
    if (crash) go_away();
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
    if (const auto* settled = std::get_if<SettleRun>(&action)) return host_.settle(settled->launch);
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
    host_.start(run, {run.task.resources, random_.below(4) == 0, now_}, config().slots);
    const auto luck = random_.below(10);
    if (luck == 0) return befalls_host(100, RunExited{run.launch, {}, nullptr, "no such program"});
    RunExited end{run.launch, {luck == 2 ? 3 : 0, luck == 3 ? 11 : 0}, nullptr, ""};
    if (luck == 4) end.fault = AgentFault{AgentFault::What::start, "no process"};
    if (luck == 5) end.fault = AgentFault{AgentFault::What::output, "no disk"};
    if (luck == 4) return befalls_host(100, std::move(end));
    befalls_host(20, RunStarted{run.launch});
    if (luck == 1) return;  // it runs until it is killed
    befalls_host(5000, std::move(end));
  }

  void deliver(const SignalRun& signal) {
    const auto* process = host_.find(signal.launch);
    if (process == nullptr) return;
    const bool kills = signal.signal == RunSignal::kill;
    if (!kills && process->deaf) return;
    befalls_host(20, RunExited{signal.launch, {0, kills ? 9 : 15}, nullptr, ""});
  }

  // ---- what happens to it ----

  void disturb() {
    if (!life_.agent) return launch_one();
    switch (random_.below(16)) {
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
      case 8:
        if (random_.below(3) == 0) {
          step(StoreRoom{static_cast<Room>(random_.below(3)), "no space"});
        }
        break;
      case 9:
        if (random_.below(12) < crashes_) step(Stopping{random_.below(3) == 0});
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
  Time now_ = time_from_us(1'000'000);
  Time next_insist_{};
  Life life_;
  StormHost host_;
  std::multimap<Time, Coming> events_;
  StormAllocator allocator_;
  StormCatalog catalog_;
  std::map<BlockId, std::uint64_t> disk_;
  std::set<std::string> noise_;
  std::uint64_t launches_ = 0;
  std::uint64_t loss_ = 0;     // percent
  std::uint64_t doubled_ = 0;  // percent
  std::uint64_t latest_ms_ = 1;
  std::uint64_t crashes_ = 0;  // of 400 steps
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

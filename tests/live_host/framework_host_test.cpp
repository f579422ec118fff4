#include "proffer/live/framework_host.hpp"

#include <future>
#include <thread>

#include "live/store/record_store.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"
#include "tests/live_host/folder.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"
#include "tests/live_host/wire_server.hpp"

namespace proffer::live::test {
namespace {

/// Records what happens, and stops when it is told to.
struct FakeScheduler final : Scheduler, FollowsSession {
  std::function<void(Driver&)> on_subscribed = [](Driver&) {};
  std::function<void()> on_lost = [] {};
  std::optional<Time> due;
  std::optional<Error> failure;
  int sessions = 0;

  void resource_offers(Driver&, const Offers&) override {}
  void status_update(Driver&, const TaskStatus&) override {}
  void subscribed(Driver& driver, const Subscribed&) override {
    ++sessions;
    on_subscribed(driver);
  }
  void disconnected(Driver&) override { on_lost(); }
  void failed(Driver&, const Error& error) override { failure = error; }
  std::optional<Time> next_deadline() const override { return due; }
  void deadline(Driver& driver) override {
    due.reset();
    driver.stop();
  }
};

struct FrameworkHostTest : testing::Test {
  Running allocator{[](Stop& its_stop, const Ready& ready) {
    AllocatorSettings daemon;
    daemon.drivers = false;
    daemon.frameworks_endpoint = "tcp://127.0.0.1:0";
    daemon.agents_endpoint = "tcp://127.0.0.1:0";
    return run_allocator(daemon, its_stop, ready);
  }};
  Context context;
  Stop stop;
  FakeScheduler scheduler;
  FrameworkHostConfig config;

  FrameworkHostTest() {
    config.allocator = allocator.value("frameworks");
    config.framework.name = "f";
  }
  Result<FrameworkEnd> run() { return run_framework(context, config, scheduler, stop); }
  /// What the allocator knows of frameworks.
  std::vector<FrameworkState> known() {
    WireClient client(allocator.value("frameworks"));
    client.say(Describe{1});
    return client.receive<ClusterState>().frameworks;
  }
  /// The allocator knows of none any more; farewells come on other connections.
  bool gone() {
    const auto deadline = steady_now() + std::chrono::seconds(10);
    while (!known().empty() && steady_now() < deadline) continue;
    return known().empty();
  }
};

TEST_F(FrameworkHostTest, EndsWhenItsSchedulerStopsAndTheAllocatorIsTold) {
  scheduler.on_subscribed = [](Driver& driver) { driver.stop(); };
  const auto ended = run();
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(*ended, FrameworkEnd::finished);
  EXPECT_TRUE(gone());
}

TEST_F(FrameworkHostTest, AnAllocatorThatDoesNotAnswerIsUnreachable) {
  EXPECT_TRUE(allocator.end().ok());
  config.unreachable_after = std::chrono::milliseconds(300);
  const auto ended = run();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::unreachable);
  EXPECT_EQ(ended.error().message, "no allocator answers at " + config.allocator);
}

TEST_F(FrameworkHostTest, AnAllocatorThatIsFullIsNotCalledUnreachable) {
  WireServer full;
  config.allocator = full.endpoint();
  config.unreachable_after = std::chrono::seconds(4);
  auto ended = std::async(std::launch::async, [&] { return run(); });
  full.receive<Subscribe>();
  full.refuse({ErrorCode::slow_down, "the cluster is full"});
  const auto why = ended.get();
  ASSERT_FALSE(why.ok());
  EXPECT_EQ(why.error().code, ErrorCode::slow_down);
  EXPECT_EQ(why.error().message,
            "the allocator at " + full.endpoint() + " takes no more: the cluster is full");
}

TEST_F(FrameworkHostTest, ItsOwnPauseIsNotTheAllocatorsSilence) {
  EXPECT_TRUE(allocator.end().ok());
  config.unreachable_after = std::chrono::seconds(2);
  constexpr auto kPause = std::chrono::seconds(4);
  bool paused = false;
  config.progress = [&] {  // stands for SIGSTOP: no turn is taken meanwhile
    if (!std::exchange(paused, true)) std::this_thread::sleep_for(kPause);
  };
  config.progress_every = std::chrono::milliseconds(100);
  const auto begin = steady_now();
  const auto ended = run();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::unreachable);
  EXPECT_GE(steady_now() - begin, kPause + std::chrono::seconds(1));
}

TEST_F(FrameworkHostTest, ARefusalForGoodEndsIt) {
  config.framework.pool = "no.such.pool";
  EXPECT_TRUE(run().ok());
  ASSERT_TRUE(scheduler.failure.has_value());
  EXPECT_EQ(scheduler.failure->code, ErrorCode::unknown_pool);
}

TEST_F(FrameworkHostTest, AStopEndsItAtOnceWhenNobodyWantsToKnow) {
  scheduler.on_subscribed = [&](Driver&) { stop.request(); };
  const auto ended = run();
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(*ended, FrameworkEnd::stopped);
  EXPECT_TRUE(gone()) << "the allocator was told";
}

TEST_F(FrameworkHostTest, AStopLetsTheSchedulerFinish) {
  scheduler.on_subscribed = [&](Driver&) { stop.request(); };
  config.stop_requested = [&] { scheduler.due = Time{}; };
  config.stop_grace = std::chrono::seconds(60);
  const auto begin = steady_now();
  const auto ended = run();
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(*ended, FrameworkEnd::stopped);
  EXPECT_LT(steady_now() - begin, std::chrono::seconds(30));
}

TEST_F(FrameworkHostTest, ItsFolderBelongsToOneProcessAtATime) {
  Folder folder;
  config.state_dir = folder.path("state");
  std::optional<Result<FrameworkEnd>> second;
  scheduler.on_subscribed = [&](Driver& driver) {
    FakeScheduler other;
    second = run_framework(context, config, other, stop);
    driver.stop();
  };
  EXPECT_TRUE(run().ok());
  ASSERT_TRUE(second && !second->ok());
  EXPECT_EQ(second->error().code, ErrorCode::exists);
  EXPECT_EQ(second->error().message, "a framework is running on " + folder.path("state") + " already");
  scheduler.on_subscribed = [](Driver& driver) { driver.stop(); };
  EXPECT_TRUE(run().ok()) << "the former one has ended";
}

TEST_F(FrameworkHostTest, AFolderThatCannotBeReadIsRefusedByName) {
  Folder folder;
  config.state_dir = folder.path();
  folder.write(kFrameworkRecords, std::string(8192, 'x'));
  const auto ended = run();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::corrupt);
  EXPECT_NE(ended.error().message.find(folder.path(kFrameworkRecords)), std::string::npos);
}

TEST_F(FrameworkHostTest, ATimeoutIsOneSentence) {
  config.timeout = std::chrono::milliseconds(200);
  const auto ended = run();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::timed_out);
  EXPECT_EQ(ended.error().message, "not done within 0.2 s");
  EXPECT_TRUE(gone()) << "the allocator was told";
}

TEST_F(FrameworkHostTest, ProgressIsAskedForNowAndThenAndAtTheEnd) {
  int asked = 0;
  config.progress = [&] {
    if (++asked == 3) stop.request();
  };
  config.progress_every = std::chrono::milliseconds(20);
  EXPECT_TRUE(run().ok());
  EXPECT_EQ(asked, 4);
}

/// An allocator that ends in the first session, and another that takes its address.
struct RestartTest : testing::Test {
  Folder folder;
  AllocatorSettings daemon;
  std::unique_ptr<Running> allocator;
  Context context;
  Stop stop;
  FakeScheduler scheduler;
  FrameworkHostConfig config;
  std::optional<Time> back_at;
  bool is_back = false;

  /// `away`: the next allocator comes so much later.
  Result<FrameworkEnd> run_over_a_restart(Duration away = {}) {
    daemon.drivers = false;
    daemon.agents_endpoint = "tcp://127.0.0.1:0";
    daemon.frameworks_endpoint = "tcp://127.0.0.1:0";
    start();
    daemon.frameworks_endpoint = config.allocator = allocator->value("frameworks");
    config.framework.name = "f";
    scheduler.on_subscribed = [&](Driver& driver) {
      if (scheduler.sessions == 2 && away == Duration::zero()) return driver.stop();
      if (scheduler.sessions == 2) return void(scheduler.due = steady_now() + std::chrono::seconds(1));
      EXPECT_TRUE(allocator->end().ok());
      back_at = steady_now() + away;
      if (away == Duration::zero()) start();
    };
    config.progress = [&] {
      if (back_at && *back_at <= steady_now() && scheduler.sessions == 1 && !std::exchange(is_back, true))
        start();
    };
    if (away == Duration::zero()) config.progress = {};
    return run_framework(context, config, scheduler, stop);
  }
  void start() {
    allocator.reset();
    allocator = std::make_unique<Running>(
        [this](Stop& its_stop, const Ready& ready) { return run_allocator(daemon, its_stop, ready); });
  }
};

TEST_F(RestartTest, TheFrameworkSubscribesAgain) {
  daemon.state_dir = folder.path("state");
  EXPECT_TRUE(run_over_a_restart().ok());
  EXPECT_EQ(scheduler.sessions, 2);
  EXPECT_FALSE(scheduler.failure.has_value());
}

TEST_F(RestartTest, OnceSubscribedItWaitsAndSaysSo) {
  daemon.state_dir = folder.path("state");
  config.unreachable_after = std::chrono::seconds(3);
  config.say_waiting_after = std::chrono::milliseconds(700);
  config.progress_every = std::chrono::milliseconds(100);
  ::testing::internal::CaptureStderr();
  const auto ended = run_over_a_restart(std::chrono::seconds(6));
  const auto said = ::testing::internal::GetCapturedStderr();
  ASSERT_TRUE(ended.ok()) << ended.error().message;
  EXPECT_EQ(scheduler.sessions, 2);
  const auto first = said.find("no allocator answers at " + config.allocator);
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("no allocator answers", first + 1), std::string::npos) << "once in a minute";
  EXPECT_NE(said.find("the allocator at " + config.allocator + " answers again"), std::string::npos) << said;
}

TEST_F(RestartTest, WhoStopsWhileTheAllocatorIsAwayEndsSoonAndSaysWhatGoesOn) {
  daemon.state_dir = folder.path("state");
  config.progress_every = std::chrono::milliseconds(100);
  ::testing::internal::CaptureStderr();
  scheduler.on_lost = [&] { stop.request(); };
  const auto begin = steady_now();
  const auto ended = run_over_a_restart(std::chrono::hours(1));
  const auto said = ::testing::internal::GetCapturedStderr();
  ASSERT_TRUE(ended.ok()) << ended.error().message;
  EXPECT_LT(steady_now() - begin, std::chrono::seconds(60));
  EXPECT_NE(said.find("could not be told that framework f has ended; what it runs goes on for 600 s"),
            std::string::npos)
      << said;
}

TEST_F(RestartTest, AnotherClusterAtTheSameAddressIsRefused) {
  EXPECT_TRUE(run_over_a_restart().ok());
  EXPECT_EQ(scheduler.sessions, 1);
  ASSERT_TRUE(scheduler.failure.has_value());
  EXPECT_EQ(scheduler.failure->code, ErrorCode::wrong_cluster);
}

}  // namespace
}  // namespace proffer::live::test

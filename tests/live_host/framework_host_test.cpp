#include "proffer/live/framework_host.hpp"

#include <future>

#include "tests/live_host/folder.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"
#include "tests/live_host/wire_server.hpp"

namespace proffer::live::test {
namespace {

/// Records what happens, and stops when it is told to.
struct FakeScheduler final : Scheduler {
  std::function<void(Driver&)> on_subscribed = [](Driver&) {};
  std::optional<Time> due;
  std::optional<Error> failure;
  int sessions = 0;

  void resource_offers(Driver&, const Offers&) override {}
  void status_update(Driver&, const TaskStatus&) override {}
  void subscribed(Driver& driver, const Subscribed&) override {
    ++sessions;
    on_subscribed(driver);
  }
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
    return client.hear<ClusterState>().frameworks;
  }
};

TEST_F(FrameworkHostTest, EndsWhenItsSchedulerStopsAndTheAllocatorIsTold) {
  scheduler.on_subscribed = [](Driver& driver) { driver.stop(); };
  const auto ended = run();
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(*ended, FrameworkEnd::finished);
  const auto gone = [&] {
    const auto frameworks = known();
    return std::none_of(frameworks.begin(), frameworks.end(),
                        [](const FrameworkState& framework) { return framework.connected; });
  };
  const auto deadline = steady_now() + std::chrono::seconds(10);  // its farewell comes on another connection
  while (!gone() && steady_now() < deadline) continue;
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
  full.hear<Subscribe>();
  full.refuse({ErrorCode::slow_down, "the cluster is full"});
  const auto why = ended.get();
  ASSERT_FALSE(why.ok());
  EXPECT_EQ(why.error().code, ErrorCode::slow_down);
  EXPECT_EQ(why.error().message,
            "the allocator at " + full.endpoint() + " takes no more: the cluster is full");
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

TEST_F(FrameworkHostTest, ATimeoutIsOneSentence) {
  config.timeout = std::chrono::milliseconds(200);
  const auto ended = run();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::timed_out);
  EXPECT_EQ(ended.error().message, "not done within 0.2 s");
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

  Result<FrameworkEnd> run_over_a_restart() {
    daemon.agents_endpoint = "tcp://127.0.0.1:0";
    daemon.frameworks_endpoint = "tcp://127.0.0.1:0";
    start();
    daemon.frameworks_endpoint = config.allocator = allocator->value("frameworks");
    config.framework.name = "f";
    scheduler.on_subscribed = [&](Driver& driver) {
      if (scheduler.sessions == 2) return driver.stop();
      EXPECT_TRUE(allocator->end().ok());
      start();
    };
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

TEST_F(RestartTest, AnotherClusterAtTheSameAddressIsRefused) {
  EXPECT_TRUE(run_over_a_restart().ok());
  EXPECT_EQ(scheduler.sessions, 1);
  ASSERT_TRUE(scheduler.failure.has_value());
  EXPECT_EQ(scheduler.failure->code, ErrorCode::wrong_cluster);
}

}  // namespace
}  // namespace proffer::live::test

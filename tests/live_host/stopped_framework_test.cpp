// A framework under SIGSTOP costs the others nothing, is cut off after a while, and its tasks live on.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "proffer/live/describe.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"

namespace proffer::live::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Subscribe framework(const std::string& name, std::int64_t slots) {
  Subscribe hello;
  hello.name = name;
  hello.failover_timeout = std::chrono::minutes(10);
  hello.demand.kinds = {{Kind("map"), slots}};
  return hello;
}

/// A framework in a process of its own, forked while the test has one thread. It launches a task, and says
/// heartbeats until it is stopped.
class ForkedFramework {
 public:
  ForkedFramework() {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) be_framework(ends_[0]);
  }
  ~ForkedFramework() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  ForkedFramework(const ForkedFramework&) = delete;
  ForkedFramework& operator=(const ForkedFramework&) = delete;

  void connect_to(const std::string& endpoint) const {
    EXPECT_EQ(::write(ends_[1], (endpoint + "\n").data(), endpoint.size() + 1), ssize_t(endpoint.size() + 1));
  }
  void signal(int number) const { ::kill(pid_, number); }

 private:
  [[noreturn]] static void be_framework(int in) {
    std::string endpoint;
    for (char c = 0; ::read(in, &c, 1) == 1 && c != '\n';) endpoint += c;
    WireClient client(endpoint);
    client.greet<Subscribed>(framework("stopped", 2));
    Accept accept;
    accept.accept = 1;
    accept.offers = {client.receive<Offers>().offers.at(0).id};
    TaskSpec task;
    task.id = {"t"};
    task.resources.set(Kind("map"), 1);
    task.work = std::make_shared<Work>(CommandWork{{"true"}, {}});
    accept.tasks = {task};
    accept.rest_refuse_for = Duration::zero();
    client.say(accept);
    client.say(Revive{});
    while (::getppid() != 1) {
      client.say(Heartbeat{});
      client.receive<Heartbeat>();  // one comes every half second
    }
    ::_exit(0);
  }

  std::array<int, 2> ends_{};
  pid_t pid_ = -1;
};

/// Silence and lags are judged sooner than usual: by 3 s and 6 s instead of 5 s and 30 s.
AllocatorSettings hasty() {
  AllocatorSettings settings;
  settings.drivers = false;
  settings.frameworks_endpoint = settings.agents_endpoint = "tcp://127.0.0.1:0";
  settings.allocator.catalog_endpoint = "tcp://127.0.0.1:9";
  settings.allocator.heartbeat = milliseconds(250);
  settings.allocator.suspect_after = seconds(2);
  settings.allocator.disconnected_after = seconds(3);
  settings.allocator.unreachable_after = seconds(6);
  return settings;
}

struct StoppedFramework : testing::Test {
  ForkedFramework stopped;  // first: it is forked before there are threads
  Running daemon{[](Stop& stop, const Ready& ready) { return run_allocator(hasty(), stop, ready); }};
  Context context;
  WireClient node{daemon.value("agents")};
  Launch launch;

  void SetUp() override {
    Register hello;
    hello.run = 1;
    hello.name = hello.rack = "n";
    hello.data_endpoint = "tcp://127.0.0.1:9";
    hello.slots.set(Kind("map"), 2);
    node.greet<Registered>(hello);
    stopped.connect_to(daemon.value("frameworks"));
    launch = node.receive<Launch>();
    node.say(LaunchAck{launch.launch});
  }
  /// Waits until the framework has an offer.
  void wait_for_offer(const std::string& name) {
    const auto deadline = steady_now() + seconds(20);
    while (state_of(name).offered == Resources{} && steady_now() < deadline) {
      node.say(Heartbeat{});
      node.receive<Heartbeat>();
    }
    EXPECT_EQ(state_of(name).offered, (Resources{{Kind("map"), 1}}));
  }
  /// Returns the next offer to a client, and has the agent and the client give signs of life meanwhile.
  OfferId next_offer(WireClient& client) {
    const auto deadline = steady_now() + seconds(20);
    do {
      node.say(Heartbeat{});
      client.say(Heartbeat{});
      if (client.hear_either<Offers, Heartbeat>())
        return std::get<Offers>(client.last.message).offers.at(0).id;
    } while (steady_now() < deadline);
    ADD_FAILURE() << "no offer came";
    return {};
  }
  FrameworkState state_of(const std::string& name) {
    const auto state = describe(context, daemon.value("frameworks"), seconds(20));
    EXPECT_TRUE(state.ok());
    for (const auto& framework : state->frameworks) {
      if (framework.name == name) return framework;
    }
    return {};
  }
};

TEST_F(StoppedFramework, TheOthersGoOnItIsCutOffAndItsTaskLives) {
  wait_for_offer("stopped");
  stopped.signal(SIGSTOP);
  const auto stopped_at = steady_now();
  WireClient other(daemon.value("frameworks"));
  other.greet<Subscribed>(framework("other", 1));
  auto offer = next_offer(other);
  Duration longest{};
  int offers = 0;
  bool killed = false;
  while (state_of("stopped").connected && steady_now() - stopped_at < seconds(20)) {
    node.say(TaskMessage{launch.framework, launch.task.id, std::string(16 << 10, 'x')});
    const auto asked = steady_now();
    other.say(Decline{{offer}, DeclineReason::other, Duration::zero(), {}});
    other.say(Revive{});
    offer = next_offer(other);
    longest = std::max(longest, steady_now() - asked);
    ++offers;
    killed = node.hear_either<Kill, Heartbeat>();
    ASSERT_FALSE(killed);
  }
  const auto cut_after = steady_now() - stopped_at;
  EXPECT_GE(cut_after, seconds(5)) << "a heartbeat before it counts";
  EXPECT_LE(cut_after, seconds(8));
  EXPECT_GE(offers, 8);
  EXPECT_LT(longest, seconds(1));
  EXPECT_EQ(state_of("stopped").used, (Resources{{Kind("map"), 1}})) << "its task lives on";
}

TEST_F(StoppedFramework, AShortStopChangesNothingForIt) {
  wait_for_offer("stopped");
  stopped.signal(SIGSTOP);
  const auto stopped_at = steady_now();
  while (steady_now() - stopped_at < seconds(4)) {
    node.say(Heartbeat{});
    node.receive<Heartbeat>();
  }
  EXPECT_TRUE(state_of("stopped").connected);
  EXPECT_EQ(state_of("stopped").offered, Resources{}) << "others may have its slots meanwhile";
  stopped.signal(SIGCONT);
  wait_for_offer("stopped");
  EXPECT_TRUE(state_of("stopped").connected) << "in the same session";
}

}  // namespace
}  // namespace proffer::live::test

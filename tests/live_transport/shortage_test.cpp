// What becomes of ports when the process can have no more sockets, or descriptors.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "live/transport/port_pool.hpp"
#include "tests/live_transport/ports.hpp"

namespace proffer::live::test {
namespace {

using testing::HasSubstr;
using Connections = std::vector<std::unique_ptr<ConnectedPort>>;

/// As many as there can be; the error says why there is not one more.
Error connect_all(Context& context, const std::string& endpoint, Connections& connections) {
  while (connections.size() < 1000) {
    auto port = ConnectedPort::connect(context, endpoint);
    if (!port) return port.error();
    connections.push_back(std::move(*port));
  }
  return {ErrorCode::invalid, "there is no end to it"};
}

TEST(Shortage, AContextAtItsLimitOfSocketsRefusesOneMoreUntilOneIsClosed) {
  Context servers;
  const auto server = bind_free(servers);
  for (const int sockets : {30, 31, 32}) {  // the limit is met at a port's first, second or third socket
    Context context(sockets);
    Connections connections;
    const auto error = connect_all(context, server->endpoint(), connections);
    EXPECT_EQ(error.code, ErrorCode::slow_down);
    EXPECT_THAT(error.message, HasSubstr("Too many open files"));
    EXPECT_EQ(connections.size(), 10u);
    EXPECT_FALSE(BoundPort::bind(context, "tcp://127.0.0.1:0").ok());
    connections.pop_back();
    EXPECT_TRUE(turn_until({server.get()}, [&] {
      return ConnectedPort::connect(context, server->endpoint()).ok();
    })) << "closing takes ZeroMQ a moment";
    introduce(*connections.front(), *server);
  }
}

/// In a process of its own, which a descriptor too few must not end.
TEST(Shortage, AProcessWithoutDescriptorsRefusesOneMoreConnection) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer, built with this one, takes descriptors to look at memory";
#endif
  const auto child = ::fork();
  if (child == 0) {
    const rlimit few{64, 64};
    ::setrlimit(RLIMIT_NOFILE, &few);
    Context context;
    const auto server = BoundPort::bind(context, "tcp://127.0.0.1:0");
    Connections connections;
    const auto error = connect_all(context, (*server)->endpoint(), connections);
    ::_exit(error.code == ErrorCode::slow_down && !connections.empty() ? 42 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(Shortage, AContextHasRoomForTheConnectionsOfAThousandAgents) {
  Context context;
  const auto server = bind_free(context);
  Connections connections;
  rlimit descriptors{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &descriptors), 0);
  if (descriptors.rlim_max < 8192) GTEST_SKIP() << "this many ports need 8192 descriptors";
  EXPECT_EQ(connect_all(context, server->endpoint(), connections).message, "there is no end to it");
}

TEST(Shortage, SocketsAreAsManyAsTheDescriptorsAllow) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const auto child = ::fork();
  if (child == 0) {
    const rlimit few{1024, 1024};
    ::setrlimit(RLIMIT_NOFILE, &few);
    Context context;
    const auto server = BoundPort::bind(context, "tcp://127.0.0.1:0");
    Connections connections;
    const auto error = connect_all(context, (*server)->endpoint(), connections);
    const auto file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::_exit(error.code == ErrorCode::slow_down && connections.size() >= 100 && file >= 0 ? 42 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 42) << "a hundred ports at least, and descriptors left for files";
}

/// A reduce whose four getters fetch from all agents of a large cluster, each at an address of its own.
TEST(Shortage, FourGettersThatAskFiveHundredAgentsShareOneBoundedPoolOfPorts) {
  constexpr std::size_t kAgents = 512;
  rlimit descriptors{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &descriptors), 0);
  if (descriptors.rlim_max < 16384) GTEST_SKIP() << "this many ports need 16384 descriptors";
  Context agents;
  std::vector<std::unique_ptr<BoundPort>> ports;
  for (std::size_t i = 0; i < kAgents; ++i) ports.push_back(bind_free(agents));
  Context context;
  std::atomic<std::size_t> asked{0};
  std::atomic<std::size_t> failed{0};
  std::vector<std::thread> getters;
  for (int n = 0; n < 4; ++n) {
    getters.emplace_back([&, n] {
      for (std::size_t i = 0; i < kAgents; ++i) {
        auto port =
            context.data_ports().borrow(ports[(i + static_cast<std::size_t>(n) * 128) % kAgents]->endpoint());
        const bool sent = port.ok() && (*port)->send({}, "block?") == Sent::yes;
        ++(sent ? asked : failed);
      }
    });
  }
  for (auto& getter : getters) getter.join();
  EXPECT_EQ(failed, 0u);
  EXPECT_EQ(asked, 4 * kAgents);
  EXPECT_LE(context.data_ports().size(), limits::kDataPorts);
  context.data_ports().close_idle(steady_now() + limits::kIdlePort);
  EXPECT_EQ(context.data_ports().size(), 0u) << "and all of them are closed once nobody uses them";
}

struct PoolTest : testing::Test {
  Context context;
  std::unique_ptr<BoundPort> server = bind_free(context);
  std::unique_ptr<BoundPort> other = bind_free(context);
};

TEST_F(PoolTest, AConnectionIsUsedAgainUnlessItWasSpoilt) {
  PortPool pool(context);
  ConnectedPort* first = nullptr;
  {
    auto lease = pool.borrow(server->endpoint());
    first = &**lease;
  }
  {
    auto lease = pool.borrow(server->endpoint());
    EXPECT_EQ(&**lease, first);
    EXPECT_NE(&**pool.borrow(server->endpoint()), first) << "it is lent";
    EXPECT_EQ(pool.size(), 2u);
    lease->spoil();
  }
  EXPECT_EQ(pool.size(), 1u);
}

TEST_F(PoolTest, AtItsBoundItClosesTheOneUsedLongestAgo) {
  PortPool pool(context, 2);
  static_cast<void>(pool.borrow(server->endpoint()));
  auto kept = pool.borrow(other->endpoint());
  auto third = pool.borrow(other->endpoint());
  EXPECT_TRUE(third.ok());
  EXPECT_EQ(pool.size(), 2u);
  const auto refused = pool.borrow(server->endpoint());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::slow_down);
}

TEST_F(PoolTest, ConnectionsThatNobodyUsesAreClosed) {
  PortPool pool(context);
  static_cast<void>(pool.borrow(server->endpoint()));
  const auto lent = pool.borrow(other->endpoint());
  pool.close_idle(steady_now());
  EXPECT_EQ(pool.size(), 2u);
  pool.close_idle(steady_now() + limits::kIdlePort);
  EXPECT_EQ(pool.size(), 1u) << "the one that is lent stays";
}

TEST_F(PoolTest, AnAddressThatIsNoneIsRefusedAndCountsForNothing) {
  PortPool pool(context, 1);
  EXPECT_EQ(pool.borrow("nowhere").error().code, ErrorCode::invalid);
  EXPECT_TRUE(pool.borrow(server->endpoint()).ok());
}

}  // namespace
}  // namespace proffer::live::test

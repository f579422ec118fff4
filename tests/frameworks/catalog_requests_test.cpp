// Questions to the catalog.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

struct CatalogTest : ::testing::Test {
  CatalogTest() {
    world.subscribe(0s);
    world.actions.clear();
    world.scheduler.take_log();
  }
  std::uint64_t ask(Message request) {
    std::uint64_t number = 0;
    world.call([&](Driver& driver) { number = driver.ask_catalog(std::move(request)); });
    return number;
  }
  void answer(Message message) {
    world.step(MessageReceived{kCatalogPeer, Envelope{{}, {}, {}, 0, std::move(message)}});
  }
  Error error_of(std::size_t index) {
    return std::get<CatalogDone>(world.scheduler.answers.at(index)).error.value_or(Error{});
  }
  SessionWorld world;
};

TEST_F(CatalogTest, RequestsAreNumberedAndFollowAGreetingAtOnce) {
  EXPECT_EQ(ask(ListFiles{0, "/in", true}), 1u);
  EXPECT_EQ(ask(RemoveFiles{0, "/out"}), 2u);
  const auto sent = world.sent_to(kCatalogPeer);
  ASSERT_THAT(sent, SizeIs(3));
  EXPECT_TRUE(std::holds_alternative<CatalogHello>(sent[0].message));
  EXPECT_EQ(std::get<ListFiles>(sent[1].message), (ListFiles{1, "/in", true}));
  EXPECT_EQ(sent[1].session, SessionId{}) << "which is not known yet";
  EXPECT_EQ(std::get<RemoveFiles>(sent[2].message).request, 2u);
}

TEST_F(CatalogTest, TheSessionThatTheCatalogNamedGoesWithLaterRequests) {
  ask(ListFiles{0, "/in", true});
  world.sent_to(kCatalogPeer);
  world.step(MessageReceived{kCatalogPeer, Envelope{{}, {}, {31}, 0, CatalogSession{}}});
  ask(ListFiles{0, "/in", true});
  const auto sent = world.sent_to(kCatalogPeer);
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].session, SessionId{31});
}

TEST_F(CatalogTest, ACatalogThatDoesNotKnowTheSessionIsGreetedAgain) {
  ask(ListFiles{0, "/in", true});
  answer(ErrorMessage{{ErrorCode::unknown_session, "no such session here"}, 0});
  EXPECT_EQ(error_of(0).code, ErrorCode::unknown_session);
  world.sent_to(kCatalogPeer);
  ask(ListFiles{0, "/in", true});
  const auto sent = world.sent_to(kCatalogPeer);
  ASSERT_THAT(sent, SizeIs(2));
  EXPECT_TRUE(std::holds_alternative<CatalogHello>(sent[0].message));
  EXPECT_EQ(sent[0].session, SessionId{});
}

TEST_F(CatalogTest, ALostConnectionIsFollowedByAGreeting) {
  ask(ListFiles{0, "/in", true});
  world.step(PeerLost{kCatalogPeer});
  world.sent_to(kCatalogPeer);
  ask(ListFiles{0, "/in", true});
  EXPECT_TRUE(std::holds_alternative<CatalogHello>(world.sent_to(kCatalogPeer).at(0).message));
}

TEST_F(CatalogTest, AnswersReachTheSchedulerOnce) {
  const auto number = ask(CreateFile{0, "/out", 1});
  answer(CatalogDone{number, {}});
  answer(CatalogDone{number, {}});
  answer(CatalogDone{77, {}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("catalog CATALOG_DONE"));
}

TEST_F(CatalogTest, PagesOfAListingAreJoined) {
  const auto number = ask(ListFiles{0, "/", true});
  const FileInfo a{"/a", 9, 1, true, {{{1}, 5, 0, {}}}};
  const FileInfo more_of_a{"/a", 9, 1, true, {{{2}, 4, 0, {}}}};
  const FileInfo b{"/b", 0, 1, true, {}};
  answer(FilesListed{number, {a}, "token", true, {}});
  EXPECT_THAT(world.scheduler.take_log(), IsEmpty());
  answer(FilesListed{number, {more_of_a, b}, "token", false, {}});
  ASSERT_THAT(world.scheduler.answers, SizeIs(1));
  auto whole = a;
  whole.blocks.push_back(more_of_a.blocks[0]);
  EXPECT_EQ(std::get<FilesListed>(world.scheduler.answers[0]),
            (FilesListed{number, {whole, b}, "token", false, {}}));
}

TEST_F(CatalogTest, ALostCatalogAnswersOpenRequestsWithUnreachable) {
  const auto first = ask(ListFiles{0, "/a", false});
  const auto second = ask(ListFiles{0, "/b", false});
  answer(FilesListed{first, {}, "", true, {}});
  world.step(PeerLost{kCatalogPeer});
  ASSERT_THAT(world.scheduler.answers, SizeIs(2));
  EXPECT_EQ(std::get<CatalogDone>(world.scheduler.answers[1]).request, second);
  EXPECT_EQ(error_of(0).code, ErrorCode::unreachable);
  EXPECT_TRUE(world.framework.subscribed());
  answer(FilesListed{second, {}, "", false, {}});  // too late
  EXPECT_THAT(world.scheduler.answers, SizeIs(2));
}

TEST_F(CatalogTest, ACatalogThatDoesNotAnswerHasFailedAfterItsTimeout) {
  ask(ListFiles{0, "/a", false});
  world.pass(30s - 1us);
  EXPECT_THAT(world.scheduler.answers, IsEmpty());
  world.pass(1us);
  ASSERT_THAT(world.scheduler.answers, SizeIs(1));
  EXPECT_EQ(error_of(0).code, ErrorCode::timed_out);
}

TEST_F(CatalogTest, EveryPageIsASignOfLife) {
  const auto number = ask(ListFiles{0, "/a", false});
  world.pass(20s);
  answer(FilesListed{number, {}, "", true, {}});
  world.pass(20s);
  EXPECT_THAT(world.scheduler.answers, IsEmpty());
  answer(FilesListed{number, {}, "", false, {}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("catalog FILES_LISTED"));
}

TEST_F(CatalogTest, AnErrorThatNamesNoRequestFailsAll) {
  ask(ListFiles{0, "/a", false});
  answer(ErrorMessage{{ErrorCode::version, "another protocol"}, 0});
  EXPECT_EQ(error_of(0).code, ErrorCode::version);
}

TEST_F(CatalogTest, ALostAllocatorDoesNotTouchRequests) {
  const auto number = ask(ListFiles{0, "/a", false});
  world.lose_connection();
  world.scheduler.take_log();
  answer(FilesListed{number, {}, "", false, {}});
  EXPECT_THAT(world.scheduler.take_log(), ElementsAre("catalog FILES_LISTED"));
}

using CatalogDeathTest = CatalogTest;

TEST_F(CatalogDeathTest, AMessageThatIsNoRequestAborts) {
  EXPECT_DEATH(ask(Heartbeat{}), "only requests to the catalog");
}

}  // namespace
}  // namespace proffer::testing

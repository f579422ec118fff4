// Clients and their sessions.
#include <gmock/gmock.h>

#include "stage.hpp"

namespace proffer {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr PeerId kStranger{9001};

/// The error that a message without a session is answered with.
template <class Request>
std::optional<ErrorCode> refusal(Stage& stage, PeerId from, Request request, SessionId session = {}) {
  stage.receive(from, session, std::move(request));
  const auto errors = stage.sent<ErrorMessage>(from);
  if (errors.empty()) return {};
  EXPECT_THAT(errors, SizeIs(1));
  return errors[0].second.error.code;
}

SessionId greet(Stage& stage, PeerId from) {
  stage.receive(from, {}, CatalogHello{});
  const auto answers = stage.sent<CatalogSession>(from);
  EXPECT_THAT(answers, SizeIs(1));
  return answers.empty() ? SessionId{} : answers[0].first.session;
}

TEST(Clients, WhatYieldsTheTokenNeedsASession) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  EXPECT_EQ(refusal(stage, kStranger, ListFiles{1, "/", true}), ErrorCode::unknown_session);
  EXPECT_THAT(stage.sent<FilesListed>(kStranger), IsEmpty());
  EXPECT_EQ(refusal(stage, kStranger, AddBlock{2, "/f", {}}), ErrorCode::unknown_session);
  EXPECT_THAT(stage.sent<BlockAllocated>(kStranger), IsEmpty());
}

TEST(Clients, AnythingElseNeedsOneAsWellAndHasNoEffectWithout) {
  Stage stage;
  stage.join(1, "r1");
  stage.put("/f");
  EXPECT_EQ(refusal(stage, kStranger, CreateFile{1, "/g", 1}), ErrorCode::unknown_session);
  EXPECT_EQ(refusal(stage, kStranger, RemoveFiles{2, "/"}), ErrorCode::unknown_session);
  EXPECT_EQ(refusal(stage, kStranger, BlocksUsed{}), ErrorCode::unknown_session);
  EXPECT_EQ(stage.list("/"), std::vector<std::string>{"/f"});
}

TEST(Clients, RequestsMayFollowTheGreetingBeforeItsAnswerHasCome) {
  Stage stage;
  const auto session = greet(stage, kStranger);
  EXPECT_NE(session, SessionId{});
  EXPECT_FALSE(refusal(stage, kStranger, ListFiles{1, "/", true}));
  EXPECT_FALSE(refusal(stage, kStranger, ListFiles{1, "/", true}, session));
}

TEST(Clients, ASessionIsOfOneConnectionAndEndsWithIt) {
  Stage stage;
  const auto session = greet(stage, kStranger);
  EXPECT_EQ(greet(stage, kStranger), session) << "said twice";
  EXPECT_EQ(refusal(stage, PeerId{9002}, ListFiles{1, "/", true}, session), ErrorCode::unknown_session);
  EXPECT_EQ(refusal(stage, kStranger, ListFiles{1, "/", true}, {session.value + 1}),
            ErrorCode::unknown_session);
  stage.step(PeerLost{kStranger});
  EXPECT_EQ(refusal(stage, kStranger, ListFiles{1, "/", true}, session), ErrorCode::unknown_session);
}

}  // namespace
}  // namespace proffer

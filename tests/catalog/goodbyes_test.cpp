// BYE of an agent or a client, and the orderly end of the catalog itself.
#include <gmock/gmock.h>

#include "stage.hpp"

namespace proffer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CatalogGoodbyes, TheReplicasOfAnAgentThatLeavesDoNotCount) {
  Stage stage;
  stage.join(1, "r1");
  const auto blocks = stage.put("/f");
  stage.stored(1, blocks[0], 10);
  ASSERT_THAT(stage.holders("/f"), ElementsAre(1u));
  stage.from_agent(1, Bye{"its host is rebooted"});
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.join(1, "r1", {{blocks[0], 10}});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1u));
}

TEST(CatalogGoodbyes, AByeOfAnotherSessionEndsNothing) {
  Stage stage;
  stage.join(1, "r1");
  const auto blocks = stage.put("/f");
  stage.stored(1, blocks[0], 10);
  stage.receive(PeerId{1}, SessionId{stage.session(1).value + 1}, Bye{});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1u));
}

TEST(CatalogGoodbyes, AClientThatLeavesHasNoSession) {
  Stage stage;
  stage.receive(kClient, {}, Bye{});
  stage.receive(kClient, {}, ListFiles{1, "/", false});
  const auto errors = stage.sent<ErrorMessage>(kClient);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].second.error.code, ErrorCode::unknown_session);
}

TEST(CatalogGoodbyes, ItsOwnEndIsToldToEverybody) {
  Stage stage;
  stage.join(1, "r1");
  stage.step(Stopping{});
  EXPECT_THAT(stage.sent<Bye>(PeerId{1}), SizeIs(1));
  EXPECT_THAT(stage.sent<Bye>(kClient), SizeIs(1));
  stage.receive(PeerId{2}, {}, CatalogHello{});
  EXPECT_THAT(stage.sent<CatalogSession>(PeerId{2}), IsEmpty()) << "nobody is admitted any more";
}

}  // namespace
}  // namespace proffer

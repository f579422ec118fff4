#include "tests/tidy/floors.hpp"

#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> including(std::string path, const std::string& header) {
  return planted(check_floors, std::move(path), "\n#include \"" + header + "\"\n");
}

TEST(Floors, AnIncludeThatPointsUpIsCaught) {
  EXPECT_THAT(
      including("allocator/allocator.cpp", "proffer/live/port.hpp"),
      ElementsAre("allocator/allocator.cpp:2: allocator (floor 1) includes upwards from live (floor 4); an "
                  "include only ever points down"));
  EXPECT_THAT(
      including("include/proffer/message.hpp", "proffer/formats/codec.hpp"),
      ElementsAre(
          "include/proffer/message.hpp:2: vocabulary (floor 0) includes upwards from formats (floor 2); "
          "an include only ever points down"));
}

TEST(Floors, RoomsOnOneFloorAreBlindToEachOther) {
  EXPECT_THAT(
      including("agent/agent.cpp", "proffer/allocator/allocator.hpp"),
      ElementsAre("agent/agent.cpp:2: agent (floor 1) and allocator (floor 1) are blind to each other; share "
                  "messages or vocabulary instead"));
}

TEST(Floors, AnArrowThatIsNotInTheTableIsCaught) {
  EXPECT_THAT(
      including("agent/agent.cpp", "proffer/sharing/share_tree.hpp"),
      ElementsAre(
          "agent/agent.cpp:2: agent (floor 1) does not see sharing (floor 0); an arrow that is really "
          "meant is one word in floors.cpp"));
}

TEST(Floors, MachinesSeeTheSessionsOfTheGroundFloorAndTheseSeeTheVocabularyOnly) {
  EXPECT_THAT(including("agent/agent_state.hpp", "proffer/session/client_session.hpp"), IsEmpty());
  EXPECT_THAT(including("core/session/client_session.cpp", "proffer/message.hpp"), IsEmpty());
  EXPECT_THAT(including("core/session/client_session.cpp", "proffer/sharing/share_tree.hpp"),
              ElementsAre("core/session/client_session.cpp:2: session (floor 0) and sharing (floor 0) are "
                          "blind to each other; share messages or vocabulary instead"));
  EXPECT_THAT(including("core/message.cpp", "proffer/session/client_session.hpp"),
              ElementsAre("core/message.cpp:2: vocabulary (floor 0) and session (floor 0) are blind to each "
                          "other; share messages or vocabulary instead"));
}

TEST(Floors, PrivateHeadersAreTheRoomsAndItsTestsOwn) {
  EXPECT_THAT(
      including("live/daemon.cpp", "allocator/offer_book.hpp"),
      ElementsAre(
          "live/daemon.cpp:2: \"allocator/offer_book.hpp\" is private to allocator; use its headers in "
          "include/proffer/"));
  EXPECT_THAT(including("include/proffer/allocator/allocator.hpp", "allocator/offer_book.hpp"),
              ElementsAre("include/proffer/allocator/allocator.hpp:2: a public header includes "
                          "\"allocator/offer_book.hpp\", which is private and not installed"));
  EXPECT_THAT(including("allocator/allocator.cpp", "allocator/offer_book.hpp"), IsEmpty());
  EXPECT_THAT(including("tests/allocator/offer_book_test.cpp", "allocator/offer_book.hpp"), IsEmpty());
}

TEST(Floors, AnIncludeThatPointsUpTheLayersOfARoomIsCaught) {
  EXPECT_THAT(including("catalog/tables/paths.cpp", "catalog/state/turn.hpp"),
              ElementsAre("catalog/tables/paths.cpp:2: catalog/tables does not see catalog/state; an "
                          "include points down the layers of catalog in floors.cpp"));
  EXPECT_THAT(including("catalog/names/name_handlers.cpp", "catalog/agents/liveness.hpp"),
              ElementsAre("catalog/names/name_handlers.cpp:2: catalog/names does not see catalog/agents; an "
                          "include points down the layers of catalog in floors.cpp"));
  EXPECT_THAT(including("frameworks/pool/task_pool.cpp", "frameworks/session/turn.hpp"),
              ElementsAre("frameworks/pool/task_pool.cpp:2: frameworks/pool does not see frameworks/session; "
                          "an include points down the layers of frameworks in floors.cpp"));
  EXPECT_THAT(including("frameworks/session/driver.cpp", "frameworks/pool/offer_answer.hpp"),
              ElementsAre("frameworks/session/driver.cpp:2: frameworks/session does not see frameworks/pool; "
                          "an include points down the layers of frameworks in floors.cpp"));
  EXPECT_THAT(including("allocator/tables/offer_book.hpp", "allocator/state/turn.hpp"),
              ElementsAre("allocator/tables/offer_book.hpp:2: allocator/tables does not see allocator/state; "
                          "an include points down the layers of allocator in floors.cpp"));
  EXPECT_THAT(
      including("live/store/fetcher.cpp", "live/host/host.hpp"),
      ElementsAre("live/store/fetcher.cpp:2: live/store does not see live/host; an include points down "
                  "the layers of live in floors.cpp"));
  EXPECT_THAT(including("live/os/open_file.cpp", "live/transport/poller.hpp"),
              ElementsAre("live/os/open_file.cpp:2: live/os does not see live/transport; an include points "
                          "down the layers of live in floors.cpp"));
  EXPECT_THAT(including("live/host/daemon.cpp", "live/os/open_file.hpp"), IsEmpty());
  EXPECT_THAT(including("frameworks/batch/batch.cpp", "frameworks/pool/offer_answer.hpp"), IsEmpty());
  EXPECT_THAT(including("catalog/catalog.cpp", "catalog/tables/paths.hpp"), IsEmpty());
  EXPECT_THAT(including("allocator/offers/offer_pass.cpp", "allocator/tables/offer_book.hpp"), IsEmpty());
  EXPECT_THAT(including("catalog/state/turn.hpp", "catalog/tables/paths.hpp"), IsEmpty());
}

TEST(Floors, AFolderOfARoomWithoutAPlaceInItsOrderIsCaught) {
  EXPECT_THAT(including("catalog/attic/box.cpp", "catalog/tables/paths.hpp"),
              ElementsAre("catalog/attic/box.cpp:2: catalog/attic has no place in the order of catalog; "
                          "give it one in floors.cpp"));
}

TEST(Floors, PartsOfFrameworksAreBlindToEachOther) {
  EXPECT_THAT(
      including("frameworks/policies/wait.cpp", "frameworks/mapreduce/job.hpp"),
      ElementsAre("frameworks/policies/wait.cpp:2: frameworks/policies and frameworks/mapreduce are blind to "
                  "each other"));
  EXPECT_THAT(
      including("frameworks/batch/batch.cpp", "proffer/frameworks/mapreduce.hpp"),
      ElementsAre("frameworks/batch/batch.cpp:2: frameworks/batch and frameworks/mapreduce are blind to each "
                  "other"));
  EXPECT_THAT(including("frameworks/mapreduce/job.cpp", "proffer/frameworks/policy.hpp"), IsEmpty());
}

TEST(Floors, AnIncludeThatPointsUpTheConversationsOfAMapReduceFrameworkIsCaught) {
  const std::string rule =
      "; an include points down the conversations of a MapReduce framework in floors.cpp";
  EXPECT_THAT(including("frameworks/mapreduce/pending.cpp", "frameworks/mapreduce/phases.hpp"),
              ElementsAre("frameworks/mapreduce/pending.cpp:2: pending does not see phases" + rule));
  EXPECT_THAT(including("frameworks/mapreduce/launches.hpp", "frameworks/mapreduce/offers.hpp"),
              ElementsAre("frameworks/mapreduce/launches.hpp:2: launches does not see offers" + rule));
  EXPECT_THAT(including("frameworks/mapreduce/phases.cpp", "frameworks/mapreduce/phases.hpp"), IsEmpty());
  EXPECT_THAT(including("frameworks/mapreduce/phases.cpp", "frameworks/mapreduce/pending.hpp"), IsEmpty());
  EXPECT_THAT(including("frameworks/mapreduce/pending.cpp", "frameworks/mapreduce/turn.hpp"), IsEmpty());
}

TEST(Floors, ClimbingIncludesAreCaught) {
  EXPECT_THAT(including("agent/agent.cpp", "../core/x.hpp"),
              ElementsAre("agent/agent.cpp:2: \"../core/x.hpp\" climbs; name the header from the root of the "
                          "repository"));
}

TEST(Floors, WhatPointsDownIsAllowed) {
  EXPECT_THAT(including("allocator/allocator.cpp", "proffer/sharing/share_tree.hpp"), IsEmpty());
  EXPECT_THAT(including("live/daemon.cpp", "proffer/allocator/allocator.hpp"), IsEmpty());
  EXPECT_THAT(including("cli/proffer_main.cpp", "proffer/live/port.hpp"), IsEmpty());
  EXPECT_THAT(including("core/ids.cpp", "proffer/ids.hpp"), IsEmpty());
}

TEST(Floors, TheTableItselfOnlyPointsDown) {
  for (const auto& room : rooms()) {
    for (const auto name : room.sees) {
      const auto* seen = find_room(name);
      ASSERT_NE(seen, nullptr) << room.name << " sees " << name;
      const bool within_ground_floor = seen->floor == 0 && room.floor == 0 && seen->name == "vocabulary";
      const bool tests_see_faces = room.name == "tests" && seen->floor == 5;
      EXPECT_TRUE(seen->floor < room.floor || within_ground_floor || tests_see_faces)
          << room.name << " sees " << name;
    }
  }
}

TEST(Floors, FilesAndIncludesAreFoundInTheirRooms) {
  EXPECT_EQ(room_of_file("include/proffer/ids.hpp")->name, "vocabulary");
  EXPECT_EQ(room_of_file("include/proffer/messages/agent.hpp")->name, "vocabulary");
  EXPECT_EQ(room_of_file("include/proffer/agent/agent.hpp")->name, "agent");
  EXPECT_EQ(room_of_file("core/sharing/tree.cpp")->name, "sharing");
  EXPECT_EQ(room_of_file("core/session/own_time.cpp")->name, "session");
  EXPECT_EQ(room_of_file("include/proffer/session/own_time.hpp")->name, "session");
  EXPECT_EQ(room_of_file("core/ids.cpp")->name, "vocabulary");
  EXPECT_EQ(room_of_file("scripts/x.cpp"), nullptr);
  EXPECT_EQ(room_of_include("gtest/gtest.h"), nullptr);
}

}  // namespace
}  // namespace proffer::tidy

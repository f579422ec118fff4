// Records of machines, in their stores on disk.
#include <gmock/gmock.h>

#include "live/host/keeping.hpp"
#include "tests/live_host/fake_world.hpp"
#include "tests/live_host/folder.hpp"
#include "tests/live_host/small_disk.hpp"

namespace proffer::live::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Effects with nothing but records.
struct JustKeeping final : KeepingEffects {
  void carry_out(const Action&) override { ++others; }
  int others = 0;
};

/// A machine whose records are in a folder.
struct KeepingWorld {
  explicit KeepingWorld(const std::string& folder)
      : ballast(folder + "/ballast", limits::kSmallBallastBytes),
        store(RecordStore::open(folder + "/records").value()) {
    effects.keep_in(*store, ballast);
    loop.add(host);
    loop.add(ballast);
    ballast.serve(host);
  }
  /// The machine does this in one turn.
  void act(Actions todo) {
    machine.react = [&](const Event& event, Actions& actions, Time) {
      if (std::holds_alternative<TimePassed>(event)) actions = std::exchange(todo, {});
    };
    host.deliver(TimePassed{});
    loop.turn(Duration::zero());
  }
  Room room() const {
    const auto all = machine.all<StoreRoom>();
    return all.empty() ? Room::plenty : all.back().room;
  }

  Context context;
  Loop loop;
  FakeMachine machine;
  MachineAdapter<FakeMachine> driven{machine};
  JustKeeping effects;
  Ballast ballast;
  std::unique_ptr<RecordStore> store;
  Host host{context, loop, driven, effects};
};

std::vector<Kept> records_in(const std::string& folder) {
  return RecordStore::open(folder + "/records").value()->records();
}

KeepRecord keep(const std::string& key, const std::string& value = "") { return {KeptNote{key, value}}; }

TEST(Keeping, RecordsOfOneLifeAreThereInTheNext) {
  Folder folder;
  {
    KeepingWorld world(folder.path());
    world.act({keep("a", "1"), keep("b"), DropBlock{{1}}});
    world.act({keep("a", "2"), DropRecord{key_of_note("b")}, DropBlock{{1}}});
    EXPECT_EQ(world.effects.others, 2);
  }
  EXPECT_THAT(records_in(folder.path()), ElementsAre(Kept(KeptNote{"a", "2"})));
}

TEST(Keeping, WithoutAStoreAllIsForgotten) {
  FakeWorld world;
  JustKeeping effects;
  EXPECT_TRUE(effects.keep_record(keep("a")).ok());
  EXPECT_TRUE(effects.drop_record({key_of_note("a")}).ok());
  EXPECT_TRUE(effects.commit().ok());
  EXPECT_FALSE(effects.make_room({}));
}

TEST(Keeping, AFullDiskTellsTheMachineKeepsWhatItSaidAndEndsWhenThereIsRoom) {
  const SmallDisk disk("8m");
  PROFFER_NEEDS_DISK(disk);
  std::vector<std::string> said;
  {
    KeepingWorld world(disk.path());
    disk.fill();
    for (int n = 0; n < 3000 && world.room() == Room::plenty; ++n) {
      said.push_back(std::to_string(n));
      world.act({keep(said.back(), std::string(200, 'x')), DropBlock{{1}}});
    }
    EXPECT_NE(world.room(), Room::plenty);
    EXPECT_EQ(world.effects.others, static_cast<int>(said.size())) << "none had to wait";
    disk.make_room();
    const auto until = steady_now() + std::chrono::seconds(5);
    while (world.room() != Room::plenty && steady_now() < until)
      world.loop.turn(std::chrono::milliseconds(50));
    EXPECT_EQ(world.room(), Room::plenty);
  }
  EXPECT_EQ(records_in(disk.path()).size(), said.size());
}

TEST(Keeping, ADiskThatSomebodyFillsAgainAndAgainHoldsTheMachineAndLosesNothing) {
  const SmallDisk disk("8m");
  PROFFER_NEEDS_DISK(disk);
  int acts = 0;
  {
    KeepingWorld world(disk.path());
    while (acts < 5000 && world.effects.others == acts) {
      disk.fill();  // whatever is freed, somebody takes
      world.act({keep(std::to_string(acts++), std::string(3000, 'x')), DropBlock{{1}}});
    }
    EXPECT_EQ(world.room(), Room::none);
    EXPECT_EQ(world.effects.others, acts - 1) << "the newest is not durable: nobody may know of it";
    disk.make_room();
    const auto until = steady_now() + std::chrono::seconds(5);
    while (world.effects.others < acts && steady_now() < until)
      world.loop.turn(std::chrono::milliseconds(50));
    EXPECT_EQ(world.effects.others, acts);
  }
  EXPECT_EQ(records_in(disk.path()).size(), static_cast<std::size_t>(acts));
}

}  // namespace
}  // namespace proffer::live::test

// The pieces of launcher and executor that need no process.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <fstream>

#include "live/run/find_program.hpp"
#include "live/run/packet_channel.hpp"
#include "live/run/task_frames.hpp"
#include "proffer/limits.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string said(const std::string& bytes) { return task_frame(TaskFrameKind::message, bytes); }
std::string result(const std::string& bytes) { return task_frame(TaskFrameKind::result, bytes); }

TEST(TaskFrames, AreLengthKindAndBytes) {
  EXPECT_EQ(said("ab"), std::string("\2\0\0\0\0ab", 7));
  EXPECT_EQ(result(std::string(258, 'x')).substr(0, 5), std::string("\2\1\0\0\1", 5));
}

TEST(TaskFrames, ComeInAnyPieces) {
  TaskFrames frames;
  const auto all = said("one") + result("r") + said("") + said("three");
  std::vector<std::string> words;
  for (const char byte : all) {
    const auto [whole, sound] = frames.feed({&byte, 1});
    EXPECT_TRUE(sound);
    for (const auto& frame : whole) words.push_back(frame.bytes);
  }
  EXPECT_THAT(words, ElementsAre("one", "", "three"));
  EXPECT_EQ(frames.result(), "r");
}

TEST(TaskFrames, TheNewestResultCounts) {
  TaskFrames frames;
  EXPECT_TRUE(frames.feed(result("a") + result("b")).second);
  EXPECT_EQ(frames.result(), "b");
}

TEST(TaskFrames, TooLongOrUnknownOnesEndTheTalk) {
  EXPECT_TRUE(TaskFrames().feed(said(std::string(limits::kTextBytes, 'x'))).second);
  TaskFrames chatty;
  const auto [before, sound] = chatty.feed(said("ok") + said(std::string(limits::kTextBytes + 1, 'x')));
  EXPECT_FALSE(sound);
  EXPECT_THAT(before, ElementsAre(TaskFrame{TaskFrameKind::message, "ok"}));
  EXPECT_TRUE(TaskFrames().feed(result(std::string(limits::kResultBytes, 'x'))).second);
  EXPECT_FALSE(TaskFrames().feed(result(std::string(limits::kResultBytes + 1, 'x'))).second);
  EXPECT_FALSE(TaskFrames().feed(std::string("\0\0\0\0\7", 5)).second);
  EXPECT_FALSE(TaskFrames().feed(task_frame(TaskFrameKind::inputs, "x")).second) << "a task gives none";
  EXPECT_TRUE(TaskFrames(TaskFrames::From::agent).feed(task_frame(TaskFrameKind::inputs, "x")).second);
}

struct Channels {
  Channels() : Channels(ends()) {}
  explicit Channels(std::array<int, 2> fds) : a(Descriptor(fds[0])), b(Descriptor(fds[1])) {}
  static std::array<int, 2> ends() {
    std::array<int, 2> fds{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    return fds;
  }
  PacketChannel a;
  PacketChannel b;
};

Packet spawn_packet() {
  Packet packet;
  packet.type = PacketType::spawn;
  packet.launch = {3, 4};
  packet.number = -5;
  packet.exit = {6, 7};
  packet.cap = 1ull << 40;
  packet.has_result = true;
  packet.bytes = std::string("a\0b", 3);
  packet.text = "/folder";
  packet.argv = {"sh", "", "-c"};
  packet.env = {"A=1"};
  return packet;
}

TEST(PacketChannel, CarriesPacketsWhole) {
  Channels ends;
  ends.a.send(spawn_packet());
  ends.a.send(Packet{});
  EXPECT_THAT(ends.b.receive(), ElementsAre(spawn_packet(), Packet{}));
}

TEST(PacketChannel, QueuesWhatTheOtherEndDoesNotTakeAndLosesNothing) {
  Channels ends;
  auto packet = spawn_packet();
  packet.bytes.assign(300'000, 'x');
  for (int i = 0; i < 10; ++i) ends.a.send(packet);
  EXPECT_GT(ends.a.queued(), 0u);
  std::vector<Packet> got;
  EXPECT_TRUE(eventually([&] {
    ends.a.flush();
    for (auto& one : ends.b.receive()) got.push_back(std::move(one));
    return got.size() == 10;
  }));
  EXPECT_EQ(ends.a.queued(), 0u);
  EXPECT_EQ(got.back(), packet);
}

TEST(PacketChannel, TheEndComesAfterWhatWasSaid) {
  Channels ends;
  ends.a.send(Packet{});
  ends.a.close();
  EXPECT_THAT(ends.b.receive(), SizeIs(1));
  EXPECT_FALSE(ends.b.open());
  ends.b.send(Packet{});
  EXPECT_THAT(ends.b.receive(), IsEmpty());
}

TEST(PacketChannel, SendingToAClosedEndIsHarmless) {
  Channels ends;
  ends.a.close();
  ends.b.send(Packet{});
  EXPECT_EQ(ends.b.queued(), 0u);
  EXPECT_THAT(ends.b.receive(), IsEmpty());
  EXPECT_FALSE(ends.b.open());
}

TEST(FindProgram, LooksThroughPathInOrder) {
  Folder folder;
  for (const auto* name : {"first", "second"}) ::mkdir(folder.path(name).c_str(), 0700);
  const auto make = [&](const std::string& name, mode_t mode) {
    std::ofstream(folder.path(name)) << "x";
    ::chmod(folder.path(name).c_str(), mode);
  };
  make("first/plain", 0600);
  make("second/plain", 0700);
  make("here", 0700);
  const std::vector<std::string> env{"A=1", "PATH=" + folder.path("first") + ":" + folder.path("second")};
  EXPECT_EQ(find_program("plain", env, "/"), folder.path("second/plain"));
  EXPECT_EQ(find_program("here", env, folder.path()), std::nullopt);
  EXPECT_EQ(find_program("here", {"PATH=/none:."}, folder.path()), folder.path("./here"));
  EXPECT_EQ(find_program("./x", env, "/"), "./x");
  EXPECT_EQ(find_program("first", {"PATH=" + folder.path()}, "/"), std::nullopt) << "a folder is no program";
  EXPECT_TRUE(find_program("sh", {}, "/")) << "without PATH the usual folders";
}

}  // namespace
}  // namespace proffer::live::run_test

// What becomes of traces: the event log, and lines for people.
#include <gmock/gmock.h>

#include "live/host/event_log_writer.hpp"
#include "live/host/trace_log.hpp"
#include "live/host/traced.hpp"
#include "proffer/formats/event_log.hpp"
#include "proffer/live/log.hpp"
#include "tests/live_host/folder.hpp"

namespace proffer::live::test {
namespace {

using testing::ElementsAre;

std::vector<TraceLine> lines_of(const std::string& text) {
  std::vector<TraceLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    EXPECT_NE(end, std::string::npos) << "the last line is not complete";
    auto line = parse_trace(std::string_view(text).substr(begin, end - begin));
    EXPECT_TRUE(line.ok());
    if (line.ok()) lines.push_back(*line);
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return lines;
}

TEST(EventLogWriter, NumbersItsLinesAndHasThemOnDiskAtItsEnd) {
  Folder folder;
  {
    const auto log = EventLogWriter::open(folder.path("events.jsonl"), "catalog").value();
    log->write(FileChanged{"/a", "created"}, time_from_us(10));
    log->write(FileChanged{"/a", "completed"}, time_from_us(20));
  }
  const auto lines = lines_of(folder.read("events.jsonl"));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].source, "catalog");
  EXPECT_EQ(lines[0].seq, 1u);
  EXPECT_EQ(lines[1].seq, 2u);
  EXPECT_NE(lines[0].life, 0u);
  EXPECT_EQ(lines[1].life, lines[0].life);
  EXPECT_EQ(lines[1].time, time_from_us(20));
  EXPECT_EQ(std::get<FileChanged>(lines[1].trace).what, "completed");
}

TEST(EventLogWriter, WritesWithinASecondOrWhenMuchHasGathered) {
  Folder folder;
  Loop loop;
  const auto log = EventLogWriter::open(folder.path("events.jsonl"), "catalog").value();
  loop.add(*log);
  const auto begin = steady_now();
  log->write(FileChanged{"/a", "created"}, begin);
  EXPECT_EQ(folder.read("events.jsonl"), "");
  while (folder.read("events.jsonl").empty()) {
    ASSERT_LT(steady_now() - begin, std::chrono::seconds(10));
    loop.turn({});
  }
  EXPECT_GE(steady_now() - begin, std::chrono::seconds(1));
  for (int i = 0; i < 3000; ++i) log->write(FileChanged{"/a/rather/long/path", "created"}, begin);
  EXPECT_GT(folder.read("events.jsonl").size(), 64u << 10);
}

TEST(EventLogWriter, ThatCannotBeOpenedSaysWhy) {
  Folder folder;
  const auto log = EventLogWriter::open(folder.path("missing/events.jsonl"), "catalog");
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code, ErrorCode::io);
}

TEST(TracedEffects, RefusedMessagesDoNotFillTheDisk) {
  Folder folder;
  {
    TracedEffects effects;
    ASSERT_TRUE(effects.trace_to(folder.path("events.jsonl"), "allocator").ok());
    const auto refuse = [&](Time now) {
      effects.on_trace(MessageRefused{"KILL", ErrorCode::not_found, "no such task"}, now);
    };
    for (int i = 0; i < 1000; ++i) refuse(time_from_us(5'000'000));
    effects.on_trace(FileChanged{"/a", "created"}, time_from_us(5'000'000));
    refuse(time_from_us(6'000'000));
  }
  EXPECT_EQ(lines_of(folder.read("events.jsonl")).size(), 102u);
}

TEST(TraceLog, SumsDeclinesByFrameworkAndReason) {
  TraceLog log;
  const FrameworkId known{{1, 1}};
  log.write(FrameworkSubscribed{known, "wordcount", "shared"}, Time{});
  for (int i = 0; i < 3; ++i)
    log.write(OfferDeclined{{}, known, {}, DeclineReason::no_node_local, {}, 0}, Time{});
  log.write(OfferDeclined{{}, known, {}, DeclineReason::too_small, {}, 0}, Time{});
  EXPECT_THAT(log.take_declines(),
              ElementsAre("framework wordcount: declined=4 (no-node-local 3, too-small 1)"));
  EXPECT_TRUE(log.take_declines().empty());
}

TEST(Log, KnowsItsLevels) {
  for (const auto* level : {"debug", "info", "warn", "error", "off"})
    EXPECT_TRUE(log::start("x", level).ok());
  EXPECT_FALSE(log::start("x", "loud").ok());
  ASSERT_TRUE(log::start("x", "warn").ok());
  testing::internal::CaptureStderr();
  log::info("not shown");
  log::warn("shown {} as it is");
  const auto text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("not shown"), std::string::npos);
  EXPECT_NE(text.find("x: shown {} as it is\n"), std::string::npos);
}

}  // namespace
}  // namespace proffer::live::test

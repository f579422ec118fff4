#include "proffer/formats/units.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "proffer/bulk.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;

TEST(Units, DurationsAreReadExactly) {
  EXPECT_EQ(parse_duration("0s").value(), 0us);
  EXPECT_EQ(parse_duration("7us").value(), 7us);
  EXPECT_EQ(parse_duration("500ms").value(), 500ms);
  EXPECT_EQ(parse_duration("1.5s").value(), 1500ms);
  EXPECT_EQ(parse_duration("10m").value(), 10min);
  EXPECT_EQ(parse_duration("0.25h").value(), 15min);
  EXPECT_EQ(parse_duration("2d").value(), 48h);
  EXPECT_EQ(parse_duration("1.000001s").value(), 1000001us);
  EXPECT_EQ(parse_duration("9007199254740992us").value(), Duration{1ll << 53});
}

TEST(Units, WhatIsNoDurationIsRefusedWithAnExample) {
  for (const auto* text :
       {"", "5", "s", "-5s", "+5s", "5 s", " 5s", "5S", "5sec", ".5s", "5.s", "1e3s", "0x5s", "1m30s"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(
        parsed.error().message,
        "\"" + std::string(text) + "\" is not a duration: a number and us, ms, s, m, h or d, as in \"5s\"");
  }
}

TEST(Units, DurationsThatCannotBeCountedAreRefused) {
  for (const auto* text :
       {"0.5us", "1.05us", "1.0000001s", "9007199254740993us", "300000d", "0.000000001h"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(
        parsed.error().message,
        "\"" + std::string(text) + "\": only whole microseconds, and at most 285 years, can be counted");
  }
}

TEST(Units, SizesAreReadInPowersOf1000And1024) {
  EXPECT_EQ(parse_bytes("1B").value(), 1u);
  EXPECT_EQ(parse_bytes("3KB").value(), 3000u);
  EXPECT_EQ(parse_bytes("64MiB").value(), 64u << 20);
  EXPECT_EQ(parse_bytes("1GB").value(), 1000000000u);
  EXPECT_EQ(parse_bytes("2TiB").value(), 2ull << 40);
  EXPECT_EQ(parse_rate("512KiB/s").value(), 512u << 10);
}

TEST(Units, WhatIsNoSizeOrRateIsRefused) {
  for (const auto* text :
       {"", "64", "MiB", "0MiB", "-1MiB", "1.5MiB", "64mib", "64 MiB", "9999999TiB", "64MiB/s"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
  for (const auto* text : {"", "512KiB", "512KiBs", "0B/s", "/s", "512KiB/m", "512KiB/s "}) {
    EXPECT_FALSE(parse_rate(text)) << text;
  }
  EXPECT_EQ(parse_rate("5MB").error().message,
            "\"5MB\" is not a rate: a size per second, as in \"512KiB/s\"");
}

TEST(Units, SlotsAreReadByKind) {
  EXPECT_EQ(parse_slots("map=2,reduce=1").value(), (Resources{{Kind("map"), 2}, {Kind("reduce"), 1}}));
  EXPECT_EQ(parse_slots("reduce=1024").value(), (Resources{{Kind("reduce"), 1024}}));
}

TEST(Units, WhatAreNoSlotsIsRefusedWithTheReason) {
  const auto wrong = [](std::string_view text) { return parse_slots(text).error().message; };
  for (const auto* text :
       {"", "map", "map=", "=2", "map=-1", "map=2,", ",map=2", "MAP=2", "map=2;reduce=1", "map=2=3"}) {
    EXPECT_EQ(wrong(text),
              "\"" + std::string(text) + "\" is not slots: kinds with numbers, as in \"map=2,reduce=1\"");
  }
  EXPECT_EQ(wrong("map=0"), "\"map=0\": map must be 1 to 1024");
  EXPECT_EQ(wrong("map=1025"), "\"map=1025\": map must be 1 to 1024");
  EXPECT_EQ(wrong("map=1,map=1"), "\"map=1,map=1\": map stands twice");
}

TEST(Units, BulkResourcesAreReadAsPeopleCountThem) {
  const Resources both{{kCpus, 1500}, {kGpus, 2}, {kMemory, 4096}};
  EXPECT_EQ(parse_slots("memory=4GiB,cpus=1.5,gpus=2").value(), both);
  EXPECT_EQ(format_resources(both), "cpus=1.5 gpus=2 memory=4GiB");
  EXPECT_EQ(parse_need("cpus=0.001").value(), (Resources{{kCpus, 1}}));
  const auto wrong = [](std::string_view text) { return parse_need(text).error().message; };
  EXPECT_EQ(wrong("cpus=0.0001"),
            "\"cpus=0.0001\": cpus is a number of processors, with at most three decimals, as in 1.5");
  EXPECT_EQ(wrong("cpus=1,memory=4"),
            "\"cpus=1,memory=4\": memory is a size of whole MiB, as in \"512MiB\" or \"32GiB\"");
  EXPECT_EQ(wrong("cpus=0"), "\"cpus=0\": cpus must be 0.001 to 67108.864");
  EXPECT_EQ(wrong("memory=1GiB"), "\"memory=1GiB\": a task takes some cpus, as in cpus=1");
  EXPECT_EQ(
      wrong("cpus=1,map=1"),
      "\"cpus=1,map=1\": a task takes one slot, or bulk resources (cpus, memory, gpus), and map is none "
      "of these");
}

TEST(Units, SlotsOfTooManyKindsAreRefused) {
  std::string text = "k0=1";
  for (int i = 1; i < 16; ++i) text += ",k" + std::to_string(i) + "=1";
  EXPECT_TRUE(parse_slots(text));
  EXPECT_FALSE(parse_slots(text + ",k16=1"));
}

TEST(Units, FormattingUsesTheLargestExactUnit) {
  EXPECT_EQ(format_duration(90s), "90s");
  EXPECT_EQ(format_duration(60s), "1m");
  EXPECT_EQ(format_duration(0s), "0s");
  EXPECT_EQ(format_duration(-1500us), "-1500us");
  EXPECT_EQ(format_bytes(64 << 20), "64MiB");
  EXPECT_EQ(format_bytes(1000), "1KB");
  EXPECT_EQ(format_bytes(0), "0B");
  EXPECT_EQ(format_rate(524288), "512KiB/s");
}

TEST(Units, WhatIsFormattedIsReadBack) {
  for (const std::int64_t n :
       {1ll, 999ll, 1000ll, 1024ll, 60000000ll, 3600000001ll, 1ll << 40, (1ll << 53) - 1}) {
    EXPECT_EQ(parse_duration(format_duration(Duration{n})).value(), Duration{n});
    EXPECT_EQ(parse_bytes(format_bytes(static_cast<std::uint64_t>(n))).value(),
              static_cast<std::uint64_t>(n));
    EXPECT_EQ(parse_rate(format_rate(static_cast<std::uint64_t>(n))).value(), static_cast<std::uint64_t>(n));
  }
}

}  // namespace
}  // namespace proffer

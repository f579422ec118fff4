// Texts from outside.
#include "proffer/formats/text.hpp"

#include <gmock/gmock.h>

namespace proffer::formats {
namespace {

TEST(Text, WellFormedTextIsUtf8) {
  for (const auto* text : {"", "plain", "zo\xc3\xab", "\xe2\x82\xac", "\xf0\x9f\x90\x9d"})
    EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Text, LoneOverlongSurrogateAndTooLargeBytesAreNoUtf8) {
  for (const auto* text :
       {"\xff", "a\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Text, EachByteOfNoCharacterIsReplaced) {
  EXPECT_EQ(to_utf8("a\xff\xfe"
                    "b",
                    100),
            "a\xef\xbf\xbd\xef\xbf\xbd"
            "b");
  EXPECT_EQ(to_utf8("\xe2\x82", 100), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(to_utf8("plain", 3), "pla");
  EXPECT_EQ(to_utf8("zo\xc3\xab", 3), "zo");
  EXPECT_EQ(to_utf8("zo\xc3\xab", 4), "zo\xc3\xab");
}

TEST(Text, WhatIsPrintableHasNoControlCharacters) {
  EXPECT_EQ(printable("red\x1b[31m\nnext\t\x7f"), "red?[31m?next??");
  EXPECT_EQ(printable("c1 \xc2\x9b"), "c1 ?");
  EXPECT_EQ(printable("zo\xc3\xab\xff"), "zo\xc3\xab\xef\xbf\xbd");
}

TEST(Text, ControlCharactersMayBeKept) {
  EXPECT_EQ(printable("a\n\x1b"
                      "b",
                      "\n"),
            "a\n?b");
}

}  // namespace
}  // namespace proffer::formats

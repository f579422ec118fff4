// Normal paths.
#include <gtest/gtest.h>

#include "proffer/catalog/catalog.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

TEST(Paths, SpellingsOfOnePathBecomeOne) {
  for (const auto* text : {"a/b", "/a/b", "a/b/", "//a//b//"}) EXPECT_EQ(*normal_path(text), "/a/b") << text;
  EXPECT_EQ(*normal_path("/"), "/");
  EXPECT_EQ(*normal_path("/a b/ü.txt"), "/a b/ü.txt");
}

TEST(Paths, EmptyRelativeAndControlOnesAreInvalid) {
  for (const auto& text : {std::string(), std::string("a/./b"), std::string("../a"), std::string("a\nb"),
                           std::string("a\0b", 3), std::string("\x7f")}) {
    const auto path = normal_path(text);
    ASSERT_FALSE(path.ok());
    EXPECT_EQ(path.error().code, ErrorCode::invalid);
    EXPECT_EQ(path.error().message.find('\n'), std::string::npos);
  }
}

TEST(Paths, LengthsAreBounded) {
  EXPECT_TRUE(normal_path(std::string(255, 'x')).ok());
  EXPECT_FALSE(normal_path(std::string(256, 'x')).ok());
  std::string deep;
  while (deep.size() + 2 <= limits::kPathBytes) deep += "/x";
  EXPECT_TRUE(normal_path(deep).ok());
  EXPECT_FALSE(normal_path(deep + "/x").ok());
}

}  // namespace
}  // namespace proffer

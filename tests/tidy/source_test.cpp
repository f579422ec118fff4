#include "tests/tidy/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> word_texts(std::string text) {
  const Source source("core/x.cpp", std::move(text));
  std::vector<std::string> texts;
  for (const auto& word : words(source)) texts.emplace_back(word.text);
  return texts;
}

TEST(Source, CommentsAndLiteralsAreNoCode) {
  EXPECT_THAT(word_texts("a; // sleep\n/* time(\n) */ b;"), ElementsAre("a", "b"));
  EXPECT_THAT(word_texts(R"(a("getenv \" rand", 'x', '\'');)"), ElementsAre("a"));
  EXPECT_THAT(word_texts("a(R\"x(\"time\" )\" y)x\"); b;"), ElementsAre("a", "R", "b"));
}

TEST(Source, DigitSeparatorsAreNoCharacters) {
  EXPECT_THAT(word_texts("1'000 + a"), ElementsAre("1", "000", "a"));
}

TEST(Source, IncludesCarryTheirLine) {
  const Source source("core/x.cpp", "// one\n#include \"a/b.hpp\"\n#  include <zmq.hpp>\n");
  ASSERT_EQ(source.includes().size(), 2u);
  EXPECT_EQ(source.includes()[0].line, 2);
  EXPECT_EQ(source.includes()[0].path, "a/b.hpp");
  EXPECT_FALSE(source.includes()[0].angled);
  EXPECT_EQ(source.includes()[1].line, 3);
  EXPECT_TRUE(source.includes()[1].angled);
}

TEST(Source, IncludesInLiteralsAndCommentsDoNotCount) {
  EXPECT_THAT(Source("core/x.cpp", "auto a = R\"(\n#include <zmq.hpp>\n)\";").includes(), IsEmpty());
  EXPECT_THAT(Source("core/x.cpp", "/*\n#include <zmq.hpp>\n*/").includes(), IsEmpty());
}

TEST(Source, BlankingKeepsLengthAndLines) {
  const std::string text = "#include <a>\nint f() { return '\\n'; } // c\n\"un\nclosed\n/* open\n";
  const Source source("core/x.cpp", text);
  EXPECT_EQ(source.code().size(), text.size());
  EXPECT_EQ(std::count(source.code().begin(), source.code().end(), '\n'), source.lines());
}

}  // namespace
}  // namespace proffer::tidy

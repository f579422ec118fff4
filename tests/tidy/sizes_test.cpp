#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string statements(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += "  f({1, 2});\n";
  return text;
}

std::vector<std::string> sizes(std::string text) {
  return planted(check_sizes, "agent/x.cpp", std::move(text));
}

TEST(Sizes, AFunctionPastTheBoundIsCaught) {
  EXPECT_THAT(sizes("namespace a {\nvoid grow(int x) {\n" + statements(69) + "}\n}\n"),
              ElementsAre("agent/x.cpp:2: grow has 71 lines; 70 are the most, and good ones have about ten"));
  EXPECT_THAT(sizes("namespace a {\nvoid grow(int x) {\n" + statements(68) + "}\n}\n"), IsEmpty());
}

TEST(Sizes, MembersConstructorsTemplatesAndTestsAreFunctions) {
  const auto body = "{\n" + statements(70) + "}\n";
  EXPECT_THAT(sizes("struct A {\n  int b = 1;\n  int get() const " + body + "};\n"),
              ElementsAre("agent/x.cpp:3: get has 72 lines; 70 are the most, and good ones have about ten"));
  EXPECT_THAT(sizes("A::A(int x) : a_{x}, b_(x) " + body),
              ElementsAre("agent/x.cpp:1: A::A has 72 lines; 70 are the "
                          "most, and good ones have about ten"));
  EXPECT_THAT(sizes("template <class T>\nauto get(T t) -> int " + body),
              ElementsAre("agent/x.cpp:2: get has 72 lines; 70 are the most, and good ones have about ten"));
  EXPECT_THAT(sizes("TEST(Agent, Works) " + body),
              ElementsAre("agent/x.cpp:1: TEST(Agent, Works) has 72 lines; 70 are "
                          "the most, and good ones have about ten"));
}

TEST(Sizes, TablesClassesAndNamespacesMayBeLonger) {
  EXPECT_THAT(sizes("const std::array kTable{\n" + statements(80) + "};\n"), IsEmpty());
  EXPECT_THAT(sizes("const int table[] = {\n" + statements(80) + "};\n"), IsEmpty());
  std::string members;
  for (int i = 0; i < 80; ++i) members += "  int get() const { return 1; }\n";
  EXPECT_THAT(sizes("namespace a {\nclass B final : public C {\n" + members + "};\n}\n"), IsEmpty());
}

TEST(Sizes, BracesInDirectivesAndLiteralsDoNotCount) {
  EXPECT_THAT(
      sizes("#define OPEN(x) \\\n  void x() {\nvoid f() { g(\"{\", '{'); }\n" + std::string(80, '\n')),
      IsEmpty());
}

TEST(Sizes, AFilePastTheBoundIsCaught) {
  EXPECT_THAT(
      sizes(std::string(601, '\n')),
      ElementsAre(
          "agent/x.cpp:601: the file has 601 lines; 600 are the most, so give each noun a file of its "
          "own"));
  EXPECT_THAT(sizes(std::string(600, '\n')), IsEmpty());
  EXPECT_THAT(planted(check_sizes, "docs/LONG.md", std::string(2000, '\n')), IsEmpty());
}

}  // namespace
}  // namespace proffer::tidy

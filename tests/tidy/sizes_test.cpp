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

std::string repeated(const std::string& before, int times, const std::string& after) {
  std::string text;
  for (int i = 0; i < times; ++i) text += "  " + before + std::to_string(i) + after + "\n";
  return text;
}

TEST(Sizes, AStructPastTheBoundOfDataMembersIsCaught) {
  EXPECT_THAT(
      sizes("namespace a {\nstruct B {\n" + repeated("int x", 21, " = 0;") + "};\n}\n"),
      ElementsAre("agent/x.cpp:2: B has 21 data members; 20 are the most, so give each noun in it a class "
                  "with one invariant"));
  EXPECT_THAT(sizes("namespace a {\nstruct B {\n" + repeated("int x", 20, " = 0;") + "};\n}\n"), IsEmpty());
}

TEST(Sizes, EveryKindOfDataMemberCounts) {
  const std::string kinds =
      "  std::map<int, std::vector<int>> a;\n  int b, c{2};\n  void (*d)(int);\n"
      "  std::function<void(int)> e = [](int x) { f(x); };\n";
  const auto with = [&](int more) {
    return sizes("class B : public C<int> {\n public:\n" + kinds + repeated("int x", more, "{1};") + "};\n");
  };
  EXPECT_THAT(with(16), ElementsAre(::testing::HasSubstr("B has 21 data members")));
  EXPECT_THAT(with(15), IsEmpty());
}

TEST(Sizes, WhatIsNoDataMemberDoesNotCount) {
  const std::string others =
      "  static constexpr int kMost = 1 << 2;\n  static int count;\n  using X = std::map<int, int>;\n"
      "  friend class D;\n  enum class E : int { one, two };\n  struct F;\n  struct G { int g = 0; };\n"
      "  bool operator==(const B&) const = default;\n  int get(int x = 1) const;\n";
  EXPECT_THAT(sizes("struct B {\n" + others + repeated("int x", 20, ";") + "};\n"), IsEmpty());
}

TEST(Sizes, AClassPastTheBoundOfFunctionsIsCaught) {
  EXPECT_THAT(
      sizes("class B {\n public:\n" + repeated("int get", 15, "() const;") +
            repeated("void set", 16, "(int x) { y_ = x; }") + "};\n"),
      ElementsAre(
          "agent/x.cpp:1: B has 31 member functions; 30 are the most, so give each noun in it a class "
          "with one invariant"));
}

TEST(Sizes, AFixtureOfTestsMayHaveMoreFunctionsButNoMoreDataMembers) {
  const auto fixture = [](const std::string& members) {
    return planted(check_sizes, "tests/agent/stage.hpp", "class Stage {\n" + members + "};\n");
  };
  EXPECT_THAT(fixture(repeated("void say", 40, "();")), IsEmpty());
  EXPECT_THAT(fixture(repeated("int x", 21, ";")),
              ElementsAre(::testing::HasSubstr("Stage has 21 data members")));
}

TEST(Sizes, OverloadsOperatorsConstructorsAndOverridesAreNoFurtherFunctions) {
  const std::string more =
      "  explicit B(int x) : x_(x) {}\n  ~B();\n  B(const B&) = delete;\n  B& operator=(const B&) = delete;\n"
      "  void step(int x) override;\n  int next() const override { return 1; }\n"
      "  void get0(int x);\n  template <class T>\n  void get1(T x) { get0(x); }\n  explicit operator bool() "
      "const;\n";
  EXPECT_THAT(sizes("class B {\n public:\n" + more + repeated("int get", 30, "() const;") + "};\n"),
              IsEmpty());
}

TEST(Sizes, MembersOfNestedClassesAreTheirOwn) {
  const auto nested = "  struct C {\n" + repeated("int x", 21, ";") + "  };\n";
  EXPECT_THAT(sizes("class B {\n" + nested + "  C c;\n};\n"),
              ElementsAre(::testing::HasSubstr("C has 21 data members")));
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

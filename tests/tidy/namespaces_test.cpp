#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string in(const std::string& space, const std::string& text) {
  return "namespace " + space + " {\n" + text + "}\n";
}

std::vector<std::string> namespaces(std::string path, std::string text) {
  return planted(check_namespaces, std::move(path), std::move(text));
}

TEST(Namespaces, APrivateHeaderDeclaresInTheNamespaceOfItsFolder) {
  EXPECT_THAT(namespaces("agent/turn.hpp", in("proffer", "struct Turn {};\n")),
              ElementsAre("agent/turn.hpp:2: this stands in proffer; headers with private code of agent/ "
                          "declare in proffer::agent"));
  EXPECT_THAT(namespaces("agent/turn.hpp", in("proffer::agent", "struct Turn {};\n")), IsEmpty());
  EXPECT_THAT(namespaces("agent/turn.hpp", in("proffer", in("agent", "struct Turn {};\n"))), IsEmpty());
}

TEST(Namespaces, FunctionsAndConstantsOfAPrivateHeaderStandThereToo) {
  EXPECT_THAT(namespaces("sim/x.hpp", in("proffer", "int late();\n")), ElementsAre(HasSubstr("sim/x.hpp:2")));
  EXPECT_THAT(namespaces("sim/x.hpp", in("proffer::live", "inline int f() { return 1; }\n")),
              ElementsAre(HasSubstr("this stands in proffer::live")));
  EXPECT_THAT(namespaces("sim/x.hpp", "constexpr int kMost{1};\n"),
              ElementsAre(HasSubstr("this stands in the global namespace")));
}

TEST(Namespaces, AnInnerNamespaceIsTheFoldersUnlessItIsAnotherFolders) {
  EXPECT_THAT(namespaces("study/why/x.hpp", in("proffer::study::why", "struct Scene {};\n")), IsEmpty());
  EXPECT_THAT(namespaces("core/x.hpp", in("proffer::detail", "struct Setters {};\n")), IsEmpty());
  EXPECT_THAT(namespaces("core/x.hpp", in("proffer::agent", "struct Turn {};\n")),
              ElementsAre(HasSubstr("declare in proffer")));
  EXPECT_THAT(namespaces("live/x.hpp", in("proffer::liver", "struct Turn {};\n")),
              ElementsAre(HasSubstr("declare in proffer::live")));
}

TEST(Namespaces, PartsOfFrameworksHaveTheirOwn) {
  const auto text = in("proffer::mapreduce", "struct Job {};\n");
  EXPECT_THAT(namespaces("frameworks/mapreduce/job.hpp", text), IsEmpty());
  EXPECT_THAT(namespaces("frameworks/pool/job.hpp", text),
              ElementsAre(HasSubstr("declare in proffer::frameworks")));
}

TEST(Namespaces, WhatIsElsewhereMayBeNamedInAHeader) {
  const auto text = in("CLI", "class App;\n") + in("proffer", "class Agent;\n") +
                    "template <>\nstruct std::hash<proffer::agent::Key> {\n  int x;\n};\n";
  EXPECT_THAT(namespaces("agent/x.hpp", text), IsEmpty());
}

TEST(Namespaces, ASourceDefinesInProfferWhatPublicHeadersDeclare) {
  const auto text = in("proffer", "struct Agent::Impl {\n  int x = 0;\n};\nAgent::Agent() : a_{1} {}\n" +
                                      in("", "struct Turn {};\n") + "Result<> check(int x) { return {}; }\n");
  EXPECT_THAT(namespaces("agent/agent.cpp", text), IsEmpty());
}

TEST(Namespaces, ATypeOfASourceStandsNotInProfferItself) {
  const auto planted_in = [](const std::string& type) {
    return namespaces("agent/agent.cpp", in("proffer", type));
  };
  const auto caught = ElementsAre(
      "agent/agent.cpp:2: Turn stands in proffer; a type of private code of agent/ stands in proffer::agent "
      "or in a namespace without a name");
  EXPECT_THAT(planted_in("struct Turn : BaseTurn {\n  int x;\n};\n"), caught);
  EXPECT_THAT(planted_in("template <class T, int n = 1>\nclass Turn final {\n};\n"), caught);
  EXPECT_THAT(planted_in("struct [[nodiscard]] Turn {};\n"), caught);
  EXPECT_THAT(planted_in("enum class Turn: int { left, right };\n"), caught);
  EXPECT_THAT(namespaces("agent/agent.cpp", "struct Turn {};\n"),
              ElementsAre(HasSubstr("Turn stands in the global namespace")));
}

TEST(Namespaces, ASourceOpensNoOtherFoldersNamespace) {
  EXPECT_THAT(namespaces("agent/x.cpp", in("proffer::catalog", in("", "int f() { return 1; }\n"))),
              ElementsAre("agent/x.cpp:3: this stands in proffer::catalog; private code of agent/ opens "
                          "proffer::agent, and proffer to define what include/proffer/ declares"));
}

TEST(Namespaces, TwoFilesDefineNoTypeOfOneName) {
  const auto turn = in("proffer::agent", "struct Turn {};\n");
  EXPECT_THAT(planted(check_namespaces, {{"agent/a.hpp", turn}, {"agent/b.cpp", turn}}),
              ElementsAre("agent/b.cpp:2: proffer::agent::Turn is defined in agent/a.hpp as well; one "
                          "program has one type of a name"));
  EXPECT_THAT(planted(check_namespaces, {{"agent/a.hpp", turn},
                                         {"agent/b.cpp", in("proffer::agent", "struct Turn;\n")},
                                         {"agent/c.cpp", in("proffer::agent", in("", "struct Turn {};\n"))}}),
              IsEmpty());
}

TEST(Namespaces, ATestIsOneProgramWithTheHouseButNotWithOtherTests) {
  const auto turn = in("proffer", "struct Turn {};\n");
  EXPECT_THAT(planted(check_namespaces, {{"tests/agent/a.hpp", turn}, {"tests/sim/b.hpp", turn}}), IsEmpty());
  EXPECT_THAT(planted(check_namespaces, {{"tests/agent/a.hpp", turn}, {"tests/agent/b.cpp", turn}}),
              ElementsAre(HasSubstr("tests/agent/b.cpp:2")));
  EXPECT_THAT(planted(check_namespaces, {{"tests/agent/a.hpp", turn}, {"include/proffer/turn.hpp", turn}}),
              ElementsAre(HasSubstr("tests/agent/a.hpp:2: proffer::Turn is defined in include/")));
}

TEST(Namespaces, SpecializationsAreTypesOfTheirOwn) {
  EXPECT_THAT(planted(check_namespaces,
                      {{"formats/a.hpp", in("proffer::formats", "template <>\nstruct Layout<Accept> {};\n")},
                       {"formats/b.hpp",
                        in("proffer::formats", "template <>\nstruct Layout<Pair<int, Kill>> {};\n")}}),
              IsEmpty());
}

TEST(Namespaces, TestsAndPublicHeadersChooseTheirs) {
  EXPECT_THAT(namespaces("tests/agent/x.hpp", in("a", "struct Turn {};\n")), IsEmpty());
  EXPECT_THAT(namespaces("include/proffer/x.hpp", in("a", "struct Turn {};\n")), IsEmpty());
}

}  // namespace
}  // namespace proffer::tidy

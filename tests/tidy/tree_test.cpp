// The rules on the real tree.
#include "tests/tidy/tree.hpp"

#include <gtest/gtest.h>

namespace proffer::tidy {
namespace {

namespace fs = std::filesystem;

const Tree& real_tree() {
  static const Tree tree = read_tree(PROFFER_SOURCE_DIR);
  return tree;
}

void expect_none(const Findings& findings) {
  for (const auto& finding : findings) ADD_FAILURE() << to_string(finding);
}

TEST(RealTree, IsReadWhole) {
  const auto has = [](std::string_view path) {
    return std::any_of(real_tree().begin(), real_tree().end(),
                       [&](const Source& s) { return s.path() == path; });
  };
  EXPECT_TRUE(has("include/proffer/machine.hpp"));
  EXPECT_TRUE(has("core/ids.cpp"));
  EXPECT_TRUE(has("tests/tidy/tree_test.cpp"));
  EXPECT_TRUE(has("Makefile"));
}

TEST(RealTree, IncludesOnlyPointDown) { expect_none(check_floors(real_tree())); }
TEST(RealTree, MachinesCallNothingBanned) { expect_none(check_banned_calls(real_tree())); }
TEST(RealTree, NoHashOrderReachesAnAction) { expect_none(check_order(real_tree())); }
TEST(RealTree, CostlyHeadersStandInOneSourceARoom) { expect_none(check_costly_headers(real_tree())); }
TEST(RealTree, FunctionsAndFilesAreSmall) { expect_none(check_sizes(real_tree())); }
TEST(RealTree, NamespacesAreFolders) { expect_none(check_namespaces(real_tree())); }
TEST(RealTree, TextIsFreeOfMachinePathsAndNotes) { expect_none(check_text(real_tree())); }
TEST(RealTree, ReferencesLeadToDocumentsThatThereAre) { expect_none(check_references(real_tree())); }
TEST(RealTree, PagesHaveShortLinesAndCells) { expect_none(check_pages(real_tree())); }

TEST(RealTree, PlantedBugsApply) {
  expect_none(check_bugs(real_tree()));
  EXPECT_EQ(std::count_if(real_tree().begin(), real_tree().end(),
                          [](const Source& s) { return s.path().ends_with(".patch"); }),
            30);
}

TEST(RealTree, EverySourceIsBuiltBySomeTarget) {
  const auto compiled =
      compiled_sources(fs::path(PROFFER_BIN_DIR).parent_path() / "compile_commands.json", PROFFER_SOURCE_DIR);
  ASSERT_FALSE(compiled.empty()) << "compile_commands.json stands beside bin/ of the build";
  expect_none(check_all_built(real_tree(), compiled));
}

}  // namespace
}  // namespace proffer::tidy

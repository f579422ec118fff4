// Every tests/scenario/*.txt is a test: its commands are run against real machines, and must print what
// stands there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/scenario/commands.hpp"
#include "tests/scenario/script.hpp"

namespace proffer::scenario {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> scenarios() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(PROFFER_SOURCE_DIR) / "tests" / "scenario")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path file_of(const std::string& name) {
  return fs::path(PROFFER_SOURCE_DIR) / "tests" / "scenario" / (name + ".txt");
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> play(const std::vector<Block>& blocks) {
  World world;
  std::vector<std::string> printed;
  for (const auto& block : blocks) {
    std::string text;
    for (const auto& command : block.commands) text += run(world, command);
    printed.push_back(std::move(text));
  }
  return printed;
}

class Scenario : public ::testing::TestWithParam<std::string> {};

TEST_P(Scenario, PrintsWhatStandsInItsFile) {
  const auto path = file_of(GetParam());
  const auto blocks = parse_script(read(path));
  ASSERT_FALSE(blocks.empty()) << path;
  const auto printed = play(blocks);
  if (std::getenv("PROFFER_REWRITE") != nullptr) {
    std::ofstream(path, std::ios::binary) << render(blocks, printed);
    return;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(printed[i], blocks[i].expected) << path.filename().string() << ":" << blocks[i].line << "\n"
                                              << blocks[i].head;
  }
}

TEST_P(Scenario, PrintsTheSameWhenPlayedAgain) {
  const auto blocks = parse_script(read(file_of(GetParam())));
  EXPECT_EQ(play(blocks), play(blocks));
}

INSTANTIATE_TEST_SUITE_P(Files, Scenario, ::testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return scenario.param; });

TEST(ScenarioText, RenderingWithTheExpectedOutputGivesTheFileAgain) {
  const std::string text =
      "# A story.\n\n# And its start.\nagent a1 map=2\ndeliver\n----\na1 -> allocator X\n\nlose 1\n----\n";
  const auto blocks = parse_script(text);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[1].commands.size(), 2u);
  EXPECT_EQ(blocks[1].commands[0].option("map"), "2");
  std::vector<std::string> printed;
  for (const auto& block : blocks) printed.push_back(block.expected);
  EXPECT_EQ(render(blocks, printed), text);
}

TEST(ScenarioText, ACommandThatMakesNoSensePrintsAnError) {
  World world;
  EXPECT_EQ(run(world, parse_script("fly a1\n")[0].commands[0]), "error: no command is called fly\n");
  EXPECT_EQ(run(world, parse_script("kill a1\n")[0].commands[0]), "error: there is no a1\n");
}

}  // namespace
}  // namespace proffer::scenario

// Types what README, the pages of docs/ and the help texts tell their readers to type, in that order, and
// looks at what comes of it. What each command prints is in the table of the page, a .txt file beside this
// one; a command that is in no table is a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <sstream>

#include "commands.hpp"
#include "proffer/formats/toml.hpp"
#include "session.hpp"
#include "table.hpp"

namespace proffer::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPage = 270s;

bool has_line(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, regex)) return true;
  }
  return false;
}

std::vector<std::string> keys_of(const auto& items) {
  std::vector<std::string> keys;
  for (const auto& item : items) keys.push_back(item.key);
  return keys;
}

void expect_as_known(const Known& known, const Seen& seen) {
  const auto what = known.key + "\nprinted:\n" + seen.out + "and on stderr:\n" + seen.err;
  EXPECT_EQ(seen.exit, known.exit) << what;
  for (const auto& pattern : known.out) EXPECT_TRUE(has_line(seen.out, pattern)) << pattern << "\n" << what;
  for (const auto& pattern : known.err) EXPECT_TRUE(has_line(seen.err, pattern)) << pattern << "\n" << what;
}

/// Types them, and compares with the table of that name.
void expect_to_work(const std::vector<Command>& commands, const std::string& table) {
  const auto all = read_table(PROFFER_SOURCE_DIR "/tests/live_docs/" + table);
  ASSERT_EQ(keys_of(commands), keys_of(all)) << "left: what the page has; right: tests/live_docs/" << table;
  std::vector<Typed> typed;
  std::vector<std::size_t> befores;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // in the table, and among what is typed
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto& known = all[i];
    auto begins = commands[i].begins;
    for (const auto& before : known.before) {
      befores.push_back(typed.size());
      typed.push_back({before, std::exchange(begins, false)});
    }
    if (!known.skip.empty()) {
      std::printf("not typed: %s (%s)\n", known.key.c_str(), known.skip.c_str());
      continue;
    }
    places.emplace_back(i, typed.size());
    typed.push_back({known.type.empty() ? commands[i].text : known.type, begins});
  }
  if (typed.empty()) return;
  const auto seen = type_all(typed, kPage);
  for (const auto at : befores) EXPECT_EQ(seen[at].exit, 0) << typed[at].text << "\n" << seen[at].err;
  for (const auto& [row, at] : places) expect_as_known(all[row], seen[at]);
}

std::string help_of(const std::string& command) {
  return type_all({{"proffer help " + command, false}}, 60s).at(0).out;
}

/// Of the help of a command, and of all below it.
void add_examples(std::vector<Command>& examples, const std::string& command) {
  const auto help = help_of(command);
  EXPECT_NE(help, "") << command;
  for (auto& example : examples_of_help(help)) examples.push_back(std::move(example));
  for (const auto& below : commands_below(help)) {
    add_examples(examples, command.empty() ? below : command + " " + below);
  }
}

std::vector<std::string> pages() {
  std::vector<std::string> names{"README"};
  for (const auto& entry : fs::directory_iterator(PROFFER_SOURCE_DIR "/docs")) {
    if (entry.path().extension() == ".md") names.push_back("docs/" + entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Page : public ::testing::TestWithParam<std::string> {};

TEST_P(Page, DoesWhatItSays) {
  const auto text = formats::read_text_file(PROFFER_SOURCE_DIR "/" + GetParam() + ".md");
  ASSERT_TRUE(text) << text.error().message;
  expect_to_work(commands_of_page(*text), fs::path(GetParam()).stem().string() + ".txt");
}

/// Returns the name of a page as a test may be called: FIRST_POLICY for docs/FIRST-POLICY.md.
std::string test_name(const ::testing::TestParamInfo<std::string>& page) {
  auto name = fs::path(page.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Docs, Page, ::testing::ValuesIn(pages()), test_name);

TEST(Helps, ExamplesWork) {
  std::vector<Command> examples;
  add_examples(examples, "");
  expect_to_work(examples, "HELP.txt");
}

}  // namespace
}  // namespace proffer::testing

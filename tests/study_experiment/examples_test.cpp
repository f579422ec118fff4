// The experiments that come with proffer can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "proffer/study/experiment.hpp"

namespace proffer::study {
namespace {

namespace fs = std::filesystem;

std::set<std::string> example_files() {
  const fs::path examples = fs::path(PROFFER_SOURCE_DIR) / "examples";
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(examples)) files.insert(entry.path().string());
  for (const auto* folder : {"experiments", "policy-bench/working", "policy-bench/set-aside"}) {
    for (const auto& entry : fs::directory_iterator(examples / folder)) files.insert(entry.path().string());
  }
  std::erase_if(files, [](const std::string& file) { return !file.ends_with(".toml"); });
  return files;
}

/// Traces that do not come with proffer, and are not there.
std::string missing_trace(const std::string& file) {
  const auto name = fs::path(file).stem();
  if (name != "a12-trace" && name != "rumen-replay") return {};
  static const std::regex kTrace(R"re("(?:swim|rumen):([^"]+)")re");
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (line.starts_with('#') || !std::regex_search(line, found, kTrace)) continue;
    const auto trace = fs::path(file).parent_path() / found[1].str();
    if (!fs::exists(trace)) return trace.lexically_normal().string();
  }
  return {};
}

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, CanBeRead) {
  if (const auto trace = missing_trace(GetParam()); !trace.empty()) GTEST_SKIP() << "there is no " << trace;
  const auto experiment = read_experiment(GetParam());
  EXPECT_TRUE(experiment) << experiment.error().message;
}

std::string name_of_example(const testing::TestParamInfo<std::string>& info) {
  auto name = fs::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, Example, testing::ValuesIn(example_files()), name_of_example);

TEST(Examples, AreAsManyAsThePapersExperiments) { EXPECT_GE(example_files().size(), 14u); }

TEST(Examples, FiguresOfPapersAreThereForThoseThatReproduceOne) {
  for (const auto* name :
       {"a1-analysis", "a2-sticky-slots", "a3-small-jobs", "a4-sensitivity", "a5-macro-io", "a7-hierarchy",
        "a8-several-hadoops", "a9-four-tenants", "a10-batch", "a10-reduce-hoarding"}) {
    const auto experiment =
        read_experiment(std::string(PROFFER_SOURCE_DIR) + "/examples/experiments/" + name + ".toml");
    ASSERT_TRUE(experiment) << experiment.error().message;
    EXPECT_FALSE(experiment->paper.empty()) << name;
  }
}

}  // namespace
}  // namespace proffer::study

// The experiments that come with proffer can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
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
  for (const auto& entry : fs::directory_iterator(examples / "experiments"))
    files.insert(entry.path().string());
  std::erase_if(files, [](const std::string& file) { return !file.ends_with(".toml"); });
  return files;
}

TEST(Examples, EachCanBeRead) {
  const auto files = example_files();
  EXPECT_GE(files.size(), 14u);
  for (const auto& file : files) {
    const auto experiment = read_experiment(file);
    const bool lacks_its_trace = !experiment && experiment.error().code == ErrorCode::not_found;
    if (lacks_its_trace) {
      std::cout << "skipped: " << experiment.error().message << '\n';
      continue;
    }
    EXPECT_TRUE(experiment) << experiment.error().message;
  }
}

TEST(Examples, FiguresOfPapersAreThereForThoseThatReproduceOne) {
  for (const auto* name : {"a1-analysis", "a2-sticky-slots", "a3-small-jobs", "a4-sensitivity", "a5-macro-io",
                           "a8-several-hadoops", "a9-four-tenants"}) {
    const auto experiment =
        read_experiment(std::string(PROFFER_SOURCE_DIR) + "/examples/experiments/" + name + ".toml");
    ASSERT_TRUE(experiment) << experiment.error().message;
    EXPECT_FALSE(experiment->paper.empty()) << name;
  }
}

}  // namespace
}  // namespace proffer::study

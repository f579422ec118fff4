// Plug-ins in experiments, as commands run them.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/cell_run.hpp"
#include "proffer/study/results_folder.hpp"
#include "tests/plugins/vocabulary.hpp"
#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

namespace fs = std::filesystem;
using proffer::testing::plugin;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A small experiment in a file beside a link to the plug-in.
class PluginExperiment : public ::testing::Test {
 protected:
  PluginExperiment() {
    auto pattern = ::testing::TempDir() + "proffer-plugins-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    fs::create_symlink(plugin("coin_flip"), folder_ / "mine.so");
  }
  ~PluginExperiment() override { fs::remove_all(folder_); }
  std::string file(const std::string& top, const std::string& sections = "") {
    const auto path = folder_ / "e.toml";
    std::ofstream(path) << small(top, sections);
    return path;
  }
  std::string wrong_file(const std::string& top) {
    const auto experiment = read_experiment(file(top));
    return experiment ? "nothing is wrong" : experiment.error().message;
  }
  fs::path folder_;
};

constexpr const char* kMine = "plugins = [\"mine.so\"]\n";
constexpr const char* kBoth =
    "[sweep]\n\"framework.policy\" = [\"greedy\", \"coin-flip,part=0.6,hold=2s\"]\n";

RunResult run_of(const Experiment& experiment, std::size_t cell) {
  const auto result = cli::simulated_run(experiment, cells(experiment).at(cell), 1, {});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : RunResult{};
}

TEST_F(PluginExperiment, ThePolicyOfTheFilesPluginDeclinesInTheSimulator) {
  const auto experiment = read_experiment(file(kMine, kBoth)).value();
  const auto greedy = run_of(experiment, 0);
  const auto random = run_of(experiment, 1);
  EXPECT_FALSE(greedy.measures.contains("declines.policy"));
  EXPECT_GT(random.measures.at("declines.policy"), 0);
  EXPECT_GT(random.measures.at("node_local"), greedy.measures.at("node_local"));
  EXPECT_EQ(random.measures.at("jobs.unfinished"), 0);
  EXPECT_EQ(run_of(experiment, 1).digest, random.digest);
}

TEST_F(PluginExperiment, APluginBesideTheFileCountsAsIfItWereInIt) {
  const auto path = file("", kBoth);
  const auto experiment = read_experiment(path, {}, {(folder_ / "mine.so").string()}).value();
  ASSERT_EQ(experiment.plugins.size(), 1u);
  EXPECT_EQ(experiment.plugins[0].path, fs::canonical(plugin("coin_flip")));
}

TEST_F(PluginExperiment, AWrongPluginIsToldWithItsPlace) {
  EXPECT_EQ(
      wrong_file("plugins = [\"none.so\"]\n"),
      (folder_ / "e.toml:2:12: ").string() + (folder_ / "none.so").string() + ": there is no such plug-in");
  EXPECT_THAT(wrong_file("plugins = \"mine.so\"\n"),
              HasSubstr("e.toml:2:11: plugins must be a list of files, such as [\"build/patient.so\"]"));
}

TEST_F(PluginExperiment, ResultsKnowThePluginsOfTheirRuns) {
  const auto path = file("", kBoth);
  const std::vector<std::string> beside{(folder_ / "mine.so").string()};
  const auto experiment = read_experiment(path, {}, beside).value();
  const ResultsFolder folder((folder_ / "results").string());
  ASSERT_TRUE(folder.open(experiment, "1"));
  const auto again = folder.experiment();
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->plugins.size(), 1u);
  EXPECT_EQ(again->plugins[0].path, experiment.plugins[0].path);
  EXPECT_TRUE(folder.open(*again, "1")) << "the same experiment";

  auto changed = experiment;
  changed.plugins[0].fingerprint = "of other bytes";
  EXPECT_THAT(folder.open(changed, "1").error().message,
              HasSubstr("before a change of its file, a plug-in, a trace"));
}

TEST_F(PluginExperiment, AComparisonPutsPoliciesInThePlaceOfTheFilesOwn) {
  const auto experiment = good(small("", R"(
[[framework]]
name = "waiting"
policy = "wait,node_wait=${wait}"
[sweep]
wait = ["0s", "5s"]
"framework.hadoop.policy" = ["greedy", "wait"]
"store.replication" = [1, 3]
[[check]]
expr = "node_local{0s greedy replication=1} > 0"
[report]
baseline = "greedy"
)"));
  const auto compared = with_policies(experiment, {"greedy", "skip,node_skips=3"}).value();
  EXPECT_THAT(names_of(compared), ElementsAre("policy=greedy replication=1", "policy=greedy replication=3",
                                              "policy=skip,node_skips=3 replication=1",
                                              "policy=skip,node_skips=3 replication=3"));
  for (const auto& framework : plan_of(compared, "policy=skip,node_skips=3 replication=1").frameworks) {
    EXPECT_EQ(framework.policy.name, "skip") << framework.name;
  }
  EXPECT_TRUE(compared.checks.empty());
  EXPECT_EQ(compared.report.baseline, "");
}

TEST_F(PluginExperiment, AComparisonTakesCellsThatOnlyDifferInPoliciesForOne) {
  const auto experiment = good(small("", R"(
[[cell]]
name = "greedy"
[[cell]]
name = "delay"
set = { "framework.policy" = "wait" }
)"));
  EXPECT_THAT(names_of(with_policies(experiment, {"skip,node_skips=1", "wait"}).value()),
              ElementsAre("policy=skip,node_skips=1", "policy=wait"));
  const auto some_differ = good(small("", R"(
[[cell]]
name = "static"
set = { "allocator.partition" = "static" }
[[cell]]
name = "greedy"
[[cell]]
name = "delay"
set = { "framework.policy" = "wait" }
)"));
  EXPECT_THAT(names_of(with_policies(some_differ, {"wait"}).value()),
              ElementsAre("static policy=wait", "plain policy=wait"));
  EXPECT_THAT(with_policies(experiment, {"wiat"}).error().message, HasSubstr("there is no policy 'wiat'"));
}

}  // namespace
}  // namespace proffer::study

// `proffer study fit`: constants chosen by published figures.
#include <gmock/gmock.h>

#include "proffer/formats/json_tree.hpp"
#include "tests/live_cluster/cluster.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;

/// A map of one second takes `start_up` more; the published makespan of one map is 5 s.
constexpr auto kEnvironment = R"toml([environment]
name = "lab"
[cost]
start_up = "1s"
[[fit]]
key = "cost.start_up"
from = "500ms"
to = "16s"
)toml";

std::string one_map(const std::string& top) {
  return "name = \"one-map\"\n" + top + R"toml(
[cluster]
nodes = 1
slots = { map = 1 }
[[framework]]
name = "mr"
[[workload]]
bins = [{ maps = 1, jobs = 1 }]
input = "none"
map_time = "1s"
[[paper]]
id = "P1"
measure = "makespan"
value = 5
)toml";
}

class StudyFit : public ::testing::Test {
 protected:
  StudyFit() { folder_.file("lab.toml", kEnvironment); }
  testing::Ran fit(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"study", "fit", file, "--seeds", "1", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return testing::proffer(words);
  }
  testing::Folder folder_;
};

TEST_F(StudyFit, FindsTheConstantWithWhichThePublishedFigureComesOut) {
  const auto file = folder_.file("a.toml", one_map("include = \"lab.toml\"") + "fitted = true\n");
  const auto ran = fit(file, {"--json", "--vary", "0.5"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto all = formats::parse_json(ran.out, "stdout");
  ASSERT_TRUE(all) << ran.out;
  const auto found = std::stod(all->find("constants")->find("cost.start_up")->text);
  EXPECT_NEAR(found, 4, 0.1);
  const auto& figures = all->find("figures")->items;
  ASSERT_EQ(figures.size(), 3u);  // as found, half of it, half more
  EXPECT_NEAR(figures[0].find("ours")->number, 5, 0.1);
  EXPECT_NEAR(figures[1].find("ours")->number, 3, 0.1);
  EXPECT_NEAR(figures[2].find("ours")->number, 7, 0.1);
}

TEST_F(StudyFit, WithoutASearchShowsTheFiguresOfTheFile) {
  const auto file = folder_.file("a.toml", one_map("include = \"lab.toml\"") + "fitted = true\n");
  const auto ran = fit(file, {"--no-search", "--vary", "0"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("P1 +makespan +fitted +5 +2\\.000"));
}

TEST_F(StudyFit, NeedsAnEnvironmentAndAFigureThatIsFitted) {
  EXPECT_THAT(fit(folder_.file("a.toml", one_map(""))).err,
              HasSubstr("a.toml includes no environment with a [[fit]]"));
  EXPECT_THAT(fit(folder_.file("b.toml", one_map("include = \"lab.toml\""))).err,
              HasSubstr("no [[paper]] of these experiments is marked fitted = true"));
}

}  // namespace
}  // namespace proffer

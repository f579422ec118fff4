// Results of experiments in one file.
#include <gmock/gmock.h>

#include "proffer/formats/json_tree.hpp"
#include "tests/live_cluster/cluster.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kTwoCells = R"(
name = "collected"
seeds = 2
[cluster]
nodes = 3
slots = { map = 2 }
[[framework]]
name = "mr"
policy = "${policy}"
[[workload]]
bins = [{ maps = 6, jobs = 1 }]
[sweep]
policy = ["greedy", "wait,node_wait=5s"]
[[check]]
expr = "jobs.finished >= 1"
[[check]]
expr = "jobs.finished{greedy} >= 2"
[[paper]]
cell = "greedy"
measure = "jobs.finished"
value = 3
[report]
measures = ["jobs.finished", "makespan"]
)";

class Collecting : public ::testing::Test {
 protected:
  Collecting() {
    const auto file = folder_.file("collected.toml", kTwoCells);
    const auto ran = testing::proffer({"experiment", "run", file, "-d", results_, "--quiet"});
    EXPECT_EQ(ran.exit_code, 5) << "a check fails: " << ran.err;
  }
  std::string collected(const std::string& name, const std::string& more = "") const {
    const auto out = folder_.path() + "/" + name;
    std::vector<std::string> command{"experiment", "collect", results_, "--out", out};
    if (!more.empty()) command.insert(command.begin() + 3, more);
    const auto ran = testing::proffer(command);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return testing::read_file(out);
  }

  testing::Folder folder_;
  std::string results_ = folder_.path() + "/results";
};

TEST_F(Collecting, GivesPapersFiguresEachMeasureOfEachCellAndTheChecks) {
  const auto parsed = formats::parse_json(collected("summary.json"), "summary.json");
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& rows = parsed->items;
  ASSERT_EQ(rows.size(), 1u + 2 * 2 + 3) << "a figure of a paper, two measures of two cells, three checks";
  EXPECT_EQ(rows[0].find("paper")->number, 3);
  EXPECT_EQ(rows[0].find("ours")->number, 1);
  EXPECT_EQ(rows[1].find("cell")->text, "policy=greedy");
  EXPECT_EQ(rows[1].find("measure")->text, "jobs.finished");
  EXPECT_EQ(rows[1].find("paper")->type, formats::JsonType::null);
  EXPECT_EQ(rows[1].find("seeds")->integer, 2);
  EXPECT_EQ(rows[1].find("digest")->text, rows[0].find("digest")->text) << "of the same run";
  EXPECT_TRUE(rows[5].find("passed")->boolean);
  EXPECT_FALSE(rows[7].find("passed")->boolean);
  EXPECT_EQ(rows[7].find("left")->number, 1);
}

TEST_F(Collecting, TakesRowsThatWereMeasuredElsewhere) {
  const auto rows = folder_.file("flow.json", R"json([
    {"id": "B3", "cell": "big", "label": "a solve (s)", "measure": "solve_seconds", "ours": 0.25, "note": "LEMON"},
    {"id": "B6", "cell": "", "check": "as live", "passed": false, "left": 2, "right": 1}])json");
  const auto parsed = formats::parse_json(collected("summary.json", rows), "summary.json");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->items.back().find("id")->text, "B6");
  EXPECT_THAT(collected("summary.md", rows),
              HasSubstr("\n## flow\n\n| cell | figure | ours | note |\n|---|---|---|---|\n"
                        "| big | a solve (s) | 0.25 | LEMON |\n\n| check | cell | verdict | left | right | left − right |\n"
                        "|---|---|---|---|---|---|\n| `as live` |  | not held | 2 | 1 | - |\n"));
}

TEST_F(Collecting, NamesTheLineThatIsNoRow) {
  const auto rows =
      folder_.file("rows.json", "[{\"id\": \"B3\", \"cell\": \"\", \"check\": \"x\"},\n {\"id\": \"B3\"}]");
  const auto ran = testing::proffer({"experiment", "collect", rows, "--out", folder_.path() + "/out.json"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("rows.json:2: a row needs id, cell, and check or measure"));
}

TEST_F(Collecting, GivesAPageOfTables) {
  const auto page = collected("summary.md");
  EXPECT_THAT(page, StartsWith("| id | figure | cell | is | paper |"));
  EXPECT_THAT(page, HasSubstr("| cell | seeds | jobs.finished | makespan |\n|---|---|---|---|\n| "));
  EXPECT_THAT(page, HasSubstr("| `jobs.finished{greedy} >= 2` | policy=greedy | not held | 1 | 2 | -1.000 ±0.000 |\n"));
}

}  // namespace
}  // namespace proffer

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kTopology = R"({"name": "<root>", "children": [
  {"name": "r1", "children": [{"name": "h1\\.x", "children": null}, {"name": "h2", "children": null}]},
  {"name": "r2", "children": [{"name": "h3", "children": null}]}]})";

std::string attempt(std::int64_t start, std::int64_t finish, const std::string& result = "SUCCESS") {
  return R"({"result": ")" + result + R"(", "startTime": )" + std::to_string(start) + R"(, "finishTime": )" +
         std::to_string(finish) + R"(, "hdfsBytesRead": 70, "mapOutputBytes": 30, "hdfsBytesWritten": -1})";
}
std::string task(const std::string& attempts, const std::string& places = "[]") {
  return R"({"attempts": [)" + attempts + R"(], "preferredLocations": )" + places + ",\"inputBytes\": -1}";
}
std::string job(const std::string& id, std::int64_t submit, const std::string& maps,
                const std::string& reduces = "") {
  return R"({"jobID": ")" + id + R"(", "user": "ann", "queue": null, "submitTime": )" +
         std::to_string(submit) + ",\n\"mapTasks\": [" + maps + "],\n\"reduceTasks\": [" + reduces +
         "],\n\"otherTasks\": []}\n";
}
Result<TraceRead> read_rumen(const std::string& trace, std::string_view topology = kTopology) {
  return parse_rumen_trace({trace, "t.json", topology, "top.json"}, {});
}

TEST(Rumen, NodesComeFromTheTopologyWithoutBackslashes) {
  const auto nodes = read_rumen(job("a", 5, task(attempt(10, 20)))).value().workload.nodes;
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].name, "h1.x");
  EXPECT_EQ(nodes[0].rack, "r1");
  EXPECT_EQ(nodes[2].rack, "r2");
}

TEST(Rumen, BlocksLieWhereReplicasWere) {
  const std::string places =
      R"([{"layers": ["r1", "h1\\.x"]}, {"layers": ["r2", "h3"]}, {"layers": ["r2", "h3"]}])";
  const auto trace = read_rumen(job("a", 5, task(attempt(10, 20), places))).value().workload;
  const auto& block = trace.files.at(trace.jobs.at(0).file.value()).blocks.at(0);
  EXPECT_THAT(block.nodes, ElementsAre("h1.x", "h3"));
  EXPECT_EQ(block.bytes, 70u);
}

TEST(Rumen, MapsOfUnknownPlaceAreNoted) {
  const auto placed = task(attempt(0, 1), R"([{"layers": ["r1", "h2"]}])");
  const auto done = read_rumen(job("a", 5, placed + "," + task(attempt(0, 1)))).value();
  EXPECT_THAT(done.notes, testing::Contains("a: where the data of 1 of 2 maps lay is not told; these may run "
                                            "anywhere, and their recorded times include reading"));
  EXPECT_EQ(read_rumen(job("a", 5, placed)).value().notes.size(), 1u);
}

TEST(Rumen, ATaskComputesAsLongAsItsFirstSuccessfulAttemptRan) {
  const auto tasks =
      task(attempt(10, 99, "FAILED") + "," + attempt(100, 350) + "," + attempt(0, 9999, "KILLED"));
  const auto trace = read_rumen(job("a", 5, tasks, tasks)).value().workload;
  EXPECT_EQ(trace.jobs.at(0).maps.at(0).compute, 250ms);
  EXPECT_EQ(trace.jobs[0].maps[0].output_bytes, 30u);
  EXPECT_EQ(trace.jobs[0].reduces.at(0).compute, 250ms);
}

TEST(Rumen, TasksWithoutSuccessGetTheMeanOfTheOthersAndANote) {
  const auto done =
      read_rumen(job("a", 5, task(attempt(0, 100)) + "," + task(attempt(0, 300)) + "," + task(""))).value();
  EXPECT_EQ(done.workload.jobs.at(0).maps.at(2).compute, 200ms);
  EXPECT_THAT(done.notes,
              testing::Contains("a: 1 of 3 maps have no successful attempt; they got the mean time of "
                                "the others"));
}

TEST(Rumen, TimesOfAJobWithoutAnySuccessAreDrawn) {
  const auto done = read_rumen(job("a", 5, task(""))).value();
  EXPECT_GT(done.workload.jobs.at(0).maps.at(0).compute, 1s);
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("their times are drawn")));
}

TEST(Rumen, TimesCountFromTheFirstJobWithTasks) {
  const auto text =
      job("b", 900, task(attempt(1, 2))) + job("none", 100, "") + job("a", 400, task(attempt(1, 2)));
  const auto done = read_rumen(text).value();
  ASSERT_EQ(done.workload.jobs.size(), 2u);
  EXPECT_EQ(done.workload.jobs[0].name, "a");
  EXPECT_EQ(done.workload.jobs[0].submit, 0s);
  EXPECT_EQ(done.workload.jobs[1].submit, 500ms);
  EXPECT_THAT(done.notes, testing::Contains("none has no map and no reduce, and was left out"));
}

TEST(Rumen, SetUpAndCleanUpAreOfTheJob) {
  auto text = job("a", 5, task(attempt(10, 20)));
  const std::string others = R"("otherTasks": [{"taskType": "SETUP", "attempts": [)" + attempt(0, 2000) +
                             R"(]}, {"taskType": "CLEANUP", "attempts": [)" + attempt(0, 3000) + "]}]";
  text.replace(text.find("\"otherTasks\": []"), 16, others);
  const auto trace = read_rumen(text).value().workload;
  EXPECT_EQ(trace.jobs.at(0).setup, 2s);
  EXPECT_EQ(trace.jobs[0].cleanup, 3s);
}

TEST(Rumen, WithoutATopologyNodesAreThoseMentioned) {
  const auto text = job("a", 5, task(attempt(10, 20), R"([{"layers": ["r7", "h7"]}])"));
  const auto trace = parse_rumen_trace({text, "t.json", std::nullopt, ""}, {}).value().workload;
  ASSERT_EQ(trace.nodes.size(), 1u);
  EXPECT_EQ(trace.nodes[0].rack, "r7");
}

TEST(Rumen, BrokenJobsAreNamedWithWhatWasExpected) {
  EXPECT_EQ(error_of(read_rumen(R"({"submitTime": 5})")),
            "t.json:1: jobID is missing in the object that begins here; expected a string that is not empty");
  EXPECT_EQ(error_of(read_rumen("\n{\"jobID\": \"a\",\n\"submitTime\": -5}")),
            "t.json:3: submitTime is -5; expected milliseconds, a whole number from 0 on");
  EXPECT_EQ(error_of(read_rumen("{\"jobID\": \"a\",\n\"submitTime\": 5, \"mapTasks\": 3}")),
            "t.json:2: mapTasks is 3; expected an array");
  EXPECT_EQ(error_of(read_rumen(job("a", 5, task(attempt(20, 10))))),
            "t.json:2: finishTime is before startTime; expected it after");
  EXPECT_EQ(error_of(read_rumen(job("a", 5, task(attempt(1, 2))) + job("a", 5, task(attempt(1, 2))))),
            "t.json:5: job \"a\" is there twice, first in line 1; expected a name of its own");
  EXPECT_EQ(error_of(read_rumen("3")), "t.json:1: an integer stands here; expected an object");
}

TEST(Rumen, HostsThatAreNowhereAreNamed) {
  EXPECT_EQ(error_of(read_rumen(job("a", 5, task(attempt(1, 2), R"([{"layers": ["r1", "h9"]}])")))),
            "t.json:2: host \"h9\" is not in the topology; expected one of its hosts");
  EXPECT_EQ(error_of(read_rumen(job("a", 5, task(attempt(1, 2), R"([{"layers": ["r2", "h2"]}])")))),
            "t.json:2: host \"h2\" stands in rack \"r2\" here and in \"r1\" before; expected one rack");
  EXPECT_EQ(error_of(read_rumen(job("a", 5, task(attempt(1, 2), R"([{"layers": ["r1"]}])")))),
            "t.json:2: layers is no place; expected [\"RACK\", \"HOST\"]");
}

TEST(Rumen, AHostMayStandDeeperBelowThePathThatIsItsRack) {
  constexpr std::string_view kDeep = R"({"name": "<root>", "children": [
    {"name": "dc1", "children": [{"name": "r1", "children": [{"name": "h1"}]},
                                 {"name": "row2", "children": [{"name": "r1", "children": [{"name": "h2"}]}]}]},
    {"name": "r9", "children": [{"name": "h3"}]}]})";
  const std::string places =
      R"([{"layers": ["dc1", "r1", "h1"]}, {"layers": ["dc1", "row2", "r1", "h2"]}, {"layers": ["r9", "h3"]}])";
  const auto trace = read_rumen(job("a", 5, task(attempt(10, 20), places)), kDeep).value().workload;
  ASSERT_EQ(trace.nodes.size(), 3u);
  EXPECT_EQ(trace.nodes[0].rack, "dc1/r1");
  EXPECT_EQ(trace.nodes[1].rack, "dc1/row2/r1");
  EXPECT_EQ(trace.nodes[2].rack, "r9");
  EXPECT_THAT(trace.files.at(0).blocks.at(0).nodes, ElementsAre("h1", "h2", "h3"));
}

TEST(Rumen, BrokenTopologiesAreNamed) {
  const auto some = job("a", 5, task(attempt(1, 2)));
  EXPECT_EQ(error_of(read_rumen(some, "{\"name\": \"r\"}")),
            "top.json:1: the topology has no racks; expected them in children");
  EXPECT_EQ(error_of(read_rumen(some, "{\"children\": [\n{\"name\": \"r\"}]}")),
            "top.json:2: rack \"r\" has no hosts; expected some");
  EXPECT_EQ(error_of(read_rumen(
                some, R"({"children": [{"name": "r", "children": [{"name": "h"},{"name": "h"}]}]})")),
            "top.json:1: host \"h\" is there twice; expected a name of its own");
  EXPECT_THAT(error_of(read_rumen(some, "{")), StartsWith("top.json:1: syntax error"));
}

TEST(Rumen, AnEmptyTraceIsAnError) {
  EXPECT_EQ(error_of(read_rumen("")), "t.json:1: there is no job in it; expected a JSON object for each");
  EXPECT_EQ(error_of(read_rumen(job("a", 5, ""))), "t.json: there is no job with a task in it");
}

TEST(Rumen, TheRealTraceHasItsReplicasOnItsNodes) {
  const auto path = shared_data("rumen/input-trace.json");
  PROFFER_NEEDS_DATA(path);
  const auto trace =
      read_trace({TraceFormat::rumen, path, shared_data("rumen/input-topology.json")}).value().workload;
  EXPECT_EQ(trace.nodes.size(), 522u);
  std::map<std::string, int> racks;
  for (const auto& node : trace.nodes) ++racks[node.rack];
  EXPECT_EQ(racks.size(), 41u);
  ASSERT_EQ(trace.jobs.size(), 3u) << "one of four has no task";
  EXPECT_EQ(trace.jobs[2].maps.size(), 131u);
  EXPECT_EQ(trace.jobs[2].reduces.size(), 47u);
  EXPECT_EQ(trace.jobs[2].submit, 890506ms);
  for (const auto& file : trace.files) {
    for (const auto& block : file.blocks) EXPECT_EQ(block.nodes.size(), 3u);
  }
}

}  // namespace
}  // namespace proffer::study

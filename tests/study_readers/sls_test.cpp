#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

std::string task(const std::string& type, const std::string& host, int start, int end) {
  return "\n{\"container.host\": \"" + host + "\", \"container.start.ms\": " + std::to_string(start) +
         ", \"container.end.ms\": " + std::to_string(end) +
         ", \"container.priority\": 20, \"container.type\": \"" + type + "\"}";
}
std::string job(const std::string& id, int start, int end, const std::string& tasks) {
  return "{\"am.type\": \"mapreduce\", \"job.start.ms\": " + std::to_string(start) +
         ", \"job.end.ms\": " + std::to_string(end) + ", \"job.queue.name\": \"q\", \"job.id\": \"" + id +
         "\", \"job.user\": \"ann\", \"job.tasks\": [" + tasks + "]}\n";
}
Result<TraceRead> read_sls(const std::string& text) { return parse_sls_trace(text, "t.json", {}); }

TEST(Sls, ContainersBecomeTasksAndHostsBecomeNodes) {
  const auto trace =
      read_sls(
          job("j1", 0, 9000, task("map", "/r1/h1", 100, 2600) + "," + task("reduce", "/r2/h2", 3000, 9000)))
          .value()
          .workload;
  const auto& only = trace.jobs.at(0);
  EXPECT_EQ(only.pool + "/" + only.user, "q/ann");
  EXPECT_EQ(only.maps.at(0).compute, 2500ms);
  EXPECT_EQ(only.reduces.at(0).compute, 6s);
  EXPECT_THAT(trace.files.at(only.file.value()).blocks.at(0).nodes, ElementsAre("h1"));
  ASSERT_EQ(trace.nodes.size(), 2u);
  EXPECT_EQ(trace.nodes[1].rack, "r2");
}

TEST(Sls, OneArrayOfJobsIsAsGoodAsJobsInARow) {
  const auto some = task("map", "/r/h", 0, 1);
  EXPECT_EQ(read_sls(job("a", 0, 1, some) + job("b", 0, 1, some)).value().workload.jobs.size(), 2u);
  EXPECT_EQ(
      read_sls("[" + job("a", 0, 1, some) + "," + job("b", 0, 1, some) + "]").value().workload.jobs.size(),
      2u);
}

TEST(Sls, TimesCountFromTheFirstJob) {
  const auto some = task("map", "/r/h", 0, 1);
  const auto jobs = read_sls(job("b", 7000, 8000, some) + job("a", 4000, 5000, some)).value().workload.jobs;
  EXPECT_EQ(jobs.at(0).name, "a");
  EXPECT_EQ(jobs.at(1).submit, 3s);
}

TEST(Sls, JobsWithoutTasksAreLeftOutWithANote) {
  const auto done = read_sls(job("a", 0, 1, "") + job("b", 0, 1, task("reduce", "/r/h", 0, 1))).value();
  EXPECT_EQ(done.workload.jobs.size(), 1u);
  EXPECT_FALSE(done.workload.jobs[0].file);
  EXPECT_THAT(done.notes, testing::Contains("job a has no task and was left out"));
}

TEST(Sls, BrokenJobsAreNamedWithWhatWasExpected) {
  EXPECT_EQ(
      error_of(read_sls("{\n\"job.start.ms\": 1}")),
      "t.json:1: job.id is missing in the object that begins here; expected a string that is not empty");
  EXPECT_EQ(error_of(read_sls(job("a", 5, 4, ""))),
            "t.json:1: job.end.ms is before job.start.ms; expected it after");
  EXPECT_EQ(error_of(read_sls(job("a", -5, 4, ""))),
            "t.json:1: job.start.ms is -5; expected milliseconds, a whole number from 0 on");
  const auto some = task("map", "/r/h", 0, 1);
  EXPECT_EQ(error_of(read_sls(job("a", 0, 1, some) + job("a", 0, 1, some))),
            "t.json:3: job \"a\" is there twice, first in line 1; expected a name of its own");
}

TEST(Sls, BrokenContainersAreNamedWithWhatWasExpected) {
  EXPECT_EQ(error_of(read_sls(job("a", 0, 1, task("map", "/r/h", 5, 4)))),
            "t.json:2: container.end.ms is before container.start.ms; expected it after");
  EXPECT_EQ(error_of(read_sls(job("a", 0, 1, task("am", "/r/h", 0, 1)))),
            "t.json:2: container.type is \"am\"; expected map or reduce");
  for (const auto* host : {"h", "/h", "r/h", "/r/", "//h"}) {
    EXPECT_EQ(error_of(read_sls(job("a", 0, 1, task("map", host, 0, 1)))),
              "t.json:2: container.host is no host; expected \"/RACK/HOST\"")
        << host;
  }
  EXPECT_EQ(error_of(read_sls(job("a", 0, 1, task("map", "/r/h", 0, 1) + "," + task("map", "/s/h", 0, 1)))),
            "t.json:3: host \"h\" stands in rack \"s\" here and in \"r\" before; expected one rack");
}

TEST(Sls, AnEmptyTraceIsAnError) {
  EXPECT_EQ(error_of(read_sls("")), "t.json:1: there is no job in it; expected a JSON object for each");
  EXPECT_EQ(error_of(read_sls("[]")), "t.json:1: there is no job in it; expected a JSON object for each");
}

}  // namespace
}  // namespace proffer::study

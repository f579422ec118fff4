// Google's traces of 2011 and 2019, in samples of their columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Gives these texts, named 1.csv, 2.csv, ...
TraceTexts texts_of(const std::vector<std::string>& texts, std::deque<std::string>& names) {
  return [&texts, &names]() -> Result<std::optional<TraceText>> {
    if (names.size() == texts.size()) return std::optional<TraceText>();
    names.push_back(std::to_string(names.size() + 1) + ".csv");
    return std::optional<TraceText>({texts[names.size() - 1], names.back()});
  };
}

Result<TraceRead> read2011(const std::vector<std::string>& texts) {
  std::deque<std::string> names;
  return parse_google2011_trace(texts_of(texts, names), "trace");
}

Result<TraceRead> read2019(const std::vector<std::string>& texts) {
  std::deque<std::string> names;
  return parse_google2019_trace(texts_of(texts, names), "trace");
}

std::string job_event(const std::string& us, int job, int event) {
  return us + ",," + std::to_string(job) + "," + std::to_string(event) + ",ann==,1,name,logical\n";
}
std::string task_event(const std::string& us, int job, int task, int event) {
  return us + ",," + std::to_string(job) + "," + std::to_string(task) + ",77," + std::to_string(event) +
         ",ann==,2,9,0.1,0.02,0.0001,0\n";
}
/// Submitted, begun and ended by an event, 1 s after the begin.
std::string run2011(int job, int task, int began_s, int event) {
  const auto us = [](int s) { return std::to_string(s) + "000000"; };
  return task_event(us(began_s - 1), job, task, 0) + task_event(us(began_s), job, task, 1) +
         task_event(us(began_s + 1), job, task, event);
}

TEST(Google2011, ATaskIsAMapOfItsLastRun) {
  const auto tasks = run2011(6, 0, 700, 2) + task_event("800000000", 6, 0, 1) +
                     task_event("805500000", 6, 0, 4) + run2011(6, 1, 700, 5) + run2011(5, 0, 900, 3);
  const auto done = read2011({job_event("650000000", 6, 0) + job_event("660000000", 6, 1), tasks}).value();
  ASSERT_EQ(done.workload.jobs.size(), 2u);
  const auto& job = done.workload.jobs[0];
  EXPECT_EQ(job.name, "6");
  EXPECT_EQ(job.user, "ann==");
  EXPECT_EQ(job.submit, 0s) << "times count from the first job";
  ASSERT_EQ(job.maps.size(), 2u);
  EXPECT_EQ(job.maps[0].compute, 5500ms) << "it was evicted before";
  EXPECT_EQ(job.maps[1].compute, 1s) << "killed";
  EXPECT_EQ(done.workload.jobs[1].submit, 249s) << "by its first event, where job_events has none";
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("1 runs were followed by another")));
}

TEST(Google2011, WhatTheTraceDoesNotTellWholeIsLeftOut) {
  const auto before = task_event("0", 1, 0, 1) + task_event("700000000", 1, 0, 4);
  const auto after = task_event("700000000", 2, 0, 1) + task_event("9223372036854775807", 2, 0, 6);
  const auto never = task_event("700000000", 3, 0, 0) + task_event("700000001", 3, 1, 1);
  const auto done = read2011({before + after + never + run2011(4, 0, 800, 4)}).value();
  ASSERT_EQ(done.workload.jobs.size(), 1u);
  EXPECT_EQ(done.workload.jobs[0].name, "4");
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("4 tasks have no run that both begins and ends")));
}

TEST(Google2011, BrokenRowsAreNamedWithFileAndLine) {
  const auto good = run2011(4, 0, 800, 4);
  EXPECT_EQ(error_of(read2011({good, good + "1,2,3\n"})),
            "2.csv:4: 3 columns; expected the 8 of job_events or the 13 of task_events");
  EXPECT_EQ(error_of(read2011({good.substr(0, good.size() - 8)})),
            "1.csv:3: 12 columns; expected the 8 of job_events or the 13 of task_events")
      << "cut off";
  EXPECT_EQ(error_of(read2011({task_event("now", 1, 0, 1)})),
            "1.csv:1: the time is \"now\"; expected a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(error_of(read2011({task_event("5", 1, 0, 9)})),
            "1.csv:1: the event is \"9\"; expected a whole number from 0 to 8");
  EXPECT_EQ(error_of(read2011({""})), "trace: there is no job with a task in it");
}

const std::string kSample2019 =
    R"({"time":"600000000","type":"0","collection_id":"7","collection_type":"0","user":"bob","scheduler":"1"}
{"time":601000000,"type":3,"collection_id":7,"instance_index":0,"machine_id":"5","resource_request":{"cpus":0.1}}

{"time":"603000000","type":"FINISH","collection_id":"7","instance_index":"0","constraint":[]}
{"time":"601000000","type":"3","collection_id":"8","collection_type":"1","instance_index":"0"}
{"time":"603000000","type":"6","collection_id":"8","collection_type":"1","instance_index":"0"}
)";

TEST(Google2019, JsonLinesHaveNumbersAsTextsAndEventsByName) {
  const auto trace = read2019({kSample2019}).value().workload;
  ASSERT_EQ(trace.jobs.size(), 1u) << "an alloc set is no job";
  EXPECT_EQ(trace.jobs[0].name, "7");
  EXPECT_EQ(trace.jobs[0].user, "bob");
  ASSERT_EQ(trace.jobs[0].maps.size(), 1u);
  EXPECT_EQ(trace.jobs[0].maps[0].compute, 2s);
}

TEST(Google2019, TablesOfCsvHaveHeaders) {
  const auto trace = read2019({"collection_id,time,type,user\n7,600000000,SUBMIT,bob\n",
                               "time,type,collection_id,priority,instance_index\n"
                               "601000000,3,7,200,4\n602500000,5,7,200,4\n"})
                         .value()
                         .workload;
  ASSERT_EQ(trace.jobs.size(), 1u);
  EXPECT_EQ(trace.jobs[0].user, "bob");
  EXPECT_EQ(trace.jobs[0].maps.at(0).compute, 1500ms);
}

TEST(Google2019, BrokenRowsAreNamedWithFileAndLine) {
  EXPECT_EQ(error_of(read2019({kSample2019 + R"({"time":"60)"})),
            "1.csv:7: this line is no JSON object; expected one a line, each an event")
      << "cut off";
  EXPECT_EQ(error_of(read2019({kSample2019, "{\"time\":\"6\",\"type\":\"6\"}\n"})),
            "2.csv:1: collection_id is missing; expected a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(error_of(read2019({"{\"time\":6,\"type\":\"STOP\",\"collection_id\":1}\n"})),
            "1.csv:1: type is \"STOP\"; expected a whole number from 0 to 10");
  EXPECT_EQ(
      error_of(read2019({"when,what\n1,2\n"})),
      "1.csv:1: the header has no columns time, type and collection_id; expected those of instance_events "
      "or collection_events");
  EXPECT_EQ(error_of(read2019({"time,type,collection_id\n1,2\n"})),
            "1.csv:2: 2 fields; expected 3, as the header has");
}

}  // namespace
}  // namespace proffer::study

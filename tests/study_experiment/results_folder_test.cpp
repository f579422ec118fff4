#include "proffer/study/results_folder.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "study/results/json.hpp"
#include "study/results/tables.hpp"
#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string all_of(const RunResult& run) {
  return print_table(run.jobs, job_columns()) + print_table(run.tasks, task_columns()) +
         print_table(run.offers, offer_columns()) + print_table(run.shares, share_columns()) +
         summary_json(summary_of(run));
}

class Results : public ::testing::Test {
 protected:
  Results() {
    std::filesystem::remove_all(path_);
    const auto opened = folder_.open(experiment_, "1.0");
    EXPECT_TRUE(opened) << opened.error().message;
  }
  ~Results() override { std::filesystem::remove_all(path_); }

  RunResult result(std::size_t cell, std::uint64_t seed, double local) const {
    RunResult made;
    made.experiment = "small";
    made.cell = cells_[cell].name;
    made.seed = seed;
    made.digest = "d" + std::to_string(seed);
    made.events = 12;
    made.run_seconds = 1.5;
    made.wall_seconds = 99;
    made.measures = {{"local", local}, {"undefined", std::numeric_limits<double>::quiet_NaN()}};
    return made;
  }
  void finish(std::size_t cell, const RunResult& made) {
    ASSERT_TRUE(folder_.begin_run(cells_[cell], made.seed));
    const auto finished = folder_.finish_run(cells_[cell], made);
    ASSERT_TRUE(finished) << finished.error().message;
  }
  std::string text_of(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(path_ + "/" + file).rdbuf();
    return text.str();
  }

  Experiment experiment_ = good(small("seeds = 2\n", R"(
[sweep]
"store.replication" = [1, 2]
[report]
baseline = "1"
[[check]]
expr = "local{2} > 0.5"
[[paper]]
id = "A8"
cell = "2"
measure = "local / local{1}"
value = 3
)"));
  std::vector<Cell> cells_ = cells(experiment_);
  std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("results-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name())))
          .string();
  ResultsFolder folder_{path_};
};

TEST_F(Results, AllTablesComeBackAsTheyWere) {
  auto made = result(0, 1, 0.1 + 0.2);
  made.jobs = {{"j,1", "f\"x\"", "p", "u", "10_2", 10, 2, 0.1, 1.25, 7.0, true, false, 8, 1, 1, 3.5},
               {"j2", "f", "", "", "1", 1, 0, 2, {}, {}, false, true, 0, 0, 0, {}}};
  made.tasks = {{"f", "j2", "m-1", "map", "n1", "r1", Locality::rack, true, 1.5, 0.25, 3.0, "FINISHED"}};
  made.offers = {{"1.7", "f", "n1", "map", 2, 1.5, {}, "declined", "no-node-local"}};
  made.shares = {{4.5, "f", "map", 3, 1, 2, -1}};
  finish(0, made);
  const auto read = folder_.read_run(cells_[0], 1);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(all_of(*read), all_of(made));
  EXPECT_EQ(read->jobs[1].finished, std::nullopt);
  EXPECT_EQ(read->jobs[0].user, "u");
}

TEST_F(Results, TheJobsTableBeginsAsThatOfBatsim) {
  auto made = result(0, 1, 0);
  made.jobs = {{"j", "f", "p", "u", "10_2", 10, 2, 1, 3, 7, true, true, 8, 1, 1, {}}};
  finish(0, made);
  EXPECT_THAT(
      text_of("replication=1/seed-1/jobs.csv"),
      StartsWith("job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
                 "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
                 "stretch,allocated_resources,consumed_energy,metadata,framework,pool,"));
  EXPECT_THAT(text_of("replication=1/seed-1/jobs.csv"),
              HasSubstr("\nj,f,10_2,1,12,-1,1,COMPLETED_SUCCESSFULLY,3,4,7,2,6,1.5,,-1,,f,p,u,10_2,10,2,1,1,"
                        "8,1,1,,0,0,0,,\n"));
}

TEST_F(Results, ARunCountsOnceItIsFinished) {
  ASSERT_TRUE(folder_.begin_run(cells_[0], 1));
  EXPECT_FALSE(folder_.is_complete(cells_[0], 1));
  finish(0, result(0, 1, 0.5));
  EXPECT_TRUE(folder_.is_complete(cells_[0], 1));
  EXPECT_FALSE(folder_.is_complete(cells_[0], 2));
  EXPECT_EQ(folder_.read_summaries(experiment_)->size(), 1u);
}

TEST_F(Results, WhatAKilledRunLeftIsSweptAway) {
  const auto part = folder_.begin_run(cells_[0], 1).value();
  std::ofstream(part + "/events.jsonl") << "half";
  finish(0, result(0, 1, 0.5));
  EXPECT_FALSE(std::filesystem::exists(folder_.run_folder(cells_[0], 1) + "/events.jsonl"));
}

TEST_F(Results, ARunMayBeDoneAgain) {
  finish(0, result(0, 1, 0.5));
  finish(0, result(0, 1, 0.25));
  EXPECT_DOUBLE_EQ(folder_.read_summary(cells_[0], 1)->measures.at("local"), 0.25);
}

TEST_F(Results, OfATraceThatHasChangedAreOfAnotherExperiment) {
  const auto trace = path_ + ".csv";
  const auto write = [&](const std::string& job) {
    std::ofstream(trace) << "job,submit_s,maps,map_s\n" << job << ",0,3,5\n";
    return good(
        "name = \"t\"\n[cluster]\nnodes = 3\nslots = { map = 1 }\n[[framework]]\nname = \"f\"\n"
        "[[workload]]\ntrace = \"csv:" +
        trace + "\"\n");
  };
  const ResultsFolder folder(path_ + "-of-trace");
  ASSERT_TRUE(folder.open(write("a"), "1.0"));
  EXPECT_TRUE(folder.open(write("a"), "1.0"));
  EXPECT_THAT(folder.open(write("b"), "1.0").error().message,
              HasSubstr("before a change of its file, a plug-in, a trace"));
  std::filesystem::remove_all(path_ + "-of-trace");
  std::filesystem::remove(trace);
}

TEST_F(Results, CheckingMakesNoFolder) {
  const ResultsFolder none(path_ + "-none");
  EXPECT_TRUE(none.check(experiment_, "1.0"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "-none"));
  EXPECT_THAT(folder_.check(experiment_, "2.0").error().message, HasSubstr("holds results of proffer 1.0"));
}

TEST_F(Results, NotesOfARunComeBack) {
  auto made = result(0, 1, 0.5);
  made.world = {true, 0.5, {"one thing", "another"}};
  finish(0, made);
  EXPECT_THAT(folder_.read_notes(cells_[0], 1).value(), ::testing::ElementsAre("one thing", "another"));
}

TEST_F(Results, NoFileTellsTheTimeThatItTook) {
  finish(0, result(0, 1, 0.5));
  EXPECT_EQ(text_of("replication=1/seed-1/summary.json").find("99"), std::string::npos);
  EXPECT_EQ(text_of("replication=1/seed-1/manifest.json").find("99"), std::string::npos);
  EXPECT_THAT(text_of("replication=1/seed-1/manifest.json"), HasSubstr("\"digest\": \"d1\""));
}

TEST_F(Results, TheExperimentComesBackFromItsFolder) {
  const auto read = folder_.experiment();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->text, experiment_.text);
  EXPECT_EQ(names_of(*read), names_of(experiment_));
}

TEST_F(Results, AFolderOfTheSameExperimentIsTaken) { EXPECT_TRUE(folder_.open(experiment_, "1.0")); }

TEST_F(Results, AFolderOfSomethingElseIsNot) {
  EXPECT_THAT(folder_.open(experiment_, "1.1").error().message,
              HasSubstr("holds results of proffer 1.0, and this is 1.1"));
  const auto changed = good(experiment_.text, {"store.replication=1"});
  EXPECT_EQ(folder_.open(changed, "1.0").error().code, ErrorCode::exists);
  EXPECT_THAT(
      ResultsFolder(std::filesystem::temp_directory_path().string()).open(experiment_, "1.0").error().message,
      HasSubstr("is no folder of results"));
}

TEST_F(Results, ABrokenSummaryIsToldWithItsPlace) {
  finish(0, result(0, 1, 0.5));
  std::ofstream(folder_.run_folder(cells_[0], 1) + "/summary.json") << "{\n\"experiment\": 3}\n";
  EXPECT_THAT(folder_.read_summary(cells_[0], 1).error().message,
              HasSubstr("summary.json:1: experiment is missing or wrong"));
}

TEST_F(Results, MeansComparisonsAndClaimsAreWorkedOut) {
  finish(0, result(0, 1, 0.1));
  finish(0, result(0, 2, 0.3));
  finish(1, result(1, 1, 0.2));
  finish(1, result(1, 2, 0.9));
  const auto summary = summarize(experiment_, folder_.read_summaries(experiment_).value());
  ASSERT_EQ(summary.cells.size(), 2u);
  EXPECT_DOUBLE_EQ(summary.cells[0].measures.at("local").mean, 0.2);
  EXPECT_FALSE(summary.cells[0].measures.contains("undefined"));
  EXPECT_TRUE(summary.cells[0].difference.empty());
  EXPECT_DOUBLE_EQ(summary.cells[1].difference.at("local").mean, 0.35);
  ASSERT_EQ(summary.checks.size(), 1u);
  EXPECT_EQ(summary.checks[0].verdict, Verdict::undecided) << "two seeds, far apart";
  ASSERT_EQ(summary.paper.size(), 1u);
  EXPECT_DOUBLE_EQ(summary.paper[0].ours->mean, 2.5);  // of 0.2 / 0.1 and 0.9 / 0.3
  EXPECT_EQ(summary.paper[0].digest, "d1");
}

TEST_F(Results, TheSummaryIsWrittenAsJsonAndAsATable) {
  finish(1, result(1, 1, 0.2));
  finish(1, result(1, 2, 0.4));
  ASSERT_TRUE(folder_.write_summary(summarize(experiment_, folder_.read_summaries(experiment_).value())));
  EXPECT_THAT(text_of("cells.csv"),
              StartsWith("cell,store.replication,measure,seeds,mean,ci95,difference,difference_ci95\n"
                         "replication=2,2,local,2,0.30000000000000004,1.27"));
  EXPECT_THAT(text_of("summary.json"), HasSubstr("\"id\": \"A8\""));
  EXPECT_THAT(text_of("summary.json"), HasSubstr("\"verdict\": \"undecided\""));
}

}  // namespace
}  // namespace proffer::study

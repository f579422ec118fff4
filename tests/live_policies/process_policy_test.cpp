// Policies that are programs of their own: what they are asked, what they may say, and that they decide as
// the same policy in C++ does.
#include "proffer/live/process_policy.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "cli/cell_run.hpp"
#include "proffer/frameworks/policy_failed.hpp"
#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void know_process_policies() {
  static const bool known = (add_process_policy(policy_registry()), true);
  ASSERT_TRUE(known);
}

/// Two jobs, of which the second has a task beside its data on the agent "near".
class TwoJobs final : public Candidates {
 public:
  std::span<const JobId> in_order(Kind) const override { return jobs_; }
  bool has_preferences(JobId, Kind) const override { return true; }
  std::optional<Locality> nearest(JobId job, Kind, const AgentInfo& agent) const override {
    return job.value == 2 && agent.name == "near" ? Locality::node : Locality::any;
  }
  std::int64_t unlaunched(JobId, Kind) const override { return 5; }
  std::int64_t running(JobId, Kind) const override { return 0; }
  std::int64_t preferred_agents(JobId, Kind) const override { return 1; }

 private:
  std::array<JobId, 2> jobs_{JobId{1}, JobId{2}};
};

class ProcessPolicy : public testing::Test {
 protected:
  ProcessPolicy() { know_process_policies(); }
  ~ProcessPolicy() override {
    policy_.reset();
    std::filesystem::remove(script_);
    std::filesystem::remove(script_ + ".asked");
  }

  /// A program that begins with `hello` and gives that answer to each question; it writes what it was asked
  /// into a file.
  void program(const std::string& answer, const std::string& hello = R"({"version":1})") {
    policy_.reset();  // a shell reads its script as it goes
    std::filesystem::remove(script_ + ".asked");
    std::ofstream(script_) << "read line; echo '" << hello << "'\n"
                           << "while read line; do echo \"$line\" >> " << script_ << ".asked\n"
                           << "case $line in *consider*|*next_level*) echo '" << answer << "';; esac; done\n";
    policy_ = make_policy(parse_policy("process,sh " + script_).value()).value();
  }
  Choice choice(const std::string& agent_name = "near") {
    const AgentInfo agent{{{0, 1}}, agent_name, "r1", ""};
    return policy_->consider({agent, Kind("map"), OfferId{1, 7}}, TwoJobs{}, time_from_us(1'500'000));
  }
  std::string failure() {
    try {
      choice();
    } catch (const PolicyFailed& failed) {
      return failed.what();
    }
    return "nothing is wrong";
  }
  std::string asked() const {
    std::ifstream in(script_ + ".asked");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string script_ = testing::TempDir() + "process-policy-" + std::to_string(::getpid()) + ".sh";
  std::unique_ptr<Policy> policy_;
};

TEST_F(ProcessPolicy, IsAskedAboutASlotAndTakesAJob) {
  program(R"({"take":2,"waited_s":0.5})");
  const auto take = std::get<Take>(choice());
  EXPECT_EQ(take.job, JobId{2});
  EXPECT_EQ(take.locality, Locality::node);
  EXPECT_EQ(take.waited, std::chrono::milliseconds(500));
  EXPECT_THAT(asked(), HasSubstr(R"("agent":"near")"));
  EXPECT_THAT(asked(), HasSubstr(R"("now_s":1.5,"offer":"1.7","rack":"r1")"));
  EXPECT_THAT(asked(), HasSubstr(R"("job":2,"nearest":"node")"));
}

TEST_F(ProcessPolicy, PassesWithItsReason) {
  program(R"({"pass":"no-rack-local"})");
  EXPECT_EQ(std::get<Pass>(choice("far")).reason, DeclineReason::no_rack_local);
}

TEST_F(ProcessPolicy, IsToldAndAskedOnlyWhatItWants) {
  program(R"({"pass":"policy"})", R"({"version":1,"hold_s":2.5})");
  policy_->opportunity({}, TwoJobs{}, Time{});
  policy_->job_ended(JobId{1});
  EXPECT_EQ(policy_->next_level_change(Kind("map"), TwoJobs{}, Time{}),
            Time{} + std::chrono::milliseconds(2500));
  EXPECT_EQ(asked(), "");
  program(R"({"in_s":null})", R"({"version":1,"wants":["next_level_change","job_ended"]})");
  policy_->job_ended(JobId{1});
  EXPECT_EQ(policy_->next_level_change(Kind("map"), TwoJobs{}, Time{}), std::nullopt);
  EXPECT_THAT(asked(),
              HasSubstr("{\"job_ended\":1}\n{\"next_level_change\":{\"jobs\":[1,2],\"kind\":\"map\""));
}

TEST_F(ProcessPolicy, ThatSaysWhatCannotBeUnderstoodFailsInOneSentence) {
  for (const auto& [answer, why] : std::map<std::string, std::string>{
           {R"({"take":3})", "it took a job that was not among those it was shown: {\"take\":3}"},
           {R"({"take":"2"})", "it took a job that was not among those it was shown"},
           {R"({"take":-1})", "it took a job that was not among those it was shown"},
           {R"({"take":1,"waited_s":-1})", "waited_s is no number of seconds"},
           {R"({"pass":"rain"})", "neither takes a job nor passes with a reason: {\"pass\":\"rain\"}"},
           {"{}", "neither takes a job nor passes with a reason"},
           {"[]", "it did not answer with an object of JSON: []"},
           {"greedy", "it did not answer with an object of JSON: greedy"}}) {
    program(answer);
    EXPECT_THAT(failure(), HasSubstr(why)) << answer;
    EXPECT_THAT(failure(), HasSubstr("the policy 'sh /"));
  }
  program("", R"({"version":2})");
  EXPECT_THAT(failure(), HasSubstr("it does not begin with \"version\":1"));
  program("", R"({"version":1,"hold_s":"long"})");
  EXPECT_THAT(failure(), HasSubstr("hold_s is no number of seconds"));
}

TEST_F(ProcessPolicy, IsWrittenWithItsCommandToTheEnd) {
  const std::string text = "process,python3 my policy.py --part=0.5,2";
  const auto spec = parse_policy(text).value();
  EXPECT_THAT(spec.settings, ElementsAre(testing::Pair("command", "python3 my policy.py --part=0.5,2")));
  EXPECT_EQ(to_string(spec), text);
  EXPECT_THAT(parse_policy("process").error().message, HasSubstr("needs a command"));
}

/// The policy of examples/policies/patient.py.
class Patient final : public Policy {
 public:
  explicit Patient(Settings& settings) : passes_(settings.count("passes", 5)) {}
  Choice consider(const SlotLook& slot, const Candidates& jobs, Time) override {
    bool waited = false;
    for (const auto job : jobs.in_order(slot.kind)) {
      const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
      if (!nearest) continue;
      waited = *nearest != Locality::node && jobs.has_preferences(job, slot.kind) && passed_ < passes_;
      if (waited) continue;
      passed_ = 0;
      return Take{job, *nearest, {}};
    }
    passed_ += waited ? 1 : 0;
    return Pass{waited ? DeclineReason::no_node_local : DeclineReason::no_pending_task};
  }
  std::optional<Time> next_level_change(Kind, const Candidates&, Time now) const override {
    return now + std::chrono::seconds(1);
  }

 private:
  std::int64_t passes_;
  std::int64_t passed_ = 0;
};

class PolicyInPython : public ProcessPolicy {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null") != 0) {
      GTEST_SKIP() << "there is no python3 of version 3.9 or later";
    }
    ::setenv("PYTHONPATH", PROFFER_SOURCE_DIR "/python/src", 1);
    ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    if (!policy_registry().describe("patient")) policy_registry().add<Patient>("patient", "of this test");
  }
  static Result<study::RunResult> run(const std::string& policy) {
    const auto experiment =
        study::good(study::small("", "[sweep]\n\"framework.policy\" = [\"" + policy + "\"]\n"));
    return cli::simulated_run(experiment, cells(experiment).at(0), 1, {});
  }
  const std::string patient_ = "process,python3 " PROFFER_SOURCE_DIR "/examples/policies/patient.py";
};

TEST_F(PolicyInPython, LaunchesAsTheSamePolicyInCppAndAgain) {
  const auto cpp = run("patient,passes=8");
  const auto python = run(patient_ + " --passes 8");
  ASSERT_TRUE(cpp && python) << python.error().message;
  EXPECT_GT(cpp->measures.at("declines.no-node-local"), 0);
  EXPECT_EQ(python->digest, cpp->digest);
  EXPECT_EQ(run(patient_ + " --passes 8")->digest, cpp->digest);
  EXPECT_NE(run(patient_ + " --passes 1")->digest, cpp->digest);
}

TEST_F(PolicyInPython, ThatFailsEndsTheRunWithASentence) {
  const auto run_of_none = run("process,python3 -c 'raise SystemExit(3)'");
  ASSERT_FALSE(run_of_none);
  EXPECT_THAT(run_of_none.error().message, HasSubstr("has failed: it has ended with exit code 3"));
}

}  // namespace
}  // namespace proffer::live

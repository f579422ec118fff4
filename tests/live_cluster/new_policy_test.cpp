// What somebody with an idea for a policy does: makes one, builds it, runs it beside others.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cluster.hpp"

namespace proffer {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using ::testing::HasSubstr;
using testing::proffer;
using testing::read_file;

class NewPolicy : public ::testing::Test {
 protected:
  std::string make(const std::string& name) {
    const auto dir = folder_.path() + "/" + name;
    const auto ran = proffer({"policy", "new", name, "--dir", dir});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return dir;
  }
  /// As its build file does, and runs its own test.
  void build(const std::string& dir, bool with_test) {
    run({PROFFER_CMAKE, "-S", dir, "-B", dir + "/build", "-DPROFFER_SOURCE=" PROFFER_SOURCE_DIR,
         "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_COMPILER=" PROFFER_CXX,
         "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror",
         "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=" + std::string(with_test && !kSanitized ? "OFF" : "ON"),
         "-DPROFFER_FRAMEWORKS=" PROFFER_BUILD_DIR "/frameworks/libproffer_frameworks.a",
         "-DPROFFER_CORE=" PROFFER_BUILD_DIR "/core/libproffer_core.a"});
    run({PROFFER_CMAKE, "--build", dir + "/build"});
    if (with_test && !kSanitized) run({dir + "/build/patient_two_policy_test"});
  }
  void run(const std::vector<std::string>& words) {
    const auto log = folder_.path() + "/log";
    auto child = live::Child::start(words, log);
    ASSERT_TRUE(child) << child.error().message;
    std::string out;
    while (auto line = child->read_line(std::chrono::seconds(100))) out += *line + "\n";
    EXPECT_EQ(child->wait_exit(std::chrono::seconds(10)), 0) << words.front() << "\n"
                                                             << out << read_file(log);
  }

  // Its test links archives of this build, which then need the sanitizer.
  static constexpr bool kSanitized = std::string_view(PROFFER_SANITIZED) != "";
  Folder folder_;
};

TEST_F(NewPolicy, IsBuiltAndRunsBesideOthers) {
  if (::access(PROFFER_CXX, X_OK) != 0) GTEST_SKIP() << "there is no compiler " << PROFFER_CXX;
  const auto dir = make("patient-two");
  const auto source = read_file(dir + "/patient_two.cpp");
  EXPECT_LE(std::count(source.begin(), source.end(), '\n'), 40);
  build(dir, true);

  const auto file = dir + "/experiment.toml";
  const auto sim = proffer({"sim", file, "--cell", "patient-two", "--quiet"});
  EXPECT_EQ(sim.exit_code, 0) << sim.err;
  EXPECT_THAT(sim.out, HasSubstr("declines.no-node-local"));
  const auto bench = proffer(
      {"policy", "bench", "greedy", "patient-two,passes=20", "--on", file, "--seeds", "2", "--quiet"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  EXPECT_THAT(bench.out, HasSubstr("policy=patient-two,passes=20      2  "));
  EXPECT_THAT(bench.out, HasSubstr("±"));
}

TEST_F(NewPolicy, WithoutProffersHeadersTheCureIsSaid) {
  const auto dir = make("patient");
  const auto log = folder_.path() + "/log";
  auto child =
      live::Child::start({PROFFER_CMAKE, "-S", dir, "-B", dir + "/build", "-DPROFFER_SOURCE=/nowhere",
                          "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF", "-DCMAKE_CXX_COMPILER=" PROFFER_CXX},
                         log);
  ASSERT_TRUE(child) << child.error().message;
  while (child->read_line(std::chrono::seconds(100))) {
  }
  EXPECT_NE(child->wait_exit(std::chrono::seconds(10)), 0);
  EXPECT_THAT(read_file(log), HasSubstr("-DPROFFER_SOURCE=DIR, a checkout of proffer or the PREFIX"));
}

TEST_F(NewPolicy, MayHaveTheNameOfAClassOrATargetThatThereIs) {
  if (::access(PROFFER_CXX, X_OK) != 0) GTEST_SKIP() << "there is no compiler " << PROFFER_CXX;
  for (const auto* name : {"policy", "test"}) {
    const auto dir = make(name);
    build(dir, false);
    const auto shown = proffer({"policy", "show", name, "--plugin", dir + "/build/" + name + ".so"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
  }
}

TEST_F(NewPolicy, IsNotComparedByLiveRuns) {
  const auto file = folder_.file("live.toml",
                                 "name = \"l\"\nmode = \"live\"\n[cluster]\nnodes = 2\n"
                                 "slots = { map = 1 }\n[[framework]]\nname = \"f\"\n"
                                 "[[workload]]\nbins = [{ maps = 1, jobs = 1 }]\n");
  const auto ran = proffer({"policy", "bench", "greedy", "--on", file, "--quiet"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("policies are compared in simulations; add --set mode=sim"));
  const auto simulated = proffer({"policy", "bench", "greedy", "--on", file, "--quiet", "--set", "mode=sim"});
  EXPECT_EQ(simulated.exit_code, 0) << simulated.err;
}

TEST_F(NewPolicy, OverwritesNothing) {
  const auto dir = make("patient");
  const auto again = proffer({"policy", "new", "patient", "--dir", dir});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_EQ(again.err, "proffer: " + dir + " is there already; nothing is overwritten\n");
}

TEST_F(NewPolicy, NeedsANameOfItsOwn) {
  const auto dir = folder_.path() + "/dir";
  const auto taken = proffer({"policy", "new", "wait", "--dir", dir});
  EXPECT_EQ(taken.exit_code, 1);
  EXPECT_THAT(taken.err, HasSubstr("there is a policy 'wait' already"));
  const auto wrong = proffer({"policy", "new", "My Policy", "--dir", dir});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'My Policy' is no name for a policy"));
  EXPECT_FALSE(fs::exists(dir));
}

TEST_F(NewPolicy, ThatCannotBeWrittenLeavesNothing) {
  const auto ran = proffer({"policy", "new", "patient", "--dir", folder_.file("file", "") + "/patient"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("cannot write to"));
}

}  // namespace
}  // namespace proffer

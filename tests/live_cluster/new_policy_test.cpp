// What somebody with an idea for a policy does: makes one, builds it, runs it beside others.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

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
  Folder folder_;
};

TEST_F(NewPolicy, IsBuiltAndRunsBesideOthers) {
  if (::access(PROFFER_CXX, X_OK) != 0) GTEST_SKIP() << "there is no compiler " << PROFFER_CXX;
  const auto dir = make("patient-two");
  const auto source = read_file(dir + "/patient_two.cpp");
  EXPECT_LE(std::count(source.begin(), source.end(), '\n'), 40);
  fs::create_directory(dir + "/build");
  auto compiler = live::Child::start(
      {PROFFER_CXX, "-std=c++20", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror",
       "-I" PROFFER_SOURCE_DIR "/include", dir + "/patient_two.cpp", "-o", dir + "/build/patient_two.so"},
      folder_.path() + "/compiler.log");
  ASSERT_TRUE(compiler) << compiler.error().message;
  ASSERT_EQ(compiler->wait_exit(std::chrono::seconds(100)), 0) << read_file(folder_.path() + "/compiler.log");

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

// Processes of a real cluster are killed at random, and what its tasks wrote themselves is judged by a
// program that shares no code with proffer.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "proffer/live/local_cluster.hpp"

namespace proffer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Ran {
  std::optional<int> status;
  std::string out;
};

Ran run(const std::vector<std::string>& argv, Duration timeout) {
  Ran ran;
  auto child = live::Child::start(argv, "");
  if (!child) return ran;
  while (auto line = child->read_line(timeout)) ran.out += *line + "\n";
  ran.status = child->wait_exit(timeout);
  return ran;
}

class Chaos : public ::testing::Test {
 protected:
  Chaos() {
    std::string pattern = std::filesystem::temp_directory_path().string() + "/proffer-chaos-XXXXXX";
    dir_ = ::mkdtemp(pattern.data());
  }
  ~Chaos() override {
    std::error_code ignored;
    if (!HasFailure()) std::filesystem::remove_all(dir_, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    const auto path = std::filesystem::path(dir_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  Ran check() const {
    return run({"/usr/bin/python3", PROFFER_SOURCE_DIR "/scripts/check_chaos.py", dir_}, kPatience);
  }

  static constexpr Duration kPatience = std::chrono::seconds(60);
  std::string dir_;
};

TEST_F(Chaos, NoTaskIsLostDoubledOrKilledByDeathsOfDaemonsAndFrameworks) {
  const auto ran = run({PROFFER_BIN_DIR "/proffer", "study", "chaos", dir_, "--kills", "30", "--pauses", "2",
                        "--pause", "8s", "--every", "400ms", "--agents", "3", "--frameworks", "3", "--quiet"},
                       std::chrono::minutes(5));
  ASSERT_EQ(ran.status, 0) << dir_;
  const auto judged = check();
  EXPECT_EQ(judged.status, 0) << dir_ << "\n" << judged.out;
}

TEST_F(Chaos, TheCheckerNoticesWhatIsWrong) {
  write("chaos.jsonl", R"({"at":1,"what":"kill","role":"agent","index":0,"pid":5})"
                       "\n");
  write("batches.jsonl", R"({"batch":"f1-1","tasks":4,"kills":1,"exit":0,"signal":0})"
                         "\n");
  write("batches/f1-1/stdout", "result 0\nresult 1\n");
  write("batches/f1-1/truth/task.0", "start 0 7 1.5\nend 0 7 2.5\n");
  write("batches/f1-1/truth/task.1", "start 1 8 1.5\nstart 1 9 1.6\nend 1 9 2.5\n");
  write("batches/f1-1/truth/task.2", "start 2 10 1.5\n");
  write("left.jsonl", "{\"slots\":1}\n{\"processes\":[99]}\n");
  const auto judged = check();
  EXPECT_NE(judged.status, 0);
  EXPECT_THAT(judged.out, AllOf(HasSubstr("lost 1, doubled 2, killed 1"), HasSubstr("leaked 1, orphan 1"),
                                HasSubstr("f1-1, task 1: started 2 times")));
}

TEST_F(Chaos, TheCheckerIsContentWithOneStartAndOneEndOfEach) {
  write("batches.jsonl", R"({"batch":"f1-1","tasks":1,"kills":0,"exit":0,"signal":0})"
                         "\n");
  write("batches/f1-1/stdout", "result 0\n");
  write("batches/f1-1/truth/task.0", "start 0 7 1.5\nend 0 7 2.5\n");
  write("left.jsonl", "{\"slots\":0}\n{\"processes\":[]}\n");
  EXPECT_EQ(check().status, 0);
}

}  // namespace
}  // namespace proffer

#include "live/policies/line_process.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::unique_ptr<LineProcess> started(const std::string& command) {
  return std::move(LineProcess::start(command)).value();
}

/// False as well for a process that has ended and that nobody has waited for.
bool runs(int process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(stat), {});
  const auto name_end = text.rfind(") ");
  return name_end != std::string::npos && text.at(name_end + 2) != 'Z';
}

TEST(LineProcess, AnswersInOrder) {
  const auto cat = started("cat");
  ASSERT_TRUE(cat->write("one\ntwo\n", 20s));
  EXPECT_EQ(cat->read(20s).value(), "one");
  EXPECT_EQ(cat->read(20s).value(), "two");
}

TEST(LineProcess, ThatEndsIsToldWithHow) {
  EXPECT_EQ(started("exit 3")->read(20s).error().message, "it has ended with exit code 3");
  EXPECT_EQ(started("kill -9 $$")->read(20s).error().message, "it has ended with signal 9");
  const auto deaf = started("exit 0");
  EXPECT_FALSE(deaf->read(20s));
  EXPECT_FALSE(deaf->write("is anybody there?\n", 20s));
}

TEST(LineProcess, ThatIsSilentIsNotWaitedForLongerThanAsked) {
  const auto process = started("read nothing");
  const auto answer = process->read(10ms);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::timed_out);
}

TEST(LineProcess, ThatTakesNothingIsNotWaitedForLongerThanAsked) {
  const auto process = started("exec sleep 1000");
  const auto written = process->write(std::string(1 << 20, '\n'), 10ms);  // more than a pipe holds
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::timed_out);
}

TEST(LineProcess, ThatNeverEndsItsLineIsNotReadOn) {
  const auto answer = started("yes | tr -d '\\n'")->read(20s);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("more than fits"));
}

TEST(LineProcess, EndsWithItsObjectAndAllThatItStarted) {
  // The shell ends at the end of its input; what it has left behind would not.
  auto process = started("sleep 1000 <&- >&- & echo $!; cat");
  const auto child = std::stoi(process->read(20s).value());
  ASSERT_GT(child, 1);
  process.reset();
  const auto until = steady_now() + 20s;
  while (runs(child) && steady_now() < until) std::this_thread::yield();
  EXPECT_FALSE(runs(child));
}

}  // namespace
}  // namespace proffer::live

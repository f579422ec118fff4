// An agent daemon in a process of its own, forked while the test has one thread.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "proffer/live/daemons.hpp"
#include "proffer/live/executor.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live::test {

class ForkedAgent {
 public:
  explicit ForkedAgent(const AgentSettings& settings) : work_dir_(settings.work_dir) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      be_agent(settings, ends[1]);
    }
    ::close(ends[1]);
    said_ = ends[0];
  }
  ~ForkedAgent() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(said_);
    const auto ended = end_runs_in(work_dir_, std::string(PROFFER_BIN_DIR) + "/proffer-launcher");
    EXPECT_TRUE(ended) << ended.error().message;
  }
  ForkedAgent(const ForkedAgent&) = delete;
  ForkedAgent& operator=(const ForkedAgent&) = delete;

  /// Returns the agent's ready line, or the error that it ended with.
  std::string next_line() {
    std::string line;
    for (char c = 0; ::read(said_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  /// Sends the signal, waits for the end, and tells how long it took.
  Duration end_by(int signal) {
    const auto begin = steady_now();
    ::kill(pid_, signal);
    ::waitpid(pid_, &status_, 0);
    pid_ = -1;
    return steady_now() - begin;
  }
  bool ended_well() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

 private:
  [[noreturn]] static void be_agent(const AgentSettings& settings, int out) {
    const auto say = [out](const std::string& line) {
      [[maybe_unused]] const auto written = ::write(out, (line + "\n").data(), line.size() + 1);
    };
    Stop stop;
    stop.on_signals();
    const std::string bin = PROFFER_BIN_DIR;
    const auto ended = run_agent(settings, stop, say, {bin + "/proffer-launcher", bin + "/proffer-worker"});
    if (!ended) say(ended.error().message);
    ::_exit(ended.ok() ? 0 : 1);
  }

  std::string work_dir_;
  pid_t pid_ = -1;
  int said_ = -1;
  int status_ = -1;
};

}  // namespace proffer::live::test

// A daemon in a thread of this process.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "proffer/live/daemons.hpp"

namespace proffer::live::test {

class Running {
 public:
  using Run = std::function<Result<>(Stop&, const Ready&)>;

  /// Returns when it is ready or has ended.
  explicit Running(Run run) {
    auto ready = ready_.get_future();
    thread_ = std::thread([this, run = std::move(run)] {
      result_ = run(stop_, [&](const std::string& line) { set_ready(line); });
      set_ready("");
    });
    line_ = ready.get();
  }
  ~Running() {
    stop_.request();
    if (thread_.joinable()) thread_.join();
  }

  /// A value of the ready line; empty when it never was ready.
  std::string value(const std::string& name) const {
    std::istringstream words(line_);
    for (std::string word; words >> word;) {
      if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
    }
    return {};
  }
  const std::string& line() const { return line_; }
  Stop& stop() { return stop_; }

  /// Asks it to stop, waits, and returns what it ended with.
  Result<> end() {
    stop_.request();
    return join();
  }
  Result<> join() {
    if (thread_.joinable()) thread_.join();
    return *result_;
  }

 private:
  void set_ready(const std::string& line) {
    if (!std::exchange(is_set_, true)) ready_.set_value(line);
  }

  Stop stop_;
  std::promise<std::string> ready_;
  bool is_set_ = false;
  std::string line_;
  std::optional<Result<>> result_;
  std::thread thread_;
};

}  // namespace proffer::live::test

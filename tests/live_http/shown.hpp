// An allocator with a dashboard, an agent that runs a task of one framework, and another framework that has
// declined.
#pragma once

#include <string>

#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"

namespace proffer::live::test {

AllocatorSettings with_dashboard();

class Shown {
 public:
  Shown();
  const std::string& http() const { return http_; }
  Running& daemon() { return daemon_; }
  /// Lets the framework launch another task.
  void launch(const std::string& task);

 private:
  OfferId offer();

  Running daemon_;
  std::string http_;
  WireClient framework_;
  WireClient agent_;
  std::uint64_t accepts_ = 0;
};

/// Asks again and again until the body of the answer has that in it; the last body, which may not.
std::string body_with(const std::string& address, const std::string& path, const std::string& wanted);

}  // namespace proffer::live::test

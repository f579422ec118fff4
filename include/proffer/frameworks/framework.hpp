// The framework machine: a session with the allocator (and requests to the catalog) on behalf of one
// Scheduler.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "proffer/frameworks/scheduler.hpp"
#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer {

struct FrameworkConfig {
  std::string name;
  std::string pool;
  std::string user;
  Duration failover_timeout{};
  Duration retry_first =
      std::chrono::milliseconds(200);  ///< SUBSCRIBE; doubles to retry_max with full jitter
  Duration retry_max = std::chrono::seconds(10);
  Duration accept_retry = std::chrono::seconds(5);            ///< an unanswered ACCEPT: subscribe again
  Duration allocator_silent_after = std::chrono::seconds(5);  ///< then it subscribes again
};

class Framework {
 public:
  /// `scheduler` must outlive it.
  Framework(FrameworkConfig config, Scheduler& scheduler, Random random);
  ~Framework();

  void step(const Event& event, Actions& actions, Time now);
  std::optional<Time> next_deadline() const;
  void check_invariants() const;
  /// The scheduler called stop(), or the allocator refused the framework for good.
  bool finished() const;
  bool subscribed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer

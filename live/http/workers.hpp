// The threads that answer, and the connections that wait for one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "live/os/event_fd.hpp"

namespace proffer::live {

/// A fixed number of threads. Invariant: at most `most_waiting` jobs wait, and who has one more waits itself.
class Workers {
 public:
  Workers(std::size_t threads, std::size_t most_waiting);
  ~Workers() { finish(); }
  /// Blocks while too many wait.
  void add(std::function<void()> job);
  /// Returns when all jobs are done.
  void finish();
  /// A descriptor that is readable while a job waits.
  int crowded() const { return crowded_.fd(); }

 private:
  void work();

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::condition_variable left_;
  std::deque<std::function<void()>> waiting_;
  EventFd crowded_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace proffer::live

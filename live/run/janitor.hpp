// Deletes folders in a thread of its own, since a large one would keep the agent from its heartbeats.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace proffer::live {

class Janitor {
 public:
  Janitor() = default;
  Janitor(const Janitor&) = delete;
  Janitor& operator=(const Janitor&) = delete;
  /// Finishes the folder it is at, and leaves the others.
  ~Janitor();

  /// Removes the folder soon. What cannot be deleted stays. The thread begins with the first of them.
  void remove(std::string folder);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> folders_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace proffer::live

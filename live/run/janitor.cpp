#include "live/run/janitor.hpp"

#include <signal.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace proffer::live {
namespace {

/// Threads that begin while it lives take no signals: those are for the thread that began it.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &former_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &former_, nullptr); }

 private:
  sigset_t former_;
};

}  // namespace

Janitor::~Janitor() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Janitor::remove(std::string folder) {
  {
    const std::lock_guard lock(mutex_);
    folders_.push_back(std::move(folder));
  }
  changed_.notify_one();
  if (thread_.joinable()) return;
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { work(); });
}

void Janitor::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || !folders_.empty(); });
    if (stopped_) return;
    const auto folder = std::move(folders_.front());
    folders_.pop_front();
    lock.unlock();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    lock.lock();
  }
}

}  // namespace proffer::live

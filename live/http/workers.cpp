#include "live/http/workers.hpp"

#include <utility>

#include "live/os/block_signals.hpp"

namespace proffer::live {

Workers::Workers(std::size_t threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] {
      block_signals();
      work();
    });
  }
}

void Workers::add(std::function<void()> job) {
  {
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return waiting_.size() < most_waiting_; });
    waiting_.push_back(std::move(job));
    crowded_.notify();
  }
  came_.notify_one();
}

void Workers::finish() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  came_.notify_all();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void Workers::work() {
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      came_.wait(lock, [&] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
      if (waiting_.empty()) crowded_.clear();
    }
    left_.notify_one();
    job();
  }
}

}  // namespace proffer::live

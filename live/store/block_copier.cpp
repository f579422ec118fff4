#include "live/store/block_copier.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

#include "live/os/block_signals.hpp"
#include "live/os/open_file.hpp"
#include "live/transport/port_pool.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

// The number of copies that an agent makes at once.
constexpr std::size_t kThreads = 2;
// A source that says nothing for so long has failed; the end of the agent waits for it.
constexpr Duration kSourceSilent = std::chrono::seconds(5);

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace

BlockCopier::~BlockCopier() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void BlockCopier::fetch(FetchBlock wanted) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(wanted));
  }
  if (threads_.size() < kThreads) threads_.emplace_back([this] { run(); });
  changed_.notify_one();
}

bool BlockCopier::stopping() {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void BlockCopier::run() {
  block_signals();
  Fetcher fetcher(context_, kSourceSilent);
  while (true) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, limits::kIdlePort, [this] { return stopping_ || !waiting_.empty(); })) {
      context_.data_ports().close_idle(steady_now());
    }
    if (stopping_) return;
    const auto wanted = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    if (const auto copied = copy(fetcher, wanted)) {
      mailbox_.command(PutInPlace{wanted.block, wanted.length});
    } else {
      remove_file(folders_.copied(wanted.block));
      mailbox_.report(BlockNotFetched{wanted.block, copied.error()});
    }
  }
}

Result<> BlockCopier::copy(Fetcher& fetcher, const FetchBlock& wanted) {
  const auto path = folders_.copied(wanted.block);
  remove_file(path);  // left by a copy that was not put in place
  auto file = OpenFile::to_create(path);
  if (!file) return file.error();
  std::uint64_t written = 0;
  const auto append = [&](std::string_view bytes) -> Result<> {
    if (stopping()) return Error{ErrorCode::unreachable, "the agent ends"};
    written += bytes.size();
    return file->write(bytes);
  };
  auto fetched = fetcher.fetch_from(wanted.sources, {}, wanted.token, wanted.block, 0, wanted.length, append);
  if (!fetched || written == wanted.length) return fetched;
  return Error{ErrorCode::corrupt,
               "a source sent " + std::to_string(written) + " bytes of " + std::to_string(wanted.length)};
}

}  // namespace proffer::live

#include "proffer/live/output_relay.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "live/os/block_signals.hpp"
#include "live/os/io_error.hpp"
#include "live/store/data_mailbox.hpp"
#include "live/worker/attempts.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

// A data port that says nothing for so long has failed; a stop waits for it.
constexpr Duration kSilent = std::chrono::seconds(5);
// The time for which a data port that does not answer is waited for: its agent may be paused, or about to be
// started again. Afterwards nothing is asked of it for as long.
constexpr Duration kAgentPatience = std::chrono::seconds(30);
// The pause between two looks at a task that runs: twice as long after each that found nothing new.
constexpr Duration kShortestPause = std::chrono::milliseconds(25);
constexpr Duration kLongestPause = std::chrono::milliseconds(400);
// A pipe that has room takes so much at once, so that a write never waits.
constexpr std::size_t kWriteBytes = 4096;

// Tasks whose beginnings are asked for at once: two streams each, as many as one data port lets a reader ask
// for.
constexpr std::size_t kAhead = 4;

/// The error of a relay that was stopped: nothing is tried again after it.
Error stopped() { return {ErrorCode::refused, "stopped"}; }

}  // namespace

struct OutputRelay::Impl {
  /// A data port that did not answer for long.
  struct GivenUp {
    Error why;
    Time until;  ///< asked nothing before
  };

  Impl(Context& its_context, std::string secret) : context(its_context), token(std::move(secret)) {}

  /// A stream of a task, as far as it is handed on.
  struct Stream {
    bool is_err = false;
    std::uint64_t handed_on = 0;
    bool cut = false;  // the task has written more than its agent keeps
    std::optional<Chunk> first =
        {};  // the stream's beginning, when it was asked for ahead (of a task that had ended)
    int fd() const { return is_err ? STDERR_FILENO : STDOUT_FILENO; }
  };

  struct Item {
    explicit Item(Source its) : source(std::move(its)) {}
    Source source;
    std::array<Stream, 2> streams{Stream{false}, Stream{true}};  // the thread's own
    bool ended = false;
    bool kept = false;
    bool looked_at = false;  // the beginnings of its streams were asked for
    std::string closing;
  };

  static CommandOutput name_of(const Source& source, const Stream& stream) {
    return {source.framework, source.job, source.task, stream.is_err};
  }

  // ---- the thread ----
  void run();
  Item* next();
  void hand_on(Item& item);
  void look_ahead();
  bool follow(Item& item);
  void finish(Item& item);
  void finish(const Item& item, Stream& stream);
  Result<> fetch(const Source& source, Stream& stream);
  std::optional<Error> given_up(const std::string& endpoint);
  Result<> fetch_all(const Source& source, Stream& stream);
  Result<> hand_on(Stream& stream, std::string_view bytes);
  Result<> write(int fd, std::string_view bytes);
  /// Prints a line on stderr. Errors are dropped: nobody may be there to read it.
  void print_line(const std::string& line) { static_cast<void>(write(STDERR_FILENO, line)); }
  void report_error(const std::string& sentence);
  void pop(const Item& item);

  bool over() const { return stopping || error; }  // under the lock
  bool is_over() {
    const std::lock_guard lock(mutex);
    return over();
  }

  // The thread's own state: used without the mutex.
  Context& context;
  std::optional<Fetcher> fetcher;         // made where it is used, as its ports have to be
  std::map<std::string, GivenUp> silent;  // data ports
  const std::string token;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> items;  // the first of them is being dealt with
  std::vector<TaskId> done;
  bool whole = true;
  bool stopping = false;
  std::optional<Error> error;
  EventFd finished;
  EventFd stop;
  std::thread thread;
};

void OutputRelay::Impl::run() {
  block_signals();
  fetcher.emplace(context, kSilent);
  while (auto* item = next()) {
    hand_on(*item);
    pop(*item);
  }
  fetcher.reset();
}

/// Returns the task to deal with next; none when it is all over. Others are only added behind it meanwhile,
/// so it stays where it is.
OutputRelay::Impl::Item* OutputRelay::Impl::next() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return over() || !items.empty(); });
  return over() ? nullptr : &items.front();
}

void OutputRelay::Impl::hand_on(Item& item) {
  auto pause = kShortestPause;
  std::unique_lock lock(mutex);
  while (!item.ended && !over()) {
    lock.unlock();
    const bool news = follow(item);
    lock.lock();
    pause = news ? kShortestPause : std::min(2 * pause, kLongestPause);
    changed.wait_for(lock, pause, [&] { return over() || item.ended; });
  }
  if (over()) return;
  lock.unlock();
  finish(item);
}

/// Hands on what is new, and returns whether anything was. A failure while the task runs is no error yet: it
/// is tried again, at the task's end at the latest.
bool OutputRelay::Impl::follow(Item& item) {
  bool news = false;
  for (auto& stream : item.streams) {
    const auto before = stream.handed_on;
    static_cast<void>(fetch(item.source, stream));
    news = news || stream.handed_on != before;
  }
  return news;
}

/// Most tasks write little: the beginnings of several are asked for at once, rather than a question a stream.
void OutputRelay::Impl::look_ahead() {
  std::vector<Fetcher::Beginning> wanted;
  std::vector<Stream*> streams;
  {
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < std::min(items.size(), kAhead); ++i) {
      auto& item = items[i];
      if (!item.ended || !item.kept || item.looked_at || given_up(item.source.endpoint)) continue;
      item.looked_at = true;
      for (auto& stream : item.streams) {
        if (stream.handed_on > 0) continue;
        wanted.push_back({item.source.endpoint, name_of(item.source, stream)});
        streams.push_back(&stream);
      }
    }
  }
  auto beginnings = fetcher->fetch_beginnings(wanted, token);
  for (std::size_t i = 0; i < streams.size(); ++i) streams[i]->first = std::move(beginnings[i]);
}

void OutputRelay::Impl::finish(Item& item) {
  if (item.kept && !item.looked_at) look_ahead();
  const auto handed_on = item.streams[0].handed_on + item.streams[1].handed_on;
  if (item.kept) {
    for (auto& stream : item.streams) finish(item, stream);
  } else if (handed_on > 0) {
    report_error(fmt::format(
        "{} did not finish, and runs again: the {} bytes of its output that were handed on are not all",
        item.source.label, handed_on));
  }
  print_line(item.closing);
}

void OutputRelay::Impl::finish(const Item& item, Stream& stream) {
  const auto fetched = fetch_all(item.source, stream);
  if (is_over() || (fetched && !stream.cut)) return;
  const auto why = fetched ? "its agent keeps no more" : fetched.error().message;
  report_error(fmt::format("{}: only the first {} bytes of its {} were handed on: {}", item.source.label,
                           stream.handed_on, stream.is_err ? "stderr" : "stdout", why));
}

/// Returns why nothing is asked of a data port for now; none: it may be asked.
std::optional<Error> OutputRelay::Impl::given_up(const std::string& endpoint) {
  const auto known = silent.find(endpoint);
  if (known == silent.end()) return {};
  if (steady_now() < known->second.until) return known->second.why;
  silent.erase(known);
  return {};
}

/// Fetches all of a stream. A data port that does not answer is asked again and again, and then given up for
/// a while, for the tasks that come next.
Result<> OutputRelay::Impl::fetch_all(const Source& source, Stream& stream) {
  if (auto why = given_up(source.endpoint)) return std::move(*why);
  const auto give_up_at = steady_now() + kAgentPatience;
  for (;;) {
    auto fetched = try_again([&] { return is_over() ? Result<>(stopped()) : fetch(source, stream); });
    if (fetched) return fetched;
    const auto code = fetched.error().code;
    if (code != ErrorCode::unreachable && code != ErrorCode::timed_out) return fetched;
    std::unique_lock lock(mutex);
    if (!over() && steady_now() < give_up_at) {
      changed.wait_for(lock, kLongestPause, [this] { return over(); });
      continue;
    }
    silent[source.endpoint] = {fetched.error(), steady_now() + kAgentPatience};
    return fetched;
  }
}

/// Hands on what is written by now. The launcher's line about what it cut off is not the task's.
Result<> OutputRelay::Impl::fetch(const Source& source, Stream& stream) {
  const auto what = name_of(source, stream);
  const auto sink = [&](std::string_view bytes) { return hand_on(stream, bytes); };
  if (stream.cut) return {};
  const auto asked_ahead = std::exchange(stream.first, {});
  const auto piece = asked_ahead ? Result<Chunk>(*asked_ahead)
                                 : fetcher->fetch_piece(source.endpoint, token, what, stream.handed_on);
  if (!piece) return piece.error();
  if (piece->total < stream.handed_on) return Error{ErrorCode::corrupt, "it has become shorter"};
  const auto end = std::min<std::uint64_t>(piece->total, limits::kOutputBytesPerStream);
  stream.cut = piece->total > end;
  const auto first = std::string_view(piece->bytes).substr(0, end - stream.handed_on);
  if (auto handed = sink(first); !handed) return handed;
  return fetcher->fetch(source.endpoint, token, what, stream.handed_on, end - stream.handed_on, sink);
}

Result<> OutputRelay::Impl::hand_on(Stream& stream, std::string_view bytes) {
  auto written = write(stream.fd(), bytes);
  if (written) {
    stream.handed_on += bytes.size();
    return written;
  }
  const std::lock_guard lock(mutex);
  if (!over()) error = written.error();
  return written;
}

Result<> OutputRelay::Impl::write(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    std::array<pollfd, 2> wanted{pollfd{fd, POLLOUT, 0}, pollfd{stop.fd(), POLLIN, 0}};
    ::poll(wanted.data(), wanted.size(), -1);
    if (wanted[1].revents != 0) return stopped();
    if (wanted[0].revents == 0) continue;
    const auto n = ::write(fd, bytes.data(), std::min(bytes.size(), kWriteBytes));
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR && errno != EAGAIN) {
      return io_error(std::string("cannot write to ") + (fd == STDOUT_FILENO ? "stdout" : "stderr"));
    }
  }
  return {};
}

void OutputRelay::Impl::report_error(const std::string& sentence) {
  {
    const std::lock_guard lock(mutex);
    whole = false;
  }
  print_line("proffer: " + sentence + "\n");
}

void OutputRelay::Impl::pop(const Item& item) {
  {
    const std::lock_guard lock(mutex);
    if (!over()) {
      if (item.kept) done.push_back(item.source.task);
      items.pop_front();
    }
  }
  finished.notify();
  changed.notify_all();
}

OutputRelay::OutputRelay(Context& context, std::string token)
    : impl_(std::make_unique<Impl>(context, std::move(token))) {
  impl_->thread = std::thread([this] { impl_->run(); });
}

OutputRelay::~OutputRelay() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->stop.notify();
  impl_->changed.notify_all();
  impl_->thread.join();
}

void OutputRelay::follow(Source source) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->items.emplace_back(std::move(source));
  }
  impl_->changed.notify_all();
}

void OutputRelay::ended(Source source, bool kept, std::string closing) {
  {
    const std::lock_guard lock(impl_->mutex);
    auto& items = impl_->items;
    const bool followed = !items.empty() && !items.back().ended && items.back().source.task == source.task;
    if (!followed) items.emplace_back(std::move(source));
    items.back().kept = kept;
    items.back().closing = std::move(closing);
    items.back().ended = true;
  }
  impl_->changed.notify_all();
}

int OutputRelay::event_fd() const { return impl_->finished.fd(); }

std::vector<TaskId> OutputRelay::take_handed_on() {
  impl_->finished.clear();
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->done, {});
}

std::optional<Error> OutputRelay::broken() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->error;
}

void OutputRelay::drain(const Stop& stop) {
  std::unique_lock lock(impl_->mutex);
  while (!stop.requested() && !impl_->error && !impl_->items.empty()) {
    impl_->changed.wait_for(lock, kLongestPause);
  }
}

bool OutputRelay::whole() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->whole;
}

}  // namespace proffer::live

#include "live/worker/shuffle.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "live/store/crc32.hpp"
#include "live/worker/attempts.hpp"
#include "live/worker/map_output.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kFetchers = 4;
constexpr std::size_t kShuffleBytes = 256 << 10;

/// The work that the fetching threads share. Each thread owns the file it appends to.
class Queue {
 public:
  explicit Queue(std::size_t size) : size_(size) {}
  /// Returns the next input to fetch; none when all are taken, or all is in vain.
  std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    if (next_ == size_ || broken_) return {};
    return next_++;
  }
  void give_up(const std::string& endpoint) {
    const std::lock_guard lock(mutex_);
    silent_.insert(endpoint);
  }
  bool is_given_up(const std::string& endpoint) {
    const std::lock_guard lock(mutex_);
    return silent_.contains(endpoint);
  }
  void fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!broken_) broken_ = error;
  }
  const std::optional<Error>& broken() const { return broken_; }

 private:
  std::mutex mutex_;
  std::size_t size_;
  std::size_t next_ = 0;
  std::set<std::string> silent_;
  std::optional<Error> broken_;  // the first error of our own disk
};

/// The outcome of fetching one input.
struct Fetched {
  LineRun run;
  std::optional<Error> missing;
};

/// A thread that fetches inputs.
class Getter {
 public:
  Getter(const WorkerEnv& env, const ReduceWork& work, Context& context, FileAppender& into, Queue& queue,
         std::vector<Fetched>& fetched)
      : env_(env), work_(work), context_(context), into_(into), queue_(queue), fetched_(fetched) {}

  void operator()() {
    Fetcher fetcher(context_, env_.fetch_timeout);
    while (const auto next = queue_.take()) get(fetcher, *next);
    if (auto flushed = into_.flush(); !flushed) queue_.fail(flushed.error());
  }

 private:
  void get(Fetcher& fetcher, std::size_t index) {
    const auto& input = work_.inputs[index];
    const auto begin = into_.size();
    const auto error = input.agent == env_.agent ? get_local(input) : get_remote(fetcher, input);
    if (!error) {
      fetched_[index].run = {&into_.file(), begin, input.length};
      return;
    }
    fetched_[index].missing = error;
    if (auto cut = into_.truncate(begin); !cut) queue_.fail(cut.error());
  }

  std::optional<Error> get_local(const MapOutput& input) {
    const auto file = OpenFile::to_read(map_output_path(env_, work_.job, input.map), kTaskFile);
    if (!file) return file.error();
    Crc32 crc;
    std::string buffer(kShuffleBytes, '\0');
    for (std::uint64_t done = 0; done < input.length;) {
      const auto wanted =
          static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), input.length - done));
      const auto got = file->read_at(input.offset + done, buffer.data(), wanted);
      if (!got) return got.error();
      if (*got == 0) return Error{ErrorCode::corrupt, "the output of " + input.map.value + " is cut off"};
      keep(std::string_view(buffer).substr(0, *got), crc);
      done += *got;
    }
    return verdict(input, crc);
  }

  std::optional<Error> get_remote(Fetcher& fetcher, const MapOutput& input) {
    if (queue_.is_given_up(input.endpoint)) {
      return Error{ErrorCode::unreachable, "no data port answers at " + input.endpoint};
    }
    const auto begin = into_.size();
    const auto got = try_again([&] { return try_remote(fetcher, input, begin); });
    if (got) return {};
    if (got.error().code == ErrorCode::unreachable || got.error().code == ErrorCode::timed_out) {
      queue_.give_up(input.endpoint);
    }
    return got.error();
  }

  /// Fetches into the place from `begin` on, whatever an earlier attempt has left there.
  Result<> try_remote(Fetcher& fetcher, const MapOutput& input, std::uint64_t begin) {
    if (auto cut = into_.truncate(begin); !cut) {
      queue_.fail(cut.error());
      return cut;
    }
    Crc32 crc;
    const auto fetched =
        fetcher.fetch(input.endpoint, work_.job_token, MapOutputFile{env_.framework, work_.job, input.map},
                      input.offset, input.length, [&](std::string_view bytes) {
                        keep(bytes, crc);
                        return Result<>();
                      });
    if (!fetched) return fetched;
    const auto wrong = verdict(input, crc);
    return wrong ? Result<>(*wrong) : Result<>();
  }

  void keep(std::string_view bytes, Crc32& crc) {
    crc.add(bytes);
    if (auto put = into_.append(bytes); !put) queue_.fail(put.error());
  }

  static std::optional<Error> verdict(const MapOutput& input, const Crc32& crc) {
    if (crc.value() == input.crc32) return {};
    return Error{ErrorCode::corrupt, "the output of " + input.map.value + " does not match its checksum"};
  }

  const WorkerEnv& env_;
  const ReduceWork& work_;
  Context& context_;
  FileAppender& into_;
  Queue& queue_;
  std::vector<Fetched>& fetched_;
};

Result<> make_files(std::deque<FileAppender>& files, std::size_t count, const std::string& folder) {
  while (files.size() < count) {
    auto file = OpenFile::nameless(folder, kTaskFile);
    if (!file) return file.error();
    files.emplace_back(std::move(*file));
  }
  return {};
}

void collect(const WorkerEnv& env, const ReduceWork& work, const std::vector<Fetched>& fetched,
             Shuffled& all) {
  for (std::size_t i = 0; i < fetched.size(); ++i) {
    const auto& input = work.inputs[i];
    if (fetched[i].missing) {
      if (all.missing.empty()) all.why_missing = fetched[i].missing->message;
      all.missing.push_back(input.map);
      continue;
    }
    all.runs.push_back(fetched[i].run);
    (input.agent == env.agent ? all.local_bytes : all.remote_bytes) += input.length;
  }
}

}  // namespace

Result<Shuffled> shuffle(const WorkerEnv& env, const ReduceWork& work, Context& context) {
  Shuffled all;
  const auto getters = std::min(kFetchers, work.inputs.size());
  if (auto made = make_files(all.files, getters, env.sandbox); !made) return made.error();
  Queue queue(work.inputs.size());
  std::vector<Fetched> fetched(work.inputs.size());
  std::vector<std::thread> threads;
  for (auto& file : all.files) threads.emplace_back(Getter(env, work, context, file, queue, fetched));
  for (auto& thread : threads) thread.join();
  if (queue.broken()) return *queue.broken();
  collect(env, work, fetched, all);
  return all;
}

}  // namespace proffer::live

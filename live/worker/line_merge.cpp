#include "live/worker/line_merge.hpp"

#include <algorithm>
#include <deque>
#include <memory>

#include "live/worker/line_key.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kFanIn = 128;
constexpr std::size_t kRunBytes = 64 << 10;

/// Reads one run line by line.
class RunReader {
 public:
  explicit RunReader(LineRun run) : run_(run) {}

  /// Goes to the next line; false at the end. The line stays valid until the next call.
  Result<bool> next() {
    begin_ = end_;
    while (true) {
      const auto feed = buffer_.find('\n', scanned_);
      if (feed != buffer_.npos) {
        line_ = std::string_view(buffer_).substr(begin_, feed - begin_);
        end_ = scanned_ = feed + 1;
        key_ = key_of(line_).size();
        return true;
      }
      scanned_ = buffer_.size();
      auto more = read_on();
      if (!more) return more.error();
      if (*more) continue;
      if (begin_ == buffer_.size()) return false;
      return Error{ErrorCode::corrupt, "a run of sorted lines ends within a line"};
    }
  }
  bool before(const RunReader& other) const { return line_before(line_, key_, other.line_, other.key_); }
  std::string_view line() const { return line_; }

 private:
  Result<bool> read_on() {
    if (run_.length == 0) return false;
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = end_ = 0;
    const auto held = buffer_.size();
    // Twice as much for lines that do not fit, so that they are not scanned over and over.
    const auto wanted = std::min<std::uint64_t>(run_.length, std::max(kRunBytes, held));
    buffer_.resize(held + static_cast<std::size_t>(wanted));
    auto got = run_.file->read_at(run_.offset, buffer_.data() + held, static_cast<std::size_t>(wanted));
    if (!got) return got.error();
    if (*got == 0) return Error{ErrorCode::io, "a file of sorted lines is shorter than it was"};
    buffer_.resize(held + *got);
    run_.offset += *got;
    run_.length -= *got;
    return true;
  }

  LineRun run_;
  std::string buffer_;
  std::size_t begin_ = 0;    // the line's begin
  std::size_t end_ = 0;      // the place behind its line feed
  std::size_t scanned_ = 0;  // no line feed between end_ and here
  std::string_view line_;
  std::size_t key_ = 0;
};

/// The order of a heap whose top is the reader with the least line.
bool later(const std::unique_ptr<RunReader>& a, const std::unique_ptr<RunReader>& b) { return b->before(*a); }

Result<> merge_once(const std::vector<LineRun>& runs, const LineSink& sink) {
  std::vector<std::unique_ptr<RunReader>> heap;
  for (const auto& run : runs) {
    auto reader = std::make_unique<RunReader>(run);
    auto any = reader->next();
    if (!any) return any.error();
    if (*any) heap.push_back(std::move(reader));
  }
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    auto& least = *heap.back();
    if (auto taken = sink(least.line()); !taken) return taken;
    auto more = least.next();
    if (!more) return more.error();
    if (!*more) {
      heap.pop_back();
    } else {
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
  return {};
}

}  // namespace

Result<> merge_lines(std::vector<LineRun> runs, const std::string& folder, const LineSink& sink) {
  std::erase_if(runs, [](const LineRun& run) { return run.length == 0; });
  std::deque<FileAppender> merged;  // outlives the runs that lie in it
  while (runs.size() > kFanIn) {
    auto file = OpenFile::nameless(folder, kTaskFile);
    if (!file) return file.error();
    auto& into = merged.emplace_back(std::move(*file));
    // The oldest go first and the result goes last, so that every line is copied about as often as others.
    const auto end = runs.begin() + static_cast<std::ptrdiff_t>(std::min(kFanIn, runs.size() - kFanIn + 1));
    const std::vector<LineRun> some(runs.begin(), end);
    runs.erase(runs.begin(), end);
    auto done = merge_once(some, [&into](std::string_view line) { return into.append_line(line); });
    if (done) done = into.flush();
    if (!done) return done;
    runs.push_back({&into.file(), 0, into.size()});
  }
  return merge_once(runs, sink);
}

}  // namespace proffer::live

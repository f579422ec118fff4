#include "live/host/event_log_writer.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "live/os/io_error.hpp"
#include "proffer/formats/event_log.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kPieceBytes = 64 << 10;
constexpr Duration kFlushEvery = std::chrono::seconds(1);

}  // namespace

Result<std::unique_ptr<EventLogWriter>> EventLogWriter::open(const std::string& path, std::string source) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.open()) return os_error(ErrorCode::io, "cannot open the event log " + path);
  return std::unique_ptr<EventLogWriter>(new EventLogWriter(std::move(file), path, std::move(source)));
}

EventLogWriter::EventLogWriter(Descriptor file, std::string path, std::string source)
    : file_(std::move(file)),
      path_(std::move(path)),
      source_(std::move(source)),
      life_(static_cast<std::uint32_t>(entropy() | 1)) {}

EventLogWriter::~EventLogWriter() {
  flush();
  if (lost_ > 0) {
    add(LinesLost{lost_, why_}, steady_now());
    flush();
  }
}

void EventLogWriter::write(const Trace& trace, Time now) {
  if (lost_ > 0 && buffer_.empty()) add(LinesLost{lost_, why_}, now);
  add(trace, now);
  if (buffer_.size() >= kPieceBytes) flush();
  if (!buffer_.empty() && !flush_at_) flush_at_ = now + kFlushEvery;
}

void EventLogWriter::add(const Trace& trace, Time now) {
  buffer_ += format_trace({now, ++seq_, source_, trace, life_});
  buffer_ += '\n';
}

/// Writes as much of `text` as can be written, and cuts that off; true when that was all.
bool EventLogWriter::put(std::string& text) {
  std::string_view rest = text;
  if (!write_all(file_.get(), rest)) {
    const std::string why = std::strerror(errno);
    if (why_.empty()) log::error("the event log " + path_ + " lacks lines from here on: " + why);
    why_ = why;
  }
  text.erase(0, text.size() - rest.size());
  return text.empty();
}

/// Drops what cannot be written, except for the rest of a line that has begun. The line that counts those
/// dropped before is the first of the buffer: once any line is written, that one is.
void EventLogWriter::flush() {
  flush_at_.reset();
  if (buffer_.empty() && torn_.empty()) return;
  const auto whole = buffer_.size();
  if (put(torn_) && put(buffer_)) {
    if (!std::exchange(why_, {}).empty()) log::info("the event log " + path_ + " goes on");
    lost_ = 0;
    return;
  }
  if (buffer_.size() < whole) {
    lost_ = 0;
    torn_ = buffer_.substr(0, buffer_.find('\n') + 1);
    buffer_.erase(0, torn_.size());
  }
  lost_ += static_cast<std::uint64_t>(std::count(buffer_.begin(), buffer_.end(), '\n'));
  buffer_.clear();
}

void EventLogWriter::turn(const Readiness&, Time now) {
  if (flush_at_ && *flush_at_ <= now) flush();
}

}  // namespace proffer::live

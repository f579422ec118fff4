#include "proffer/live/event_log_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "proffer/formats/event_log.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kPieceBytes = 64 << 10;
constexpr Duration kFlushEvery = std::chrono::seconds(1);

}  // namespace

Result<std::unique_ptr<EventLogWriter>> EventLogWriter::open(const std::string& path, std::string source) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) {
    return Error{ErrorCode::io, "cannot open the event log " + path + ": " + std::strerror(errno)};
  }
  return std::unique_ptr<EventLogWriter>(new EventLogWriter(fd, path, std::move(source)));
}

EventLogWriter::EventLogWriter(int fd, std::string path, std::string source)
    : fd_(fd),
      path_(std::move(path)),
      source_(std::move(source)),
      life_(static_cast<std::uint32_t>(entropy() | 1)) {}

EventLogWriter::~EventLogWriter() {
  flush();
  ::close(fd_);
}

void EventLogWriter::write(const Trace& trace, Time now) {
  buffer_ += format_trace({now, ++seq_, source_, trace, life_});
  buffer_ += '\n';
  if (buffer_.size() >= kPieceBytes) flush();
  if (!buffer_.empty() && !flush_at_) flush_at_ = now + kFlushEvery;
}

void EventLogWriter::flush() {
  flush_at_.reset();
  std::string_view rest = buffer_;
  while (!rest.empty() && !failed_) {
    const auto written = ::write(fd_, rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failed_ = true;
      log::error("the event log " + path_ + " ends here: " + std::strerror(errno));
    }
  }
  buffer_.clear();
}

void EventLogWriter::turn(const Readiness&, Time now) {
  if (flush_at_ && *flush_at_ <= now) flush();
}

}  // namespace proffer::live

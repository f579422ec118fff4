#include "live/worker/file_appender.hpp"

#include <algorithm>

namespace proffer::live {
namespace {

constexpr std::size_t kBufferBytes = 256 << 10;

}  // namespace

Result<> FileAppender::append(std::string_view bytes) {
  buffer_.append(bytes);
  return buffer_.size() < kBufferBytes ? Result<>() : flush();
}

Result<> FileAppender::append_line(std::string_view line) {
  buffer_.append(line);
  return append("\n");
}

Result<> FileAppender::flush() {
  if (auto done = file_.write_at(written_, buffer_); !done) return done;
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<> FileAppender::truncate(std::uint64_t size) {
  if (size >= written_) {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), size - written_)));
    return {};
  }
  buffer_.clear();
  if (auto done = file_.truncate(size); !done) return done;
  written_ = size;
  return {};
}

}  // namespace proffer::live

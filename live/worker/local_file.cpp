#include "live/worker/local_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "live/host/io_error.hpp"
#include "live/run/plain_file.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kBufferBytes = 256 << 10;

}  // namespace

Result<LocalFile> LocalFile::to_read(const std::string& path) {
  auto file = open_plain(path, O_RDONLY);
  if (!file) return file.error();
  return LocalFile(std::move(*file));
}

Result<LocalFile> LocalFile::to_write(const std::string& path) {
  auto file = make_plain(path, O_RDWR);
  if (!file) return file.error();
  return LocalFile(std::move(*file));
}

Result<LocalFile> LocalFile::nameless(const std::string& folder) {
  auto path = folder + "/.spill-XXXXXX";
  Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.open()) {
    const int why = errno;
    auto error = io_error("cannot write below " + folder, why);
    if (why == ENOENT) error.code = ErrorCode::not_found;
    return error;
  }
  ::unlink(path.c_str());
  return LocalFile(std::move(file));
}

Result<std::size_t> LocalFile::read_at(std::uint64_t offset, char* to, std::size_t size) const {
  while (true) {
    const auto got = ::pread(fd(), to, size, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return io_error("cannot read a file of this task");
  }
}

Result<std::uint64_t> LocalFile::size() const {
  struct stat about {};
  if (::fstat(fd(), &about) != 0) return io_error("cannot look at a file of this task");
  return static_cast<std::uint64_t>(about.st_size);
}

Result<> FileAppender::append(std::string_view bytes) {
  buffer_.append(bytes);
  return buffer_.size() < kBufferBytes ? Result<>() : flush();
}

Result<> FileAppender::append_line(std::string_view line) {
  buffer_.append(line);
  return append("\n");
}

Result<> FileAppender::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const auto put = ::pwrite(file_.fd(), rest.data(), rest.size(), static_cast<off_t>(written_));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return io_error("cannot write a file of this task");
    written_ += static_cast<std::uint64_t>(put);
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer_.clear();
  return {};
}

Result<> FileAppender::truncate(std::uint64_t size) {
  if (size >= written_) {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), size - written_)));
    return {};
  }
  buffer_.clear();
  if (::ftruncate(file_.fd(), static_cast<off_t>(size)) != 0) {
    return io_error("cannot shorten a file of this task");
  }
  written_ = size;
  return {};
}

}  // namespace proffer::live

// Files of a task on its own disk: written in one go, read by ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "proffer/result.hpp"

namespace proffer::live {

/// Owns a file descriptor.
class LocalFile {
 public:
  LocalFile() = default;
  explicit LocalFile(int fd) : fd_(fd) {}
  LocalFile(LocalFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  LocalFile& operator=(LocalFile&& other) noexcept;
  ~LocalFile();

  /// `not_found` or `io`.
  static Result<LocalFile> to_read(const std::string& path);
  /// A new file, or an old one made empty.
  static Result<LocalFile> to_write(const std::string& path);
  /// A file below `folder` without a name: it is gone with its last descriptor.
  static Result<LocalFile> nameless(const std::string& folder);

  int fd() const { return fd_; }
  /// Up to `size` bytes from `offset` on into `to`; 0 at the end.
  Result<std::size_t> read_at(std::uint64_t offset, char* to, std::size_t size) const;
  Result<std::uint64_t> size() const;

 private:
  int fd_ = -1;
};

/// Appends to a file, through a buffer.
class FileAppender {
 public:
  explicit FileAppender(LocalFile file) : file_(std::move(file)) {}

  Result<> append(std::string_view bytes);
  Result<> append_line(std::string_view line);
  Result<> flush();
  /// Forgets all from `size` on.
  Result<> truncate(std::uint64_t size);
  /// With what is still in the buffer.
  std::uint64_t size() const { return written_ + buffer_.size(); }
  const LocalFile& file() const { return file_; }

 private:
  LocalFile file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

}  // namespace proffer::live

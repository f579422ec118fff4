// Files of a task on its own disk: written in one go, read by ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "live/run/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class LocalFile {
 public:
  LocalFile() = default;
  explicit LocalFile(Descriptor file) : file_(std::move(file)) {}

  /// A regular file, and no link to one: another task may have changed what has that name. `not_found` or
  /// `io`.
  static Result<LocalFile> to_read(const std::string& path);
  /// A new file, instead of one that has that name.
  static Result<LocalFile> to_write(const std::string& path);
  /// A file below `folder` without a name: it is gone with its last descriptor.
  static Result<LocalFile> nameless(const std::string& folder);

  int fd() const { return file_.get(); }
  /// Up to `size` bytes from `offset` on into `to`; 0 at the end.
  Result<std::size_t> read_at(std::uint64_t offset, char* to, std::size_t size) const;
  Result<std::uint64_t> size() const;

 private:
  Descriptor file_;
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

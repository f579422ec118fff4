// Writing a file of a task through a buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "live/os/open_file.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// The name of such a file in the messages of errors, see OpenFile.
inline constexpr const char* kTaskFile = "a file of this task";

/// Appends to a file, through a buffer.
class FileAppender {
 public:
  explicit FileAppender(OpenFile file) : file_(std::move(file)) {}

  Result<> append(std::string_view bytes);
  Result<> append_line(std::string_view line);
  Result<> flush();
  /// Forgets all from `size` on.
  Result<> truncate(std::uint64_t size);
  /// The bytes so far, those that are still in the buffer included.
  std::uint64_t size() const { return written_ + buffer_.size(); }
  const OpenFile& file() const { return file_; }

 private:
  OpenFile file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

}  // namespace proffer::live

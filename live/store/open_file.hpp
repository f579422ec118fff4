// An open file, and the few things that the store does with files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "live/run/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class OpenFile {
 public:
  /// An existing regular file; a symbolic link is none. `not_found` or `io`.
  static Result<OpenFile> to_read(const std::string& path);
  /// A new file; `exists`, `no_space` or `io`.
  static Result<OpenFile> to_create(const std::string& path);

  Result<std::uint64_t> size() const;
  /// Up to `length` bytes; fewer only at the end of the file.
  Result<std::string> read_at(std::uint64_t offset, std::size_t length) const;
  /// Appends all of it, or says why not.
  Result<> write(std::string_view bytes);

 private:
  explicit OpenFile(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

/// What errno says, after what was tried: "cannot write: No space left on device".
Error file_error(std::string_view tried, int error_number);

}  // namespace proffer::live

// A file that takes so many bytes and no more; a line at its end says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "live/os/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class CappedFile {
 public:
  CappedFile() = default;
  /// Makes a new file instead of what has that name; never through a symbolic link. `io`.
  static Result<CappedFile> create(const std::string& path, std::uint64_t cap_bytes);

  /// Drops what goes past the cap. Once something could not be written, all that follows is lost with it.
  void append(std::string_view bytes);
  /// Closes the file; errors that are only found out at the end of writing show now.
  void close();

  /// Bytes beyond the cap.
  std::uint64_t dropped() const { return dropped_; }
  /// Bytes within the cap that could not be written. 0: none, unless close() failed.
  std::uint64_t lost() const { return lost_; }
  /// The first errno of writing; 0: all within the cap was written.
  int error() const { return error_; }

 private:
  CappedFile(Descriptor file, std::uint64_t cap_bytes)
      : file_(std::move(file)), left_(cap_bytes), cap_(cap_bytes) {}
  void write(std::string_view bytes);

  Descriptor file_;
  std::uint64_t left_ = 0;
  std::uint64_t cap_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t lost_ = 0;
  int error_ = 0;
};

}  // namespace proffer::live

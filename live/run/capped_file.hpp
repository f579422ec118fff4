// A file that takes so many bytes and no more; a line at its end says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "live/run/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class CappedFile {
 public:
  CappedFile() = default;
  /// A new or emptied file; never through a symbolic link. `io`.
  static Result<CappedFile> create(const std::string& path, std::uint64_t cap_bytes);

  /// Drops what goes past the cap. A disk that is full costs a task its log, not its life.
  void append(std::string_view bytes);

 private:
  CappedFile(Descriptor file, std::uint64_t cap_bytes) : file_(std::move(file)), cap_(cap_bytes) {}
  Descriptor file_;
  std::uint64_t cap_ = 0;
  std::uint64_t written_ = 0;
  bool cut_ = false;
};

}  // namespace proffer::live

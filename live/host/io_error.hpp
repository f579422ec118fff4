// What the operating system said no to, as one sentence.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

/// Of the disk, whatever was tried on it: it is full, fails, or may not be written to any more.
inline bool is_disk_error(int error) {
  return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

inline ErrorCode code_of(int error) {
  if (error == ENOSPC || error == EDQUOT) return ErrorCode::no_space;
  return is_disk_error(error) ? ErrorCode::disk : ErrorCode::io;
}

/// "`what`: No such file or directory", of kind `no_space`, `disk` or `io`. `error` is an errno.
inline Error io_error(const std::string& what, int error = errno) {
  return {code_of(error), what + ": " + std::strerror(error)};
}

}  // namespace proffer::live

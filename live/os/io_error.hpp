// Errors of the operating system, each as one sentence.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

/// True for the errors of a disk, whatever was tried on it: it is full, fails, or may not be written to any
/// more.
inline bool is_disk_error(int error) {
  return error == ENOSPC || error == EDQUOT || error == EIO || error == EROFS;
}

/// Returns the kind of an errno: `no_space`, `disk` or `io`.
inline ErrorCode code_of(int error) {
  if (error == ENOSPC || error == EDQUOT) return ErrorCode::no_space;
  return is_disk_error(error) ? ErrorCode::disk : ErrorCode::io;
}

/// Returns "`what`: No such file or directory", of that kind. `error` is an errno.
inline Error os_error(ErrorCode code, const std::string& what, int error = errno) {
  return {code, what + ": " + std::strerror(error)};
}

/// Returns the same, of kind `no_space`, `disk` or `io`.
inline Error io_error(const std::string& what, int error = errno) {
  return os_error(code_of(error), what, error);
}

/// Returns the same for a file that was opened by its name: of kind `not_found` or `exists`, too.
inline Error file_error(const std::string& what, int error = errno) {
  if (error == ENOENT) return os_error(ErrorCode::not_found, what, error);
  if (error == EEXIST) return os_error(ErrorCode::exists, what, error);
  return io_error(what, error);
}

}  // namespace proffer::live

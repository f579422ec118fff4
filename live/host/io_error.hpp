// What the operating system said no to, as one sentence.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

/// "`what`: No such file or directory", of kind `io`. `error` is an errno.
inline Error io_error(const std::string& what, int error = errno) {
  return {ErrorCode::io, what + ": " + std::strerror(error)};
}

}  // namespace proffer::live

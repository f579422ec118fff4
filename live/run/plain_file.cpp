#include "live/run/plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "live/host/io_error.hpp"

namespace proffer::live {

Result<Descriptor> open_plain(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!file.open()) {
    const int why = errno;
    if (why == ELOOP) return Error{ErrorCode::io, "cannot open " + path + ": it is a link"};
    auto error = io_error("cannot open " + path, why);
    if (why == ENOENT) error.code = ErrorCode::not_found;
    return error;
  }
  struct stat about {};
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error{ErrorCode::io, "cannot open " + path + ": it is not a regular file"};
  }
  return file;
}

Result<Descriptor> make_plain(const std::string& path, int flags, mode_t mode) {
  ::unlink(path.c_str());
  Descriptor file(::open(path.c_str(), flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.open()) return io_error("cannot make " + path);
  return file;
}

}  // namespace proffer::live

#include "live/os/open_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>

#include "live/os/io_error.hpp"

namespace proffer::live {

Result<Descriptor> open_plain(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!file.open()) {
    if (errno == ELOOP) return Error{ErrorCode::io, "cannot open " + path + ": it is a link"};
    return file_error("cannot open " + path);
  }
  // Only the open file can be asked: between a look at the name and open() a task could put another file
  // there.
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

Result<OpenFile> OpenFile::to_read(const std::string& path, const char* called) {
  auto file = open_plain(path, O_RDONLY);
  if (!file) return file.error();
  return OpenFile(std::move(*file), called);
}

Result<OpenFile> OpenFile::to_create(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.open()) return file_error("cannot create " + path);
  return OpenFile(std::move(file), kAnyFile);
}

Result<OpenFile> OpenFile::to_replace(const std::string& path, const char* called) {
  auto file = make_plain(path, O_RDWR);
  if (!file) return file.error();
  return OpenFile(std::move(*file), called);
}

Result<OpenFile> OpenFile::nameless(const std::string& folder, const char* called) {
  auto path = folder + "/.spill-XXXXXX";
  Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.open()) return file_error("cannot write below " + folder);
  ::unlink(path.c_str());
  return OpenFile(std::move(file), called);
}

Result<std::uint64_t> OpenFile::size() const {
  struct stat about {};
  if (::fstat(fd(), &about) != 0) return io_error(std::string("cannot look at ") + called_);
  return static_cast<std::uint64_t>(about.st_size);
}

Result<std::size_t> OpenFile::read_at(std::uint64_t offset, char* to, std::size_t length) const {
  std::size_t got = 0;
  while (got < length) {
    const auto n = ::pread(fd(), to + got, length - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error(std::string("cannot read ") + called_);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

Result<std::string> OpenFile::read_at(std::uint64_t offset, std::size_t length) const {
  std::string bytes(length, '\0');
  const auto got = read_at(offset, bytes.data(), length);
  if (!got) return got.error();
  bytes.resize(*got);
  return bytes;
}

Result<> OpenFile::write(std::string_view bytes) {
  if (!write_all(fd(), bytes)) return io_error(std::string("cannot write ") + called_);
  return {};
}

Result<> OpenFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::pwrite(fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error(std::string("cannot write ") + called_);
    offset += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<> OpenFile::truncate(std::uint64_t size) {
  if (::ftruncate(fd(), static_cast<off_t>(size)) == 0) return {};
  return io_error(std::string("cannot shorten ") + called_);
}

}  // namespace proffer::live

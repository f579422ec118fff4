#include "live/store/open_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "live/host/io_error.hpp"
#include "live/run/plain_file.hpp"

namespace proffer::live {

Error file_error(std::string_view tried, int error_number) {
  const auto code = error_number == ENOENT   ? ErrorCode::not_found
                    : error_number == EEXIST ? ErrorCode::exists
                                             : code_of(error_number);
  return {code, std::string(tried) + ": " + std::generic_category().message(error_number)};
}

Result<OpenFile> OpenFile::to_read(const std::string& path) {
  auto file = open_plain(path, O_RDONLY);
  if (!file) return file.error();
  return OpenFile(std::move(*file));
}

Result<OpenFile> OpenFile::to_create(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.open()) return file_error("cannot create " + path, errno);
  return OpenFile(std::move(file));
}

Result<std::uint64_t> OpenFile::size() const {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return file_error("cannot look at a file", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::string> OpenFile::read_at(std::uint64_t offset, std::size_t length) const {
  std::string bytes(length, '\0');
  std::size_t got = 0;
  while (got < length) {
    const auto n = ::pread(file_.get(), bytes.data() + got, length - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error("cannot read a file", errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  bytes.resize(got);
  return bytes;
}

Result<> OpenFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(file_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error("cannot write a file", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace proffer::live

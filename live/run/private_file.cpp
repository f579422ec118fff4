#include "live/run/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "live/host/io_error.hpp"
#include "live/run/plain_file.hpp"

namespace proffer::live {
namespace {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Result<> write_private_file(const std::string& path, std::string_view bytes, bool executable) {
  const auto part = path + ".part";
  const mode_t mode = executable ? 0700 : 0600;
  {
    const auto file = make_plain(part, O_WRONLY, mode);
    if (!file) return file.error();
    if (!write_all(file->get(), bytes)) return io_error("cannot write " + part);
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) return io_error("cannot write " + path);
  return {};
}

Result<> make_private_folders(const std::string& path) {
  for (auto slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const auto folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return io_error("cannot make the folder " + folder);
    if (slash == std::string::npos) return {};
  }
}

}  // namespace proffer::live

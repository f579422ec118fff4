#include "live/os/descriptor.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>

#include "live/os/io_error.hpp"

namespace proffer::live {

Result<Pipe> Pipe::make(const std::string& failed) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return io_error(failed);
  return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

bool write_all(int fd, std::string_view& bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace proffer::live

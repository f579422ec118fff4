#include "live/run/capped_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "live/run/plain_file.hpp"

namespace proffer::live {
namespace {

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

Result<CappedFile> CappedFile::create(const std::string& path, std::uint64_t cap_bytes) {
  auto file = make_plain(path, O_WRONLY | O_APPEND);
  if (!file) return file.error();
  return CappedFile(std::move(*file), cap_bytes);
}

void CappedFile::append(std::string_view bytes) {
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(cap_ - written_, bytes.size()));
  write_all(file_.get(), bytes.substr(0, room));
  written_ += room;
  if (room == bytes.size() || cut_) return;
  cut_ = true;
  write_all(file_.get(), "\n[proffer: cut off here, after " + std::to_string(cap_) + " bytes]\n");
}

}  // namespace proffer::live

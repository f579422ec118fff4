#include "live/run/capped_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "live/os/open_file.hpp"

namespace proffer::live {

Result<CappedFile> CappedFile::create(const std::string& path, std::uint64_t cap_bytes) {
  auto file = make_plain(path, O_WRONLY | O_APPEND);
  if (!file) return file.error();
  return CappedFile(std::move(*file), cap_bytes);
}

void CappedFile::write(std::string_view bytes) {
  if (error_ == 0 && !write_all(file_.get(), bytes)) error_ = errno;
  lost_ += bytes.size();
}

void CappedFile::append(std::string_view bytes) {
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  write(bytes.substr(0, room));
  left_ -= room;
  const bool was_whole = dropped_ == 0;
  dropped_ += bytes.size() - room;
  if (was_whole && dropped_ > 0) {
    const auto lost = lost_;  // the task's own loss; that of our line is none
    write("\n[proffer: cut off here, after " + std::to_string(cap_) + " bytes]\n");
    lost_ = lost;
  }
}

void CappedFile::close() {
  if (file_.open() && !file_.close() && error_ == 0) error_ = errno;
}

}  // namespace proffer::live

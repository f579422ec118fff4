// A real file system of a few MiB, which a test can fill to its last byte. Mounted where this process and its
// threads alone can see it; there is none where the test may not mount.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "tests/live_host/folder.hpp"

namespace proffer::live::test {

class SmallDisk {
 public:
  explicit SmallDisk(std::size_t mebibytes) {
    static const bool is_private =
        ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    const auto size = "size=" + std::to_string(mebibytes) + "m";
    mounted_ = is_private &&
               ::mount("none", folder_.path().c_str(), "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  std::string path(const std::string& name = "") const { return folder_.path(name); }
  std::string read(const std::string& name) const { return folder_.read(name); }

  /// Not a byte more can be written, until make_room().
  void fill() const {
    const int fd = ::open(path("filler").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string bytes(1 << 20, 'x');
    for (auto piece = bytes.size(); piece > 0;) {
      if (::write(fd, bytes.data(), piece) <= 0) piece /= 2;
    }
    ::close(fd);
  }
  void make_room() const { ::unlink(path("filler").c_str()); }

 private:
  Folder folder_;
  bool mounted_ = false;
};

}  // namespace proffer::live::test

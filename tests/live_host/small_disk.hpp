// A real file system of a few KiB or MiB, which a test can fill to its last byte. Mounted where this process
// and its threads alone can see it; there is none where the test may not mount.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "tests/live_host/folder.hpp"

namespace proffer::live::test {

class SmallDisk {
 public:
  /// A disk in a folder of its own. `size`: "32m".
  explicit SmallDisk(const std::string& size) : path_(own_.emplace().path()), mounted_(mount(path_, size)) {}
  /// A disk at `folder`, which exists, until its end.
  SmallDisk(std::string folder, const std::string& size)
      : path_(std::move(folder)), mounted_(mount(path_, size)) {}
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  /// Gives this thread mounts of its own, which later threads and processes share. Those that were started
  /// before do not see the disks of tests. False when that is not allowed.
  static bool has_own_mounts() {
    static const bool done =
        ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    return done;
  }
  bool mounted() const { return mounted_; }
  std::string path(const std::string& name = "") const { return name.empty() ? path_ : path_ + "/" + name; }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

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
  static bool mount(const std::string& folder, const std::string& size) {
    const auto options = "size=" + size;
    return has_own_mounts() &&
           ::mount("none", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0;
  }

  std::optional<Folder> own_;
  std::string path_;
  bool mounted_ = false;
};

#define PROFFER_NEEDS_DISK(disk) \
  if (!(disk).mounted()) GTEST_SKIP() << "a test of full disks needs the right to mount a file system"

}  // namespace proffer::live::test

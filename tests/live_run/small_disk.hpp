// A file system that is full soon, for tests of what then happens.
#pragma once

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <string>

namespace proffer::live::run_test {

/// Mounted at an existing folder until its end. Only a user who may mount has one: see there().
class SmallDisk {
 public:
  explicit SmallDisk(std::string folder, const std::string& size = "256k")
      : folder_(std::move(folder)),
        there_(::mount("tmpfs", folder_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0) {}
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (there_) ::umount2(folder_.c_str(), MNT_DETACH);
  }

  bool there() const { return there_; }
  /// Not a byte fits any more.
  void fill() const {
    std::ofstream file(folder_ + "/filler", std::ios::binary);
    const std::string some(4096, 'x');
    while (file.write(some.data(), static_cast<std::streamsize>(some.size())).flush()) {
    }
  }
  void empty() const { ::unlink((folder_ + "/filler").c_str()); }

 private:
  std::string folder_;
  bool there_;
};

#define PROFFER_NEEDS_DISK(disk) \
  if (!(disk).there()) GTEST_SKIP() << "only root may mount a small file system"

}  // namespace proffer::live::run_test

#include "live/host/ballast.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "live/os/descriptor.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

// The least that is kept: with less than this no change can be promised any more.
constexpr std::uint64_t kLeast = 64 << 10;
// Parts of the ballast for which there is room beside it as well; without one the next change would cut the
// ballast again.
constexpr std::uint64_t kPartsFreeBeside = 4;
constexpr Duration kTryEvery = std::chrono::seconds(1);

/// Returns whether the disk has so much room; true where the system does not say, so that it is tried.
bool has_room(const std::string& path, std::uint64_t bytes) {
  struct statvfs disk {};
  if (::statvfs(path.c_str(), &disk) != 0) return true;
  const std::uint64_t blocks = ::geteuid() == 0 ? disk.f_bfree : disk.f_bavail;  // some are kept for root
  return blocks * disk.f_frsize >= bytes;
}

}  // namespace

Ballast::Ballast(std::string path, std::uint64_t whole) : path_(std::move(path)), whole_(whole) {
  struct stat found {};
  if (!path_.empty() && ::stat(path_.c_str(), &found) == 0) {
    bytes_ = std::min(static_cast<std::uint64_t>(found.st_size), whole_);
  }
}

std::optional<StoreRoom> Ballast::release(const Error& why) {
  if (bytes_ == 0) return {};
  if (why_.empty()) log::error(why.message + "; changes are refused until there is room again");
  why_ = why.message;
  bytes_ = bytes_ / 2 < kLeast ? 0 : bytes_ / 2;
  if (::truncate(path_.c_str(), static_cast<off_t>(bytes_)) != 0) return {};
  next_try_ = steady_now() + kTryEvery;
  return room();
}

StoreRoom Ballast::room() const {
  if (path_.empty() || bytes_ == whole_) return {};
  return {bytes_ == 0 ? Room::none : Room::little, why_};
}

/// Makes the ballast whole, or leaves it as it was: trying takes nothing from others when there is too little
/// for it.
bool Ballast::lay() {
  const Descriptor file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) return false;
  bool laid = has_room(path_, whole_ - bytes_ + whole_ / kPartsFreeBeside);
  if (laid && ::posix_fallocate(file.get(), 0, static_cast<off_t>(whole_)) != 0) {
    laid = false;
    static_cast<void>(::ftruncate(file.get(), static_cast<off_t>(bytes_)) == 0);
  }
  if (laid) bytes_ = whole_;
  return laid;
}

void Ballast::serve(Host& host) {
  host_ = &host;
  if (path_.empty()) return;
  if (bytes_ == whole_ || lay()) {
    why_.clear();
    return next_try_.reset();
  }
  if (why_.empty()) why_ = path_ + ": No space left on device";
  log::error(why_ + "; changes are refused until there is room");
  next_try_ = steady_now() + kTryEvery;
  host.deliver(room());
}

void Ballast::turn(const Readiness&, Time now) {
  if (!next_try_ || *next_try_ > now) return;
  next_try_ = now + kTryEvery;
  if (!lay()) return;
  next_try_.reset();
  why_.clear();
  log::info("there is room again beside " + path_ + ": changes are taken");
  host_->deliver(room());
}

}  // namespace proffer::live

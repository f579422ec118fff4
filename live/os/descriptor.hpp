// File descriptors that close themselves.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "proffer/result.hpp"

namespace proffer::live {

/// The owner of one open file descriptor, or of none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~Descriptor() { reset(); }
  /// The number of the descriptor; -1 when there is none.
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  /// Closes as reset() does. False, with errno set, when something that was written before has failed since.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_ = -1;
};

/// The two ends of a pipe. Programs that are started inherit neither.
struct Pipe {
  Descriptor read;
  Descriptor write;

  /// Makes a pipe. `io`, with a message that begins with `failed`.
  static Result<Pipe> make(const std::string& failed);
};

/// Writes until nothing of `bytes` is left, and cuts off what was written. False, with errno set, when the
/// rest cannot be written.
bool write_all(int fd, std::string_view& bytes);

}  // namespace proffer::live

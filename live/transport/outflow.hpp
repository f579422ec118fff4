// The bytes that ZeroMQ holds for a connection, of those that it was given to send. Its high-water marks
// count messages, so a few hundred large ones would fill the memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proffer::live {

/// Counts what was pushed, less what the kernel was given since. Only connections over TCP can be asked;
/// others count as holding nothing.
class Outflow {
 public:
  /// `fd`: a connection for which nothing was pushed yet.
  explicit Outflow(int fd);
  /// Returns whether so much more may be pushed. One message always may when nothing is held, however long.
  bool has_room(std::size_t bytes, std::size_t most);
  void pushed(std::size_t bytes);

 private:
  void look();

  int fd_;
  std::uint64_t begun_at_ = 0;  // bytes that the kernel had been given of other things: the protocol's own
  std::uint64_t pushed_ = 0;
  std::uint64_t written_ = 0;  // of those pushed, at the last look
};

}  // namespace proffer::live

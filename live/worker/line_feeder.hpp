// Feeds lines to a command in pieces large enough to be worth a write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "live/worker/command.hpp"

namespace proffer::live {

class LineFeeder {
 public:
  explicit LineFeeder(Command& command) : command_(command) {}

  /// Adds a line. `refused` once the command reads no more: then no line matters.
  Result<> add(std::string_view line) {
    if (!command_.wants_input()) return enough();
    buffer_.append(line).push_back('\n');
    ++lines_;
    return buffer_.size() < kPieceBytes ? Result<>() : flush();
  }
  Result<> flush() {
    auto fed = command_.feed(buffer_);
    buffer_.clear();
    return fed;
  }
  std::uint64_t lines() const { return lines_; }
  /// True once add() has refused a line.
  bool had_enough() const { return had_enough_; }

 private:
  static constexpr std::size_t kPieceBytes = 128 << 10;
  Result<> enough() {
    had_enough_ = true;
    return Error{ErrorCode::refused, "the command reads no more"};
  }

  Command& command_;
  std::string buffer_;
  std::uint64_t lines_ = 0;
  bool had_enough_ = false;
};

}  // namespace proffer::live

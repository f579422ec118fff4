// Room on the disk of a daemon's state that nobody else can take: a file of a fixed size that is cut when the
// disk is full, so that what the daemon has promised can still be written, and laid anew once there is room.
#pragma once

#include <optional>
#include <string>

#include "live/host/host.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {

class Ballast final : public LoopPart {
 public:
  /// `path`: the file; empty: there is no ballast. A file that a former process has left is kept. `whole`:
  /// its size while there is room.
  explicit Ballast(std::string path, std::uint64_t whole = limits::kBallastBytes);

  /// Frees half of the ballast, since others may be faster to fill what is freed, and more will be needed;
  /// none when nothing is left. `why`: the disk's answer.
  std::optional<StoreRoom> release(const Error& why);
  /// Repeats `write`, each time with half of the ballast freed, until it fails for another reason than a full
  /// disk or nothing is left to free.
  template <class Write>
  auto with_room(const Write& write) {
    auto written = write();
    while (!written && written.error().code == ErrorCode::no_space && release(written.error()))
      written = write();
    return written;
  }

  /// Delivers to the machine from now on when there is little room (at once, if so) and when there is plenty
  /// again.
  void serve(Host& host);
  void prepare(PollSet& polled) override { polled.wake_at(next_try_); }
  void turn(const Readiness& ready, Time now) override;

 private:
  bool lay();
  StoreRoom room() const;

  std::string path_;
  std::uint64_t whole_;
  std::uint64_t bytes_ = 0;
  std::string why_;  // the last answer of the disk
  std::optional<Time> next_try_;
  Host* host_ = nullptr;
};

}  // namespace proffer::live

// Puts together the frames that a task writes to PROFFER_RESULT_FD, or reads from PROFFER_DELIVER_FD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/run/packet.hpp"

namespace proffer::live {

class TaskFrames {
 public:
  /// The sender. Each has frames of its own.
  enum class From : std::uint8_t { task, agent };
  explicit TaskFrames(From from = From::task) : from_(from) {}

  /// Returns whole frames only; a result is kept (the newest counts). False in `.second` when this is no
  /// frame: too long, or of an unknown kind. Nothing after it counts.
  std::pair<std::vector<TaskFrame>, bool> feed(std::string_view bytes);

  const std::optional<std::string>& result() const { return result_; }
  /// Returns what of the task's output could not be kept, in the task's own words; empty: nothing.
  const std::string& lost() const { return lost_; }

 private:
  From from_;
  std::string buffer_;
  std::optional<std::string> result_;
  std::string lost_;
};

}  // namespace proffer::live

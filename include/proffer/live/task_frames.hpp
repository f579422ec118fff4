// What a worker and its agent's launcher write to each other over inherited descriptors: frames of a length
// (32 bits, little-endian, of the bytes that follow the kind), a kind (one byte), and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proffer::live {

enum class TaskFrameKind : std::uint8_t {
  said = 0,    ///< a payload for the task's framework (or, the other way, for the task)
  result = 1,  ///< the TaskResult, by encode_result
};

struct TaskFrame {
  TaskFrameKind kind = TaskFrameKind::said;
  std::string bytes;
  bool operator==(const TaskFrame&) const = default;
};

/// Appends the frame to `out`.
void append_task_frame(TaskFrameKind kind, std::string_view bytes, std::string& out);

/// Takes the first frame off `buffer`, if it is complete. A frame of an unknown kind, or past kFrameBytes,
/// cannot be told from garbage: `bad` is set, and nothing more will come.
std::optional<TaskFrame> take_task_frame(std::string& buffer, bool& bad);

}  // namespace proffer::live

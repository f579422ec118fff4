#include "proffer/live/task_frames.hpp"

#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kHead = 5;

}  // namespace

void append_task_frame(TaskFrameKind kind, std::string_view bytes, std::string& out) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(length >> shift & 0xFF));
  out.push_back(static_cast<char>(kind));
  out.append(bytes);
}

std::optional<TaskFrame> take_task_frame(std::string& buffer, bool& bad) {
  if (bad || buffer.size() < kHead) return {};
  std::uint32_t length = 0;
  for (int i = 3; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)]);
  const auto kind = static_cast<unsigned char>(buffer[4]);
  bad = length > limits::kFrameBytes || kind > static_cast<unsigned char>(TaskFrameKind::result);
  if (bad || buffer.size() < kHead + length) return {};
  TaskFrame frame{static_cast<TaskFrameKind>(kind), buffer.substr(kHead, length)};
  buffer.erase(0, kHead + length);
  return frame;
}

}  // namespace proffer::live

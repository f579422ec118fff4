#include "live/run/task_frames.hpp"

#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

std::size_t size_in(std::string_view header) {
  std::size_t size = 0;
  for (unsigned i = 0; i < 4; ++i) {
    size |= static_cast<std::size_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  }
  return size;
}

bool allowed(TaskFrames::From from, char kind, std::size_t size) {
  const bool of_task = from == TaskFrames::From::task;
  switch (static_cast<TaskFrameKind>(kind)) {
    case TaskFrameKind::message:
      return size <= limits::kTextBytes;
    case TaskFrameKind::result:
      return of_task && size <= limits::kResultBytes;
    case TaskFrameKind::ask_permit:
      return of_task && size == 0;
    case TaskFrameKind::lost:
      return of_task && size <= limits::kTextBytes;
    case TaskFrameKind::inputs:
      return !of_task && size <= limits::kFrameBytes;
    case TaskFrameKind::permit:
      return !of_task && size == 0;
  }
  return false;
}

}  // namespace

std::pair<std::vector<TaskFrame>, bool> TaskFrames::feed(std::string_view bytes) {
  buffer_ += bytes;
  std::vector<TaskFrame> frames;
  std::string_view left = buffer_;
  bool sound = true;
  while (left.size() >= kTaskFrameHeader) {
    const auto size = size_in(left);
    sound = allowed(from_, left[4], size);
    if (!sound || left.size() - kTaskFrameHeader < size) break;
    const auto body = left.substr(kTaskFrameHeader, size);
    const auto kind = static_cast<TaskFrameKind>(left[4]);
    if (kind == TaskFrameKind::result) {
      result_ = body;
    } else if (kind == TaskFrameKind::lost) {
      lost_ = body;
    } else {
      frames.push_back({kind, std::string(body)});
    }
    left.remove_prefix(kTaskFrameHeader + size);
  }
  buffer_.erase(0, buffer_.size() - left.size());
  return {std::move(frames), sound};
}

}  // namespace proffer::live

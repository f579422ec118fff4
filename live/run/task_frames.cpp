#include "live/run/task_frames.hpp"

#include "live/run/packet.hpp"
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

bool allowed(char kind, std::size_t size) {
  switch (static_cast<TaskFrameKind>(kind)) {
    case TaskFrameKind::said:
      return size <= limits::kTextBytes;
    case TaskFrameKind::result:
      return size <= limits::kResultBytes;
  }
  return false;
}

}  // namespace

std::pair<std::vector<std::string>, bool> TaskFrames::feed(std::string_view bytes) {
  buffer_ += bytes;
  std::vector<std::string> said;
  std::string_view left = buffer_;
  bool sound = true;
  while (left.size() >= kTaskFrameHeader) {
    const auto size = size_in(left);
    sound = allowed(left[4], size);
    if (!sound || left.size() - kTaskFrameHeader < size) break;
    const auto body = left.substr(kTaskFrameHeader, size);
    if (left[4] == static_cast<char>(TaskFrameKind::result)) {
      result_ = body;
    } else {
      said.emplace_back(body);
    }
    left.remove_prefix(kTaskFrameHeader + size);
  }
  buffer_.erase(0, buffer_.size() - left.size());
  return {std::move(said), sound};
}

}  // namespace proffer::live

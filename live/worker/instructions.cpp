#include "live/worker/instructions.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "live/os/io_error.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

Instructions::Instructions(int fd) : fd_(fd) { ::fcntl(fd_, F_SETFD, FD_CLOEXEC); }

std::optional<std::string> Instructions::take(TaskFrameKind kind) {
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [kind](const TaskFrame& frame) { return frame.kind == kind; });
  if (at == pending_.end()) return {};
  auto bytes = std::move(at->bytes);
  pending_.erase(at);
  return bytes;
}

Result<> Instructions::read_some() {
  std::array<char, 65536> chunk;
  const auto got = ::read(fd_, chunk.data(), chunk.size());
  if (got < 0 && errno == EINTR) return {};
  if (got < 0) return io_error("cannot hear the agent");
  if (got == 0) return Error{ErrorCode::io, "the agent speaks no more"};
  auto [frames, sound] = frames_.feed({chunk.data(), static_cast<std::size_t>(got)});
  for (auto& frame : frames) pending_.push_back(std::move(frame));
  if (!sound) return Error{ErrorCode::io, "the agent says what makes no sense"};
  return {};
}

Result<std::optional<std::string>> Instructions::next(TaskFrameKind kind, Duration patience) {
  const auto deadline = steady_now() + patience;
  for (;;) {
    if (auto bytes = take(kind)) return bytes;
    const auto left = std::max(deadline - steady_now(), Duration::zero());
    pollfd wanted{fd_, POLLIN, 0};
    const int ready =
        ::poll(&wanted, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count()));
    if (ready < 0 && errno != EINTR) return io_error("cannot wait for the agent");
    if (ready == 0) return std::optional<std::string>{};
    if (ready < 0) continue;
    if (auto read = read_some(); !read) return read.error();
  }
}

Result<std::optional<MoreInputs>> Instructions::more_inputs(Duration patience) {
  const auto bytes = next(TaskFrameKind::inputs, patience);
  if (!bytes) return bytes.error();
  if (!*bytes) return std::optional<MoreInputs>{};
  auto inputs = decode_inputs(**bytes);
  if (!inputs) return inputs.error();
  return std::optional(std::move(*inputs));
}

Result<> Instructions::wait_for_permit() {
  constexpr auto kAwhile = std::chrono::hours(1);
  for (;;) {
    const auto bytes = next(TaskFrameKind::permit, kAwhile);
    if (!bytes) return bytes.error();
    if (*bytes) return {};
  }
}

}  // namespace proffer::live

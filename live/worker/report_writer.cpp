#include "live/worker/report_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "live/run/packet.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/frameworks/task_said.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

ReportWriter::ReportWriter(int fd) : fd_(fd) { ::fcntl(fd_, F_SETFD, FD_CLOEXEC); }

void ReportWriter::status(std::string text) {
  const auto now = steady_now();
  if (last_status_ && now - *last_status_ < std::chrono::seconds(1)) return;
  last_status_ = now;
  write(task_frame(TaskFrameKind::message, format_said({TaskSaid::What::status, std::move(text)})));
}

void ReportWriter::ask_for_inputs(std::uint32_t from) {
  write(task_frame(TaskFrameKind::message, format_said({TaskSaid::What::wants, std::to_string(from)})));
}

void ReportWriter::ask_for_permit() { write(task_frame(TaskFrameKind::ask_permit, {})); }

void ReportWriter::failure(std::string text) {
  write(task_frame(TaskFrameKind::message, format_said({TaskSaid::What::failure, std::move(text)})));
}

void ReportWriter::excuse() {
  write(task_frame(TaskFrameKind::message, format_said({TaskSaid::What::excuse, {}})));
}

void ReportWriter::result(const TaskResult& result) {
  std::string bytes;
  encode_result(result, bytes);
  write(task_frame(TaskFrameKind::result, bytes));
}

void ReportWriter::lost(const std::string& why) {
  write(task_frame(TaskFrameKind::lost, std::string_view(why).substr(0, limits::kTextBytes)));
}

/// Gives up on errors: without an agent that reads there is nobody to report them to.
void ReportWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::write(fd_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace proffer::live

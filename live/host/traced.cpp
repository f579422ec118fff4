#include "live/host/traced.hpp"

namespace proffer::live {
namespace {

/// Lines of the event log about refused messages: each is a peer's doing, who might fill the disk with them.
constexpr int kRefusedPerSecond = 100;

}  // namespace

Result<> TracedEffects::trace_to(const std::string& path, const std::string& source) {
  if (path.empty()) return {};
  auto file = EventLogWriter::open(path, source);
  if (!file) return file.error();
  file_ = std::move(file).value();
  return {};
}

void TracedEffects::join(Loop& loop) {
  loop.add(log_);
  if (file_) loop.add(*file_);
}

void TracedEffects::on_trace(const Trace& trace, Time now) {
  log_.write(trace, now);
  if (!file_ || (std::holds_alternative<MessageRefused>(trace) && refused_enough(now))) return;
  file_->write(trace, now);
}

bool TracedEffects::refused_enough(Time now) {
  if (now - second_began_ >= std::chrono::seconds(1)) {
    second_began_ = now;
    refused_in_second_ = 0;
  }
  return ++refused_in_second_ > kRefusedPerSecond;
}

}  // namespace proffer::live

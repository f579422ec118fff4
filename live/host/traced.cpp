#include "live/host/traced.hpp"

namespace proffer::live {

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
  if (file_) file_->write(trace, now);
}

}  // namespace proffer::live

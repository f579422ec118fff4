#include "cli/recording.hpp"

#include <utility>

#include "proffer/formats/event_log.hpp"

namespace proffer::cli {

Recording::Recording(const study::Plan& plan, Time start, study::RecorderOptions options, std::string events)
    : recorder_(plan, start, options), path_(std::move(events)) {
  if (!path_.empty()) out_.open(path_, std::ios::binary | std::ios::trunc);
}

void Recording::note(std::string_view source, const Trace& trace) {
  if (out_.is_open()) out_ << format_trace({Time{}, 0, std::string(source), trace}) << '\n';
}

void Recording::line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) {
  recorder_.line(time, seq, source, trace);
  if (const auto* warned = std::get_if<PoolWarned>(&trace)) warnings_.insert(warned->why);
  if (out_.is_open()) out_ << format_trace({time, seq, std::string(source), trace}) << '\n';
}

Result<> Recording::check() {
  if (path_.empty() || out_.flush()) return {};
  return Error{ErrorCode::io, path_ + " cannot be written"};
}

}  // namespace proffer::cli

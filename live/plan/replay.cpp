#include "live/plan/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace proffer::live {
namespace {

Result<> read_lines(const std::string& path, std::vector<TraceLine>& lines) {
  std::ifstream in(path);
  if (!in) return Error{ErrorCode::io, "cannot read the event log " + path};
  std::size_t number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    auto line = parse_trace(text);
    if (!line) return Error{ErrorCode::invalid, fmt::format("{}:{}: {}", path, number, line.error().message)};
    lines.push_back(std::move(*line));
  }
  return {};
}

}  // namespace

Result<std::vector<TraceLine>> merged_lines(const std::vector<std::string>& event_logs) {
  std::vector<TraceLine> lines;
  for (const auto& path : event_logs) {
    if (auto read = read_lines(path, lines); !read) return read.error();
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const TraceLine& a, const TraceLine& b) { return a.time < b.time; });
  return lines;
}

Duration PlanClock::duration(Duration real) const {
  return Duration(std::llround(static_cast<double>(real.count()) / scale_));
}

Time PlanClock::time(Time real) const { return std::max(Time{}, plan_start_ + duration(real - start_)); }

void PlanClock::convert(TraceLine& line) const {
  line.time = time(line.time);
  if (auto* accepted = std::get_if<OfferAccepted>(&line.trace)) {
    accepted->held = duration(accepted->held);
  } else if (auto* declined = std::get_if<OfferDeclined>(&line.trace)) {
    declined->held = duration(declined->held);
    if (declined->refuse_for_us > 0) {
      declined->refuse_for_us = duration(Duration(declined->refuse_for_us)).count();
    }
  } else if (auto* placed = std::get_if<TaskPlaced>(&line.trace)) {
    placed->waited = duration(placed->waited);
  }
}

}  // namespace proffer::live

// A daemon's traces in the log for people: a line for each decision of importance; declines only as a sum per
// framework each 10 s, since there may be thousands a second.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "live/host/loop.hpp"
#include "proffer/trace.hpp"

namespace proffer::live {

class TraceLog final : public LoopPart {
 public:
  void write(const Trace& trace, Time now);
  /// Returns a line a framework that has declined since the last call: "NAME: declined=157 (no-node-local
  /// 149, too-small 8)".
  std::vector<std::string> take_declines();

  void prepare(PollSet& polled) override { polled.wake_at(summary_at_); }
  void turn(const Readiness& ready, Time now) override;

 private:
  using Reasons = std::array<std::uint64_t, kDeclineReasons>;
  void count(const OfferDeclined& declined, Time now);

  std::map<FrameworkId, std::string> names_;
  std::map<FrameworkId, Reasons> declined_;
  std::uint64_t refused_ = 0;  // messages, since the last summary
  std::optional<Time> summary_at_;
};

}  // namespace proffer::live

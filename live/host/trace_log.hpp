// What people are told of a daemon's traces: a line for each decision of importance; declines only as a sum
// per framework each 10 s, since there may be thousands a second.
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
  void tell(const Trace& trace, Time now);
  /// "NAME: declined=157 (no-node-local 149, too-small 8)", a line a framework that has declined since.
  std::vector<std::string> take_declines();

  void want(Wishes& wishes) override { wishes.at(summary_at_); }
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

#include "live/http/counting.hpp"

#include <variant>

namespace proffer::live {
namespace {

double in_seconds(Duration time) { return static_cast<double>(to_us(time)) / 1e6; }

/// Returns the count under that name, or that of all others when there are enough names.
template <class Count>
Count& named(std::map<std::string, Count>& counts, const std::string& name) {
  const auto known = counts.find(name);
  if (known != counts.end()) return known->second;
  return counts[counts.size() < Counting::kNames ? name : std::string(kOthers)];
}

}  // namespace

void Counting::count(const Trace& trace) {
  std::visit([&](const auto& one) { apply(one); }, trace);
}

FrameworkTally& Counting::of(FrameworkId framework) {
  const auto name = names_.find(framework);
  return named(tally_.frameworks, name == names_.end() ? std::string(kOthers) : name->second);
}

void Counting::apply(const FrameworkLost& trace) {
  if (!trace.removed) return;
  removed_.push_back(trace.framework);
  if (removed_.size() <= kRemoved) return;
  names_.erase(removed_.front());
  removed_.pop_front();
}

void Counting::apply(const OfferAccepted& trace) {
  ++of(trace.framework).offers.accepted;
  tally_.held.note(in_seconds(trace.held));
}

void Counting::apply(const OfferDeclined& trace) {
  ++of(trace.framework).offers.declined[static_cast<std::size_t>(trace.reason)];
  tally_.held.note(in_seconds(trace.held));
}

void Counting::apply(const TaskChanged& trace) {
  // A task without an agent was never launched, so its end counts as nothing.
  if (!is_terminal(trace.state) || trace.agent == AgentId{}) return;
  ++of(trace.framework).ended[static_cast<std::size_t>(trace.state)];
}

void Counting::apply(const SlotsPreempted& trace) {
  if (!trace.enforced || trace.slots <= 0) return;
  named(tally_.slots_claimed, trace.pool) += static_cast<std::uint64_t>(trace.slots);
}

}  // namespace proffer::live

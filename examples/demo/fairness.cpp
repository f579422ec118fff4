#include "examples/demo/fairness.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "proffer/formats/event_log.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "proffer/study/jain.hpp"
#include "proffer/study/ledger.hpp"

namespace proffer::demo {
namespace {

const Kind kMap{"map"};

class JainOverTime {
 public:
  explicit JainOverTime(Time from) : from_(from) {}

  /// Takes the next line of the allocator. The time before it is added first, with things as they were.
  void line(const TraceLine& line) {
    add_time_until(line.time);
    std::visit([&](const auto& event) { apply(event); }, line.trace);
  }
  /// Returns the mean over the time with two frameworks in need; none when there was no such time.
  std::optional<double> mean() const {
    if (seconds_ <= 0) return {};
    return weighted_ / seconds_;
  }

 private:
  void add_time_until(Time now) {
    const auto start = last_ ? std::max(*last_, from_) : now;
    last_ = now;
    if (now <= start) return;
    const auto index = index_now();
    if (!index) return;
    const double length = std::chrono::duration<double>(now - start).count();
    weighted_ += *index * length;
    seconds_ += length;
  }

  std::optional<double> index_now() const {
    study::Jain jain;
    for (const auto& [id, leaf] : leaves_) {
      const auto& account = ledger_.framework(id);
      const auto owed = std::min(tree_.fair_share(leaf, kMap), account.demands(kMap));
      if (owed <= 0) continue;
      jain.add(static_cast<double>(account.has(kMap).running) / static_cast<double>(owed));
    }
    return jain.index();
  }

  void apply(const AgentRegistered& trace) {
    ledger_.apply(trace, *last_);
    set_capacity();
  }
  void apply(const AgentLost& trace) {
    ledger_.apply(trace, *last_);
    set_capacity();
  }
  void apply(const FrameworkSubscribed& trace) {
    if (leaves_.contains(trace.framework)) return;
    const auto leaf = tree_.add_leaf("", {.name = trace.name, .submitted = leaves_added_++}).value();
    tree_.set_demand(leaf, kMap, 0);
    leaves_[trace.framework] = leaf;
  }
  void apply(const FrameworkLost& trace) {
    const auto at = leaves_.find(trace.framework);
    if (!trace.removed || at == leaves_.end()) return;
    tree_.remove_leaf(at->second);
    leaves_.erase(at);
    ledger_.forget_demand(trace.framework);
  }
  void apply(const DemandChanged& trace) {
    const auto at = leaves_.find(trace.framework);
    if (trace.kind != kMap || at == leaves_.end()) return;
    ledger_.apply(trace, *last_);
    tree_.set_demand(at->second, kMap, ledger_.framework(trace.framework).demands(kMap));
  }
  void apply(const TaskLaunched& trace) { ledger_.apply(trace, *last_); }
  void apply(const TaskChanged& trace) { ledger_.apply(trace, *last_); }
  template <class Other>
  void apply(const Other&) {}

  void set_capacity() {
    for (const auto& [kind, slots] : ledger_.capacity()) tree_.set_capacity(kind, slots);
  }

  Time from_;
  std::optional<Time> last_;
  study::Ledger ledger_{study::Ledger::Rest::closed};
  ShareTree tree_;
  std::map<FrameworkId, LeafId> leaves_;
  std::uint64_t leaves_added_ = 0;
  double weighted_ = 0;  // the integral of the index over time, in seconds
  double seconds_ = 0;
};

}  // namespace

Result<double> jain_since(const std::string& log, Time since) {
  JainOverTime jain(since);
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    auto trace = parse_trace(line);
    if (!trace) return trace.error();
    if (trace->source == "allocator") jain.line(*trace);  // frameworks write there as well, out of turn
  }
  const auto mean = jain.mean();
  if (!mean) {
    return Error{ErrorCode::not_found, "the event log shows no time at which two frameworks wanted slots"};
  }
  return *mean;
}

}  // namespace proffer::demo

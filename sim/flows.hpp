// Bytes on their way over shared links, at max-min fair rates (progressive filling; Bertsekas and Gallager,
// Data Networks, §6.5.2). A change of one flow touches only those that it shares a possibly full link with.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::sim {

using LinkNo = std::uint32_t;
using FlowNo = std::uint32_t;
using Path = boost::container::small_vector<LinkNo, 6>;

class Flows {
 public:
  /// Called to have ended(flow, version, ...) called at that time.
  using Schedule = std::function<void(Time, FlowNo, std::uint32_t version)>;
  explicit Flows(Schedule schedule) : schedule_(std::move(schedule)) {}

  /// `rate` in bytes per second, above 0.
  LinkNo add_link(std::uint64_t rate);
  /// Starts a flow over at least one link, each at most once. `bytes` above 0.
  FlowNo start(const Path& path, std::uint64_t bytes, Time now);
  /// Cancels a flow before its end.
  void cancel(FlowNo flow, Time now);
  /// Called at a scheduled time. Returns whether the flow has really ended, and is forgotten.
  bool ended(FlowNo flow, std::uint32_t version, Time now);

  /// Returns when the flow will end if nothing changes; to be called before its end.
  Time ends(FlowNo flow) const;
  double rate(FlowNo flow) const { return flows_[flow].rate; }
  std::size_t size() const { return size_; }
  /// Aborts unless no link carries more than it can, and every flow is held up by a full link or its bound.
  void check_invariants() const;

 private:
  struct Flow {
    Path path;
    std::uint64_t bound = 0;  ///< the rate of its narrowest link
    double left = 0;          ///< bytes
    double rate = 0;          ///< bytes per second; below 0: being filled
    Time updated{};
    std::uint32_t version = 0;
    std::uint32_t mark = 0;
    bool live = false;
  };
  struct Link {
    std::uint64_t rate = 0;
    std::uint64_t bounds = 0;  ///< sum over its flows
    std::vector<FlowNo> flows;
    double room = 0;  ///< while filling
    std::uint32_t unfixed = 0;
    std::uint32_t mark = 0;
    bool may_bind() const { return bounds > rate; }
  };

  void detach(FlowNo flow);
  /// Computes the rates of all flows again that are connected to the links of `path` through links that may
  /// bind.
  void refill(const Path& path, FlowNo also, Time now);
  void collect(const Path& path, FlowNo also);
  void visit(LinkNo link);
  void visit_flow(FlowNo flow);
  void fill();
  bool is_held(FlowNo flow, double level) const;
  void fix(FlowNo flow, double rate);
  void settle(FlowNo flow, Time now);

  Schedule schedule_;
  std::vector<Flow> flows_;
  std::vector<FlowNo> free_;
  std::vector<Link> links_;
  std::size_t size_ = 0;
  std::uint32_t mark_ = 0;
  std::vector<FlowNo> touched_;
  std::vector<LinkNo> binding_;
  std::vector<double> new_rates_;  ///< one for each of touched_, in its order
  std::vector<std::size_t> held_;  ///< indices into touched_
};

}  // namespace proffer::sim

#include "sim/flows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "proffer/check.hpp"

namespace proffer::sim {
namespace {

constexpr double kUnfilled = -1;

double seconds(Duration duration) { return static_cast<double>(duration.count()) * 1e-6; }

}  // namespace

LinkNo Flows::add_link(std::uint64_t rate) {
  PROFFER_CHECK(rate > 0, "a link without a rate");
  links_.push_back({});
  links_.back().rate = rate;
  return static_cast<LinkNo>(links_.size() - 1);
}

FlowNo Flows::start(const Path& path, std::uint64_t bytes, Time now) {
  PROFFER_CHECK(!path.empty() && bytes > 0, "a flow of nothing, or over nothing");
  if (free_.empty()) {
    free_.push_back(static_cast<FlowNo>(flows_.size()));
    flows_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  auto& flow = flows_[number];
  flow.path = path;
  flow.bound = std::numeric_limits<std::uint64_t>::max();
  for (const auto link : path) flow.bound = std::min(flow.bound, links_[link].rate);
  flow.left = static_cast<double>(bytes);
  flow.rate = 0;
  flow.updated = now;
  flow.live = true;
  ++size_;
  for (const auto link : path) {
    links_[link].flows.push_back(number);
    links_[link].bounds += flow.bound;
  }
  refill(path, number, now);
  return number;
}

void Flows::cancel(FlowNo number, Time now) {
  PROFFER_CHECK(flows_[number].live, "a flow that is over was cancelled");
  const auto path = flows_[number].path;
  detach(number);
  refill(path, number, now);
}

bool Flows::ended(FlowNo number, std::uint32_t version, Time now) {
  if (!flows_[number].live || flows_[number].version != version) return false;
  cancel(number, now);
  return true;
}

void Flows::detach(FlowNo number) {
  auto& flow = flows_[number];
  for (const auto at : flow.path) {
    auto& link = links_[at];
    link.flows.erase(std::find(link.flows.begin(), link.flows.end(), number));
    link.bounds -= flow.bound;
  }
  flow.live = false;
  ++flow.version;
  free_.push_back(number);
  --size_;
}

void Flows::refill(const Path& path, FlowNo also, Time now) {
  collect(path, also);
  fill();
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    auto& flow = flows_[touched_[i]];
    if (flow.rate == new_rates_[i]) continue;
    settle(touched_[i], now);
    flow.rate = new_rates_[i];
    const auto left_us = std::ceil(std::max(flow.left, 0.0) / flow.rate * 1e6);
    schedule_(now + Duration(static_cast<std::int64_t>(left_us)), touched_[i], ++flow.version);
  }
}

Time Flows::ends(FlowNo number) const {
  const auto& flow = flows_[number];
  return flow.updated +
         Duration(static_cast<std::int64_t>(std::ceil(std::max(flow.left, 0.0) / flow.rate * 1e6)));
}

void Flows::settle(FlowNo number, Time now) {
  auto& flow = flows_[number];
  flow.left -= flow.rate * seconds(now - flow.updated);
  flow.updated = now;
}

void Flows::collect(const Path& path, FlowNo also) {
  ++mark_;
  touched_.clear();
  binding_.clear();
  if (flows_[also].live) visit_flow(also);
  // A link that bound before the change and no longer may: its flows can go faster now.
  for (const auto link : path) {
    if (links_[link].mark == mark_) continue;
    for (const auto flow : links_[link].flows) visit_flow(flow);
  }
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    for (const auto link : flows_[touched_[i]].path) visit(link);
  }
}

void Flows::visit_flow(FlowNo number) {
  auto& flow = flows_[number];
  if (flow.mark == mark_) return;
  flow.mark = mark_;
  touched_.push_back(number);
}

void Flows::visit(LinkNo number) {
  auto& link = links_[number];
  if (link.mark == mark_ || !link.may_bind()) return;
  link.mark = mark_;
  binding_.push_back(number);
  for (const auto flow : link.flows) visit_flow(flow);
}

/// Raises all rates together; the flows of the link that is full first, or that have reached their own bound,
/// keep their rates, and the others go on.
void Flows::fill() {
  new_rates_.assign(touched_.size(), kUnfilled);
  for (const auto number : binding_) {
    auto& link = links_[number];
    link.room = static_cast<double>(link.rate);
    link.unfixed = static_cast<std::uint32_t>(link.flows.size());
  }
  auto left = touched_.size();
  while (left > 0) {
    double level = std::numeric_limits<double>::infinity();
    for (const auto number : binding_) {
      const auto& link = links_[number];
      if (link.unfixed > 0) level = std::min(level, link.room / link.unfixed);
    }
    bool bounded = false;
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const auto bound = static_cast<double>(flows_[touched_[i]].bound);
      if (new_rates_[i] != kUnfilled || bound > level) continue;
      new_rates_[i] = bound;
      fix(touched_[i], bound);
      bounded = true;
      --left;
    }
    if (bounded) continue;
    // Every flow of the fullest links is held there.
    held_.clear();
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      if (new_rates_[i] == kUnfilled && is_held(touched_[i], level)) held_.push_back(i);
    }
    for (const auto i : held_) {
      new_rates_[i] = level;
      fix(touched_[i], level);
    }
    left -= held_.size();
  }
}

bool Flows::is_held(FlowNo number, double level) const {
  const auto& path = flows_[number].path;
  return std::any_of(path.begin(), path.end(), [&](LinkNo at) {
    const auto& link = links_[at];
    return link.mark == mark_ && link.unfixed > 0 && link.room / link.unfixed <= level;
  });
}

void Flows::fix(FlowNo number, double rate) {
  for (const auto at : flows_[number].path) {
    auto& link = links_[at];
    if (link.mark != mark_) continue;
    link.room = std::max(link.room - rate, 0.0);
    --link.unfixed;
  }
}

void Flows::check_invariants() const {
  constexpr double kSlack = 1e-6;
  std::vector<double> used(links_.size(), 0);
  for (const auto& flow : flows_) {
    if (!flow.live) continue;
    for (const auto link : flow.path) used[link] += flow.rate;
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    PROFFER_CHECK(used[i] <= static_cast<double>(links_[i].rate) * (1 + kSlack), "a link carries too much");
  }
  for (const auto& flow : flows_) {
    if (!flow.live || flow.rate >= static_cast<double>(flow.bound) * (1 - kSlack)) continue;
    const bool held = std::any_of(flow.path.begin(), flow.path.end(), [&](LinkNo link) {
      return used[link] >= static_cast<double>(links_[link].rate) * (1 - kSlack);
    });
    PROFFER_CHECK(held, "a flow is slower than it need be");
  }
}

}  // namespace proffer::sim

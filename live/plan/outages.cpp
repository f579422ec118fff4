#include "live/plan/outages.hpp"

#include <signal.h>

namespace proffer::live {
namespace {

using What = study::PlanFault::What;

/// The daemon that a fault ends.
std::string daemon_of(const study::PlanFault& fault) {
  if (fault.what == What::stop_allocator) return "allocator";
  return fault.what == What::stop_catalog ? "catalog" : fault.target;
}

}  // namespace

Outages::Outages(const study::Plan& plan, PlanCluster& cluster, Time start) : cluster_(cluster) {
  for (const auto& fault : plan.faults) {
    due_.emplace(start + fault.at, Edge{&fault, false});
    due_.emplace(start + fault.at + fault.lasting, Edge{&fault, true});
  }
  for (const auto& node : plan.nodes) racks_[node.rack].push_back(node.name);
}

std::optional<Time> Outages::next() const {
  return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
}

Result<> Outages::carry_out(Time now) {
  while (!due_.empty() && due_.begin()->first <= now) {
    if (auto done = happen(due_.extract(due_.begin()).mapped()); !done) return done;
  }
  return {};
}

Result<> Outages::happen(Edge edge) {
  const auto& fault = *edge.fault;
  const int by = edge.over ? -1 : 1;
  if (fault.what == What::cut_node || fault.what == What::cut_rack) {
    const auto members =
        fault.what == What::cut_rack ? racks_[fault.target] : std::vector<std::string>{fault.target};
    for (const auto& agent : members) {
      if (auto done = cut(agent, by); !done) return done;
    }
    return {};
  }
  const auto daemon = daemon_of(fault);
  if (edge.over) return start(daemon);
  down_.insert(daemon);
  return cluster_.kill(daemon);
}

/// A stopped process keeps its connections, and answers nothing: its peers miss it by silence.
Result<> Outages::cut(const std::string& agent, int by) {
  auto& cuts = cuts_[agent];
  cuts += by;
  return down_.contains(agent) ? Result<>() : cluster_.signal(agent, cuts > 0 ? SIGSTOP : SIGCONT);
}

Result<> Outages::start(const std::string& daemon) {
  if (down_.erase(daemon) == 0) return {};
  if (auto started = cluster_.start_again(daemon); !started) return started;
  return cuts_[daemon] > 0 ? cluster_.signal(daemon, SIGSTOP) : Result<>();
}

Result<> Outages::end() {
  due_.clear();
  for (auto& [agent, cuts] : cuts_) {
    if (std::exchange(cuts, 0) == 0 || down_.contains(agent)) continue;
    if (auto done = cluster_.signal(agent, SIGCONT); !done) return done;
  }
  while (!down_.empty()) {
    if (auto started = start(std::string(*down_.begin())); !started) return started;
  }
  return {};
}

}  // namespace proffer::live

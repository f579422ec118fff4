// Faults drawn from distributions: renewal processes, up for a time between failures, down for a time to
// repair.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "study/experiment/scenario.hpp"
#include "study/generate/streams.hpp"

namespace proffer::study {
namespace {

using What = PlanFault::What;

/// As many as a simulation can hold; far more than any workload survives.
constexpr std::size_t kMostFaults = 1'000'000;
/// Nothing fails, or is mended, faster: a distribution may well draw 0.
constexpr Duration kShortest = std::chrono::milliseconds(1);

/// Whom a fault befalls at random. `purpose` names the stream: what one source draws never shifts another.
class Draws {
 public:
  Draws(std::uint64_t seed, Duration until) : seed_(seed), until_(until) {}

  /// Calls fail(at, lasting) for each fault of that subject.
  template <class Fail>
  void each(const FaultSource& source, std::string_view subject, std::string_view purpose, Fail&& fail) {
    if (!source.mtbf) return;
    auto random = stream(seed_, subject, purpose);
    const auto next = [&](const Distribution& distribution) {
      return std::max(draw(distribution, random), kShortest);
    };
    for (auto at = next(*source.mtbf); at < until_ && count_ <= kMostFaults; ++count_) {
      const auto lasting = next(*source.mttr);
      fail(at, lasting);
      at += lasting + next(*source.mtbf);
    }
  }
  bool too_many() const { return count_ > kMostFaults; }

 private:
  std::uint64_t seed_;
  Duration until_;
  std::size_t count_ = 0;
};

/// The times for which nodes are dead, each as long as the longest fault that lasts then.
class Deaths {
 public:
  void add(const std::string& node, Duration at, Duration lasting) {
    auto& times = of_[node];
    auto until = at + lasting;
    auto next = times.upper_bound(at);
    if (next != times.begin() && std::prev(next)->second >= at) --next;
    while (next != times.end() && next->first <= until) {
      at = std::min(at, next->first);
      until = std::max(until, next->second);
      next = times.erase(next);
    }
    times.emplace(at, until);
  }
  void take(std::vector<PlanFault>& faults) const {
    for (const auto& [node, times] : of_) {
      for (const auto& [at, until] : times) faults.push_back({at, What::kill_node, node, until - at});
    }
  }

 private:
  std::map<std::string, std::map<Duration, Duration>> of_;  // by node: from, until
};

}  // namespace

Result<std::vector<PlanFault>> draw_faults(const FaultsSection& section, const std::vector<PlanNode>& nodes,
                                           std::vector<PlanFault> listed, Duration until,
                                           std::uint64_t seed) {
  if (!section.any()) return listed;
  Draws draws(seed, until);
  Deaths deaths;
  std::vector<PlanFault> faults;
  for (auto& fault : listed) {
    if (fault.what != What::kill_node) {
      faults.push_back(std::move(fault));
    } else {
      deaths.add(fault.target, fault.at, fault.lasting);
    }
  }
  const auto add = [&faults](What what, const std::string& target) {
    return [&faults, what, &target](Duration at, Duration lasting) {
      faults.push_back({at, what, target, lasting});
    };
  };
  const auto slow = [&](const std::string& node) {
    return [&faults, &section, &node](Duration at, Duration lasting) {
      faults.push_back({at, What::slow_node, node, lasting, section.slow.factor_milli});
    };
  };
  std::map<std::string, std::vector<std::string>> racks;
  for (const auto& node : nodes) {
    racks[node.rack].push_back(node.name);
    draws.each(section.nodes, node.name, "node faults",
               [&](Duration at, Duration lasting) { deaths.add(node.name, at, lasting); });
    if (section.cuts_nodes)
      draws.each(section.partitions, node.name, "cut nodes", add(What::cut_node, node.name));
    draws.each(section.slow, node.name, "slow nodes", slow(node.name));
  }
  for (const auto& [rack, members] : racks) {
    draws.each(section.racks, rack, "rack faults", [&](Duration at, Duration lasting) {
      for (const auto& node : members) deaths.add(node, at, lasting);
    });
    if (!section.cuts_nodes) draws.each(section.partitions, rack, "cut racks", add(What::cut_rack, rack));
  }
  draws.each(section.allocator, "allocator", "server faults", add(What::stop_allocator, "allocator"));
  draws.each(section.catalog, "catalog", "server faults", add(What::stop_catalog, "catalog"));
  if (draws.too_many()) {
    return Error{
        ErrorCode::invalid,
        fmt::format("[faults] draws more than {} faults up to the horizon; let the horizon be shorter, "
                    "or the mtbf longer",
                    kMostFaults)};
  }
  deaths.take(faults);
  std::stable_sort(faults.begin(), faults.end(),
                   [](const PlanFault& a, const PlanFault& b) { return a.at < b.at; });
  return faults;
}

}  // namespace proffer::study

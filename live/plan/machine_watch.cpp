#include "live/plan/machine_watch.hpp"

#include <chrono>

namespace proffer::live {
namespace {

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

double part(std::uint64_t before, std::uint64_t after, const Load& from, const Load& until) {
  return until.all > from.all
             ? static_cast<double>(after - before) / static_cast<double>(until.all - from.all)
             : 0;
}

}  // namespace

Result<std::vector<MachineWatch::Reading>> MachineWatch::read(PlanCluster& cluster) {
  const auto here = read_load();
  if (!here) return here.error();
  std::vector<Reading> all{{{}, *here}};
  for (auto& outpost : cluster.outposts()) {
    const auto clock = outpost.read_clock();
    if (!clock) return clock.error();
    const auto load = outpost.load();
    if (!load) return load.error();
    all.push_back({*clock, *load});
  }
  return all;
}

Result<MachineWatch> MachineWatch::begin(PlanCluster& cluster) {
  auto read = MachineWatch::read(cluster);
  if (!read) return read.error();
  MachineWatch watch;
  watch.before_ = std::move(*read);
  return watch;
}

Result<std::vector<study::MachineRow>> MachineWatch::end(PlanCluster& cluster,
                                                         std::size_t agents_here) const {
  const auto after = read(cluster);
  if (!after) return after.error();
  std::vector<study::MachineRow> rows;
  for (std::size_t i = 0; i < after->size(); ++i) {
    const auto& from = before_[i];
    const auto& until = (*after)[i];
    auto& row = rows.emplace_back();
    row.machine = kRunsMachine;
    row.agents = static_cast<std::uint32_t>(agents_here);
    if (i > 0) {
      const auto& machine = cluster.outposts()[i - 1].machine();
      row.machine = machine.name;
      row.address = machine.address;
      row.agents = static_cast<std::uint32_t>(cluster.agents_on(i - 1));
    }
    row.processors = until.load.processors;
    row.round_trip = seconds(until.clock.round_trip);
    row.clock_drift = seconds(until.clock.ahead - from.clock.ahead);
    row.clock_error = seconds((until.clock.round_trip + from.clock.round_trip) / 2);
    row.load_before = from.load.average;
    row.load_after = until.load.average;
    row.busy = part(from.load.busy, until.load.busy, from.load, until.load);
    row.stolen = part(from.load.stolen, until.load.stolen, from.load, until.load);
  }
  return rows;
}

}  // namespace proffer::live

// One storm from its seed: it rages, it calms down, it is judged.
#include <fmt/format.h>

#include <algorithm>

#include "proffer/failed_check.hpp"
#include "proffer/sim/storm.hpp"
#include "sim/storm/aftermath.hpp"
#include "sim/storm/cluster.hpp"
#include "sim/storm/troubles.hpp"

namespace proffer::sim {
namespace storm {
namespace {

/// More happenings at one instant than any storm has reason for: something spins.
constexpr std::uint64_t kAtOneInstant = 200'000;

void run_until(Agenda& agenda, Record& record, Time end) {
  auto instant = agenda.now();
  std::uint64_t count = 0;
  while (!record.blamed() && agenda.run_one(end)) {
    if (agenda.now() != instant) {
      instant = agenda.now();
      count = 0;
    }
    if (++count > kAtOneInstant) record.blame(instant, "time goes on", "something spins without an end");
  }
}

void start_all(const Plan& plan, Cluster& cluster) {
  auto random = plan.random(60);
  for (Pid pid = 0; pid < cluster.processes().size(); ++pid) {
    cluster.start_later(pid, std::chrono::milliseconds(random.below(pid < 2 ? 50 : 3000)));
  }
}

void play(const Plan& plan, Agenda& agenda, Record& record, Cluster& cluster) {
  Troubles troubles(plan, agenda, record, cluster);
  Aftermath aftermath(agenda, record, cluster);
  start_all(plan, cluster);
  agenda.after(std::chrono::seconds(5), [&] { troubles.begin(); });
  if (plan.rough) aftermath.look_early();
  const auto calm_at = agenda.now() + std::chrono::seconds(5) + plan.rage;
  run_until(agenda, record, calm_at);
  if (record.blamed()) return;
  record.line(agenda.now(), "calm");
  if (plan.allocator_restarts_at_calm) cluster.crash(Cluster::kAllocator, "a last time");
  cluster.calm();
  aftermath.begin();
  run_until(agenda, record, agenda.now() + Aftermath::kEnd);
}

}  // namespace
}  // namespace storm

StormResult run_storm(std::uint64_t seed, const StormOptions& options) {
  using namespace storm;
  const auto plan = draw(seed, options);
  Record record(options.timeline);
  Agenda agenda;
  const auto began = agenda.now();
  StormResult result;
  {
    const ThrowFailedChecks throwing;
    Cluster cluster(plan, agenda, record);
    try {
      play(plan, agenda, record, cluster);
    } catch (const FailedCheck& failed) {
      record.blame(agenda.now(), "no check of a machine fails", failed.what);
    }
    result.digest = fmt::format("{:016x}", cluster.tally().digest);
    result.steps = cluster.tally().steps;
    result.messages = cluster.links.messages();
  }
  result.simulated = agenda.now() - began;
  result.figures = record.take_figures();
  result.violations = record.take_violations();
  result.timeline = record.take_timeline();
  return result;
}

}  // namespace proffer::sim

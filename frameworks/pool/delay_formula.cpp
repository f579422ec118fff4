#include "proffer/frameworks/delay_formula.hpp"

#include <algorithm>
#include <cmath>

#include "proffer/check.hpp"

namespace proffer {
namespace {

void check(const DelayModel& model) {
  PROFFER_CHECK(model.nodes >= 1 && model.replicas >= 1 && model.tasks >= 1,
                "a model's figures are at least 1");
}

/// The chance that a given node holds none of K blocks in one placement of a replica each.
double empty_chance(const DelayModel& model, std::int64_t unlaunched) {
  check(model);
  return std::max(0.0, 1.0 - static_cast<double>(unlaunched) / static_cast<double>(model.nodes));
}

Duration seconds(double value) {
  return Duration{static_cast<std::int64_t>(std::llround(std::min(value * 1e6, 9e18)))};
}

}  // namespace

double nodes_with_data(const DelayModel& model, std::int64_t unlaunched) {
  return 1 - std::pow(empty_chance(model, unlaunched), static_cast<double>(model.replicas));
}

double local_chance(const DelayModel& model, std::int64_t unlaunched, double skips) {
  if (skips <= 0) return 0;
  return 1 - std::pow(empty_chance(model, unlaunched), static_cast<double>(model.replicas) * skips);
}

double expected_locality(const DelayModel& model, double skips) {
  double sum = 0;
  for (std::int64_t left = 1; left <= model.tasks; ++left) sum += local_chance(model, left, skips);
  return sum / static_cast<double>(model.tasks);
}

double skips_for_locality(const DelayModel& model, double locality) {
  check(model);
  PROFFER_CHECK(locality < 1, "no wait gives a locality of 1 for sure");
  if (locality <= 0) return 0;
  const double missed = (1 - locality) * static_cast<double>(model.tasks);
  return -static_cast<double>(model.nodes) / static_cast<double>(model.replicas) *
         std::log(missed / (1 + missed));
}

std::optional<std::int64_t> skips_for_chance(std::int64_t with_data, std::int64_t agents,
                                             std::int64_t millionths) {
  PROFFER_CHECK(millionths >= 0 && millionths < 1'000'000, "no wait gives a chance of 1 for sure");
  if (with_data <= 0) return {};
  if (with_data >= agents) return 1;
  const double missed = 1 - static_cast<double>(millionths) / 1e6;
  const double others = 1 - static_cast<double>(with_data) / static_cast<double>(agents);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(std::log(missed) / std::log(others))));
}

Duration wait_for_skips(double skips, Duration task_time, std::int64_t slots) {
  PROFFER_CHECK(slots >= 1, "a cluster has a slot");
  return seconds(skips * static_cast<double>(task_time.count()) / 1e6 / static_cast<double>(slots));
}

Duration wait_for_skips(double skips, double slots_per_second) {
  PROFFER_CHECK(slots_per_second > 0, "without releases a wait never ends");
  return seconds(skips / slots_per_second);
}

double skips_in_wait(Duration wait, double slots_per_second) {
  return static_cast<double>(wait.count()) / 1e6 * slots_per_second;
}

double chance_all_blocked(double long_tasks, std::int64_t replicas, std::int64_t slots_per_node) {
  return std::pow(long_tasks, static_cast<double>(replicas * slots_per_node));
}

}  // namespace proffer

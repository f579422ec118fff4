#include "frameworks/policies/dsfs.hpp"

#include <array>

namespace proffer::policies {
namespace {

constexpr std::array<std::string_view, 2> kClasses{"io", "cpu"};

WaitSettings read_dsfs(Settings& settings) {
  const auto rack_after = settings.duration("t1", std::chrono::seconds(5));
  const auto any_after = settings.duration("t2", std::chrono::seconds(10));
  if (any_after <= rack_after) settings.fail("t2", "later than t1");
  const bool waits_for_node = settings.choice("class", kClasses) == 0;
  WaitSettings wait;
  wait.node_wait = waits_for_node ? rack_after : Duration::zero();
  wait.rack_wait = any_after - wait.node_wait;
  wait.reset = ResetRule::to_node;
  return wait;
}

}  // namespace

DsfsPolicy::DsfsPolicy(Settings& settings) : WaitPolicy(read_dsfs(settings)) {}

}  // namespace proffer::policies

#include "live/host/drivers_host.hpp"

#include <utility>

#include "live/os/block_signals.hpp"
#include "proffer/frameworks/drivers.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/framework_host.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

/// The allocator is in this process: it answers, or has just ended.
constexpr Duration kAnswerTimeout = std::chrono::milliseconds(500);

/// A disk may have room again by then, or a pool may be there.
constexpr Duration kLookAgain = std::chrono::seconds(10);

/// Returns an address at which what listens at `endpoint` is reached from this machine.
std::string from_here(std::string endpoint) {
  for (const std::string any : {"//0.0.0.0:", "//*:"}) {
    if (const auto at = endpoint.find(any); at != std::string::npos) {
      return endpoint.replace(at, any.size(), "//127.0.0.1:");
    }
  }
  return endpoint;
}

/// Returns the slots of agents that run tasks now.
Resources slots_of(const ClusterState& state) {
  Resources total;
  for (const auto& agent : state.agents) {
    if (agent.reachable && agent.trouble.empty() && agent.wish.empty()) total += agent.total;
  }
  return total;
}

}  // namespace

DriversHost::DriversHost(Context& context, std::string allocator, std::string folder)
    : context_(context), allocator_(from_here(std::move(allocator))) {
  thread_ = std::thread([this, folder = std::move(folder)] { run(folder); });
}

DriversHost::~DriversHost() {
  stop_.request();
  thread_.join();
}

void DriversHost::run(const std::string& folder) {
  block_signals();
  std::string said;
  while (!stop_.requested()) {
    const auto trouble = drive(folder);
    if (!trouble || stop_.requested()) return;
    if (trouble->message != said) log::error("detached jobs wait: " + trouble->message);
    said = trouble->message;
    stop_.wait(kLookAgain);
  }
}

std::optional<Error> DriversHost::drive(const std::string& folder) {
  Drivers drivers;
  FrameworkHostConfig config;
  config.framework.name = kDriversFramework;
  // Any other framework has a better claim to a place in a pool that has places for so many only.
  config.framework.priority = Priority::very_low;
  config.allocator = allocator_;
  config.state_dir = folder;
  config.unreachable_after.reset();
  config.leaves_at_stop = true;
  config.progress = [&] {
    if (!drivers.wants_slots() || stop_.requested()) return;
    const auto state = describe(context_, allocator_, kAnswerTimeout);
    if (state) drivers.learn_slots(slots_of(*state));
  };
  const auto end = run_framework(context_, config, drivers, stop_);
  return end ? drivers.refusal() : std::optional(end.error());
}

}  // namespace proffer::live

#include "live/store/port_pool.hpp"

#include <algorithm>

#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// More than a block can have targets, so that none of them is closed while the block is stored.
constexpr std::size_t kPorts = limits::kReplication + 64;

}  // namespace

Result<ConnectedPort*> PortPool::to(const std::string& endpoint) {
  const auto held = ports_.find(endpoint);
  if (held != ports_.end()) {
    held->second.used = ++uses_;
    return held->second.port.get();
  }
  auto port = ConnectedPort::connect(context_, endpoint);
  if (!port) return port.error();
  make_room();
  return (ports_[endpoint] = Held{std::move(*port), ++uses_}).port.get();
}

void PortPool::make_room() {
  if (ports_.size() < kPorts) return;
  ports_.erase(std::min_element(ports_.begin(), ports_.end(),
                                [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
}

}  // namespace proffer::live

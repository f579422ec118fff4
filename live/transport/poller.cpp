#include <algorithm>
#include <chrono>

#include "live/transport/pollable.hpp"
#include "live/transport/zmq_socket.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

const Pollable& pollable(const Port& port) { return *static_cast<const Pollable*>(port.native()); }

/// Rounded up: a wait that ends just before its deadline would be repeated, with no time left, until it came.
long in_ms(std::optional<Duration> timeout) {
  if (!timeout) return -1;
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(*timeout).count();
  return static_cast<long>(std::clamp<std::int64_t>(ms, 0, 24 * 3600 * 1000));
}

std::optional<Duration> shorter(std::optional<Duration> a, std::optional<Duration> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

void Poller::wait(const std::vector<Wanted>& wanted, std::optional<Duration> timeout) {
  std::vector<ZmqPollItem> items;
  std::vector<std::size_t> owner;  // items[i] belongs to wanted[owner[i]]
  const auto add = [&](ZmqPollItem item, std::size_t index) {
    items.push_back(item);
    owner.push_back(index);
  };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].port == nullptr) {
      add({.fd = wanted[i].fd}, i);
      continue;
    }
    const auto& port = pollable(*wanted[i].port);
    add({.socket = port.socket(), .writable = port.wants_writable()}, i);
    add({.socket = port.monitor()}, i);
    timeout = shorter(timeout, port.retry_after());
  }
  zmq_wait(items, in_ms(timeout));
  ready_.assign(wanted.size(), false);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].ready) ready_[owner[i]] = true;
  }
}

Time steady_now() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return Time{std::chrono::duration_cast<Duration>(since_boot)};
}

}  // namespace proffer::live

#include "sim/storm/troubles.hpp"

#include <fmt/format.h>

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

void Troubles::begin() {
  for (std::size_t kind = 0; kind < kFaults.size(); ++kind) {
    const auto fault = static_cast<Fault>(kind);
    if (plan_.has(fault)) come_again(fault, plan_.mean(fault));
  }
  // A crash looper crashes in any case, unless nobody is to crash at all.
  if (plan_.has(Fault::crash_framework)) loop();
}

void Troubles::come_again(Fault fault, Duration mean) {
  agenda_.after(around(random_, mean), [this, fault, mean] {
    if (cluster_.is_calm()) return;
    if (happen(fault)) record_.count(fmt::format("fault {}", kFaults[static_cast<std::size_t>(fault)]));
    come_again(fault, mean);
  });
}

void Troubles::loop() {
  agenda_.after(around(random_, seconds(6)), [this] {
    if (cluster_.is_calm()) return;
    for (auto pid = cluster_.first_framework(); pid < cluster_.processes().size(); ++pid) {
      if (cluster_.framework(pid).plan.character != Character::crash_looper) continue;
      cluster_.crash(pid, "as it often does");
      cluster_.start_later(pid, mostly_short(random_, seconds(5)));
    }
    loop();
  });
}

HostNo Troubles::any_host() { return static_cast<HostNo>(random_.below(cluster_.hosts())); }
Pid Troubles::any_framework() {
  const auto first = cluster_.first_framework();
  return first + static_cast<Pid>(random_.below(cluster_.processes().size() - first));
}
/// The allocator as often as all agents, or all frameworks.
Pid Troubles::any_process() {
  switch (random_.below(7)) {
    case 0:
    case 1:
      return Cluster::kAllocator;
    case 2:
      return Cluster::kCatalog;
    case 3:
    case 4:
      return any_framework();
    default:
      return cluster_.agent(any_host());
  }
}

bool Troubles::happen(Fault fault) {
  switch (fault) {
    case Fault::clog:
    case Fault::cut:
    case Fault::one_way:
    case Fault::half_open:
    case Fault::reconnect:
      return disturb_line(fault);
    case Fault::crash_allocator:
    case Fault::crash_catalog:
    case Fault::crash_agent:
    case Fault::crash_framework:
    case Fault::crash_launcher:
    case Fault::reboot:
      return crash(fault);
    case Fault::stop: {
      const auto pid = any_process();
      const bool was_up = cluster_.process(pid).up();
      const bool is_agent = cluster_.process(pid).role == Role::agent;
      cluster_.stop(pid, is_agent && random_.below(4) == 0, mostly_short(random_, seconds(30)));
      return was_up;
    }
    case Fault::pause: {
      const auto pid = any_process();
      const bool was_up = cluster_.process(pid).up();
      cluster_.pause(pid, milliseconds(100) + mostly_short(random_, seconds(60)));
      return was_up;
    }
    case Fault::disk_full:
      return fill_disk();
    case Fault::takeover: {
      const auto pid = any_framework();
      if (!cluster_.process(pid).up() || cluster_.process(pid).paused()) return false;
      if (cluster_.framework(pid).plan.character == Character::batch) return false;
      return cluster_.take_over(pid, mostly_short(random_, seconds(2)));
    }
    case Fault::drain:
    case Fault::gone:
      return operate(fault);
    default:
      return false;  // drawn where it happens
  }
}

bool Troubles::crash(Fault fault) {
  const auto role = [&]() -> Pid {
    if (fault == Fault::crash_allocator) return Cluster::kAllocator;
    if (fault == Fault::crash_catalog) return Cluster::kCatalog;
    return fault == Fault::crash_framework ? any_framework() : cluster_.agent(any_host());
  };
  const auto pid = role();
  const auto down = mostly_short(random_, seconds(40));
  if (fault == Fault::reboot) {
    cluster_.reboot(pid - 2, seconds(1) + down);
    return true;
  }
  if (fault == Fault::crash_launcher) {
    const auto host = pid - 2;
    cluster_.host(host).kill_launcher(milliseconds(50 + random_.below(2000)));
    record_.line(agenda_.now(), fmt::format("the launcher of agent-{} dies", host + 1));
    if (random_.below(3) > 0) return true;  // else both die together
  }
  if (!cluster_.process(pid).up()) return fault == Fault::crash_launcher;
  cluster_.crash(pid, "kill -9", random_.below(4) == 0);
  if (fault == Fault::crash_framework && random_.below(4) == 0) cluster_.forget(pid);
  cluster_.start_later(pid, down);
  return true;
}

bool Troubles::disturb_line(Fault fault) {
  auto& links = cluster_.links;
  const auto line = random_.below(links.lines());
  const auto name = cluster_.process(links.client_of(line)).name;
  switch (fault) {
    case Fault::clog:
      links.clog(line, mostly_short(random_, seconds(5)));
      return true;
    case Fault::half_open:
      record_.line(agenda_.now(), name + ": its connection is half open");
      links.half_open(line, random_.below(2) == 0);
      return true;
    case Fault::reconnect:
      record_.line(agenda_.now(), name + ": its connection is replaced");
      links.reconnect(line, random_.below(2) == 0);
      return true;
    default:
      break;
  }
  const bool one_way = fault == Fault::one_way;
  const bool up = !one_way || random_.below(2) == 0;
  // Sometimes a part of the cluster, not one machine.
  const auto width = random_.below(3) == 0 ? 1 + random_.below(links.lines()) : 1;
  const auto time = milliseconds(200) + mostly_short(random_, seconds(90));
  for (std::uint64_t i = 0; i < width; ++i) {
    const auto one = (line + i) % links.lines();
    links.cut(one, up, !one_way || !up);
    agenda_.after(time, [this, one] {
      if (!cluster_.is_calm()) cluster_.links.mend(one);
    });
  }
  record_.line(agenda_.now(), fmt::format("{} and {} more are cut off{} for {:.1f} s", name, width - 1,
                                          one_way ? (up ? " towards the server" : " from the server") : "",
                                          static_cast<double>(to_us(time)) / 1e6));
  return true;
}

bool Troubles::fill_disk() {
  const auto pid = any_process();
  auto& process = cluster_.process(pid);
  if (process.role == Role::framework || process.disk.full()) return false;
  record_.line(agenda_.now(), process.name + ": its disk is full");
  process.disk.set_full(true);
  agenda_.after(seconds(1 + random_.below(40)), [this, pid] {
    auto& there = cluster_.process(pid);
    there.disk.set_full(false);
    record_.line(agenda_.now(), there.name + ": its disk has room");
    agenda_.after(milliseconds(random_.below(5000)), [this, pid] {
      if (!cluster_.process(pid).disk.full()) cluster_.process(pid).has_room();
    });
  });
  return true;
}

bool Troubles::operate(Fault fault) {
  const auto host = any_host();
  const auto& process = cluster_.process(cluster_.agent(host));
  auto& causes = cluster_.oracle.table.causes;
  if (fault == Fault::drain) {
    std::optional<Duration> kill_after;
    if (random_.below(2) == 0) kill_after = seconds(random_.below(20));
    if (kill_after) causes.hosts.insert(host);
    auto& watch = cluster_.oracle.watch;
    cluster_.desk.change(process.name, "drain", kill_after, watch.drain_asked(host));
    agenda_.after(around(random_, seconds(30)), [this, &watch, host, name = process.name] {
      cluster_.desk.change(name, "undrain", {}, watch.undrain_asked(host));
    });
    return true;
  }
  const auto id = process.disk.image.agent;
  if (id.value.is_nil()) return false;
  if (random_.below(2) == 0) cluster_.crash(process.pid, "before it is declared gone");
  causes.hosts.insert(host);
  cluster_.oracle.table.barred(host);
  cluster_.oracle.watch.gone_asked(host);
  cluster_.desk.change(to_hex(id.value), "gone", {}, [this, id](bool done) {
    if (done) cluster_.oracle.watch.retired(id);
  });
  cluster_.start_later(process.pid, seconds(1) + mostly_short(random_, seconds(60)));
  return true;
}

}  // namespace proffer::sim::storm

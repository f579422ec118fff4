// The names of faults, and of groups of them.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "proffer/sim/storm.hpp"

namespace proffer::sim {
namespace {

FaultSet set_of(std::initializer_list<Fault> faults) {
  FaultSet set;
  for (const auto fault : faults) set.set(static_cast<std::size_t>(fault));
  return set;
}

const std::map<std::string, FaultSet>& groups() {
  static const std::map<std::string, FaultSet> all{
      {"all", FaultSet{}.set()},
      {"none", {}},
      {"messages", set_of({Fault::loss, Fault::doubling, Fault::delay})},
      {"network", set_of({Fault::loss, Fault::doubling, Fault::delay, Fault::clog, Fault::cut, Fault::one_way,
                          Fault::half_open, Fault::reconnect})},
      {"crashes",
       set_of({Fault::crash_allocator, Fault::crash_catalog, Fault::crash_agent, Fault::crash_launcher,
               Fault::crash_framework, Fault::crash_commit, Fault::reboot})},
      {"disks", set_of({Fault::disk_full, Fault::disk_slow, Fault::disk_dead})},
      {"operators", set_of({Fault::drain, Fault::gone})},
      {"tasks", set_of({Fault::task_fails, Fault::task_deaf})}};
  return all;
}

}  // namespace

Result<FaultSet> faults_named(std::string_view list) {
  FaultSet set;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    const auto word = std::string(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    const auto kind = std::find(kFaults.begin(), kFaults.end(), word);
    if (kind != kFaults.end()) {
      set.set(static_cast<std::size_t>(kind - kFaults.begin()));
    } else if (const auto group = groups().find(word); group != groups().end()) {
      set |= group->second;
    } else {
      return Error{ErrorCode::invalid,
                   fmt::format("\"{}\" is no kind of fault; there are all, none, messages, "
                               "network, crashes, disks, operators, tasks, {}",
                               word, fmt::join(kFaults, ", "))};
    }
  }
  return set;
}

std::string name_of(const FaultSet& faults) {
  if (faults.all()) return "all";
  if (faults.none()) return "none";
  std::string list;
  for (std::size_t kind = 0; kind < kFaults.size(); ++kind) {
    if (!faults.test(kind)) continue;
    if (!list.empty()) list += ",";
    list += kFaults[kind];
  }
  return list;
}

}  // namespace proffer::sim

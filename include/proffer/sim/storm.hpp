// The whole cluster in one storm: the shipped machines of all roles in one world, under faults that are drawn
// from a seed, beside an oracle that none of them knows. First everything goes wrong, then a part of the
// cluster is healthy and stays so, and must come right. Equal seeds and options, equal runs.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::sim {

/// The kinds of faults, by the names that people give them.
enum class Fault : std::uint8_t {
  loss,             ///< messages are lost
  doubling,         ///< messages come twice
  delay,            ///< messages are late
  clog,             ///< a connection carries nothing for a while
  cut,              ///< nothing gets through between two hosts, either way
  one_way,          ///< nothing gets through one way
  half_open,        ///< a connection is gone, and one end of it does not know
  reconnect,        ///< a connection is replaced without a word
  crash_allocator,  ///< kill -9 of that role; it is started again
  crash_catalog,
  crash_agent,
  crash_launcher,
  crash_framework,
  crash_commit,  ///< a crash in the middle of a step: before its commit, after it, or among its actions
  stop,          ///< an orderly stop of any daemon, which is started again
  pause,         ///< SIGSTOP of any process, for a while
  reboot,        ///< a host goes down with all that runs on it
  disk_full,     ///< a store takes nothing more, for a while
  disk_slow,     ///< commits take long
  disk_dead,     ///< a commit fails for good: the process ends, and is started again
  takeover,      ///< a second process goes on under a framework's id, and the first one wakes up
  drain,         ///< an operator drains an agent, and perhaps takes that back
  gone,          ///< an operator declares an agent gone
  task_fails,    ///< tasks exit with a code, by a signal, or cannot be started
  task_deaf,     ///< tasks do not end at SIGTERM
};
// clang-format off
inline constexpr std::array<std::string_view, 25> kFaults{
    "loss", "doubling", "delay", "clog", "cut", "one-way",
    "half-open", "reconnect", "crash-allocator", "crash-catalog", "crash-agent", "crash-launcher",
    "crash-framework", "crash-commit", "stop", "pause", "reboot", "disk-full",
    "disk-slow", "disk-dead", "takeover", "drain", "gone", "task-fails",
    "task-deaf"};
// clang-format on
using FaultSet = std::bitset<kFaults.size()>;

/// Returns the kinds that a list names, as "loss,pause"; "all", "none", and groups: "messages" (loss,
/// doubling, delay), "network", "crashes", "disks", "operators", "tasks". `invalid` names the word that is
/// none.
Result<FaultSet> faults_named(std::string_view list);
/// The inverse: a list of names, or "all", or "none".
std::string name_of(const FaultSet& faults);

/// Bounds of what a seed may draw.
struct StormOptions {
  FaultSet faults = FaultSet{}.set();
  std::uint32_t agents = 12;     ///< the number at most; from 1
  std::uint32_t frameworks = 5;  ///< the number at most; from 1
  std::optional<Duration> rage;  ///< the length of the raging phase at most
  bool timeline = false;         ///< write one
};

struct StormResult {
  std::string digest;  ///< 16 hexadecimal digits
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
  Duration simulated{};
  /// Numbers by name: "fault loss", "crash agent at work", ...
  std::map<std::string, std::uint64_t> figures;
  std::vector<std::string> violations;  ///< sentences; a run ends with the first
  std::vector<std::string> timeline;
};

StormResult run_storm(std::uint64_t seed, const StormOptions& options);

/// Returns the smallest bounds that could be found for which `fails` is true, beginning with some for which
/// it is: as few kinds of faults, agents and frameworks, and as short a time, as it takes.
StormOptions smallest_that_fails(StormOptions failing, const std::function<bool(const StormOptions&)>& fails);
/// Returns bounds within which the seed still fails in the same invariant, with as few agents, frameworks and
/// kinds of faults, and for as short a time, as could be found. `tried` is told of each attempt.
StormOptions smallest_storm(std::uint64_t seed, StormOptions failing,
                            const std::function<void(const StormOptions&)>& tried);

}  // namespace proffer::sim

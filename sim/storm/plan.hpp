// The plan that a seed draws: the machines, the frameworks, which faults there are and how hard they are.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/sim/storm.hpp"
#include "proffer/time.hpp"

namespace proffer::sim::storm {

/// The behaviour of a framework.
enum class Character : std::uint8_t {
  greedy,        ///< takes every offer
  hoarder,       ///< answers no offer
  decliner,      ///< declines most, for a while
  crash_looper,  ///< greedy, and dies often
  slow,          ///< greedy, and takes long for every event
  liar,          ///< greedy, and sends what is not true
  batch,         ///< the scheduler of `proffer run`
};
inline constexpr std::array<std::string_view, 7> kCharacters{"greedy", "hoarder", "decliner", "crash-looper",
                                                             "slow",   "liar",    "batch"};

/// The lot of a machine in the calm phase.
enum class Fate : std::uint8_t {
  healthy,
  dead,     ///< processes of the machine do not come back
  cut_off,  ///< the machine hears nobody, and nobody hears it
};

struct AgentPlan {
  std::int64_t maps = 1;
  std::int64_t reduces = 0;
  Fate fate = Fate::healthy;
};

struct FrameworkPlan {
  Character character = Character::greedy;
  Duration failover{};
  Fate fate = Fate::healthy;
};

/// The rates of faults on messages, in thousandths, and the bound of what may wait for a peer.
struct NetworkPlan {
  std::uint64_t loss = 0;
  std::uint64_t doubling = 0;
  std::uint64_t delay = 0;  ///< messages that are late
  Duration latest{};        ///< the delay at most
  std::size_t queue = 1024;
};

struct Plan {
  std::uint64_t seed = 0;
  FaultSet on;
  std::vector<AgentPlan> agents;
  std::vector<FrameworkPlan> frameworks;
  Duration rage{};
  NetworkPlan network;
  std::array<Duration, kFaults.size()> every{};  ///< the mean time between two faults of a kind
  bool allocator_restarts_at_calm = false;
  /// Frameworks sleep now and then, much is lost of what is rarely missed, and the allocator dies when
  /// another process has just taken a framework over.
  bool rough = false;

  bool has(Fault fault) const { return on.test(static_cast<std::size_t>(fault)); }
  Duration mean(Fault fault) const { return every[static_cast<std::size_t>(fault)]; }
  /// A generator of its own for each part of the world, so that one part's draws do not move another's.
  Random random(std::uint64_t part, std::uint64_t number = 0) const;
};

Plan draw(std::uint64_t seed, const StormOptions& options);

/// Returns a time from 0 to twice the mean, evenly.
Duration around(Random& random, Duration mean);
/// Returns a time that is mostly short, rarely long, up to `most`.
Duration mostly_short(Random& random, Duration most);

}  // namespace proffer::sim::storm

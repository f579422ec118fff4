// Strong identifiers. Two ids of different things never compare or convert; all are ordered, so that ties are
// broken by id and never by hash or address.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proffer {

/// A value of type Rep that stands for a Tag. Default: the empty (zero) id.
template <class Tag, class Rep>
struct Id {
  using rep = Rep;
  Rep value{};
  auto operator<=>(const Id&) const = default;
};

/// A 128-bit number, minted from the seeded generator of whoever mints it; all zero means "none yet".
struct Bits128 {
  std::uint64_t hi = 0;
  std::uint64_t lo = 0;
  auto operator<=>(const Bits128&) const = default;
  bool is_nil() const { return hi == 0 && lo == 0; }
};

/// 32 lower-case hexadecimal digits.
std::string to_hex(Bits128 bits);
/// The inverse of to_hex; nothing unless `text` is exactly 32 hexadecimal digits.
std::optional<Bits128> bits_from_hex(std::string_view text);

using ClusterId = Id<struct ClusterTag, Bits128>;
using AgentId = Id<struct AgentTag, Bits128>;
using FrameworkId = Id<struct FrameworkTag, Bits128>;

/// Shows that a hello under an id comes from whom the id belongs to; nil: none yet. Ids are shown to whoever
/// asks, secrets never: not in states for people, traces, logs or arguments of processes.
using Secret = Id<struct SecretTag, Bits128>;
/// Compares in a time that does not tell how much of a guess was right. A nil secret opens nothing.
inline bool same_secret(Secret known, Secret shown) {
  return !known.value.is_nil() &&
         ((known.value.hi ^ shown.value.hi) | (known.value.lo ^ shown.value.lo)) == 0;
}

/// A number that rises by 1 with each start of the process that owns it; a message of a lower epoch is
/// dropped.
using Epoch = Id<struct EpochTag, std::uint64_t>;
/// The number that binds a peer to an agent or framework for one connection; random, never zero once minted.
using SessionId = Id<struct SessionTag, std::uint64_t>;
/// The name of a connection to a world; the world mints it, machines only compare it.
using PeerId = Id<struct PeerTag, std::uint64_t>;
/// A job within its framework, from 1.
using JobId = Id<struct JobTag, std::uint32_t>;
/// A block in the catalog, from 1, never reused.
using BlockId = Id<struct BlockTag, std::uint64_t>;
/// A framework's name for a task: 1-128 bytes of [A-Za-z0-9._-], not "." or ".."; see valid_task_id.
using TaskId = Id<struct TaskTag, std::string>;

bool valid_task_id(std::string_view text);
/// Names of agents, racks, frameworks and one component of a pool's name follow the same rule as task ids.
inline bool valid_name(std::string_view text) { return valid_task_id(text); }

/// An id that is unique over restarts of the allocator: a counter within an epoch. An id of another epoch is
/// void.
template <class Tag>
struct EpochCounter {
  std::uint64_t epoch = 0;
  std::uint64_t n = 0;
  auto operator<=>(const EpochCounter&) const = default;
};
using OfferId = EpochCounter<struct OfferTag>;
using LaunchId = EpochCounter<struct LaunchTag>;

}  // namespace proffer

// Bounds of the connections of one process in the live world; limits.hpp has the other bounds.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace proffer::limits {

// The queue of a peer of a port that binds: kPeerQueueMessages and kPeerQueueBytes are for messages that must
// reach it. Others get the part of that room that stands here, in eighths.
inline constexpr std::size_t kUpdateEighths = 7;  ///< messages that are said again until they are answered
inline constexpr std::size_t kLooseEighths = 4;  ///< messages that may be lost; half a queue is a lag as well
inline constexpr std::size_t kCaughtUpEighths = 2;  ///< a peer that lagged does so until no more waits for it
/// A peer for which a message has waited for so long lags, however few there are.
inline constexpr std::chrono::seconds kOldMessage{2};
/// Bytes of messages that wait for all peers of the process together.
inline constexpr std::size_t kAllQueuesBytes = 512 << 20;
/// Bytes for one peer that ZeroMQ holds below our own queue: its marks count messages, of any size.
inline constexpr std::size_t kFlightBytes = 1 << 20;
/// The same for peers that are sent much at once: readers of a data port, which say themselves how much they
/// want, and agents, of which each LAUNCH may bring files along.
inline constexpr std::size_t kBulkFlightBytes = 8 << 20;

/// The messages that one client may send: on average a second, and more than that at once.
struct Rate {
  std::uint32_t per_second = 0;  ///< 0: any number
  std::uint32_t burst = 0;
};
// An agent ends 1,600 tasks of no length in a second at most, which are 6,400 messages of its own, and 4,800
// of their framework: these bounds are three such agents, and ten of them under one framework.
inline constexpr Rate kFrameworkRate{50'000, 200'000};
inline constexpr Rate kAgentRate{20'000, 80'000};
/// A client that sends so many times as much as it may, for so long, is not listened to for a while.
inline constexpr std::uint32_t kFloodFactor = 4;
inline constexpr std::chrono::seconds kFloodPatience{10};
inline constexpr std::chrono::seconds kMuted{60};

/// Descriptors that are kept for other things than sockets: files, pipes, connections that come in.
inline constexpr std::uint64_t kOtherDescriptors = 256;

}  // namespace proffer::limits

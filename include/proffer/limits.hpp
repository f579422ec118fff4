// Every bound of the system, in one place. A thing past its bound is refused with a named error, never
// truncated.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace proffer::limits {

// Sizes of messages.
inline constexpr std::uint8_t kProtocolVersion = 1;
inline constexpr std::size_t kFrameBytes = 1 << 20;  ///< one message; also ZeroMQ's MAXMSGSIZE
/// The room that a message needs on the way: the allocator passes ACCEPT, STATUS and MORE_INPUTS on with so
/// many further bytes.
inline constexpr std::size_t kHeadRoomBytes = 1024;
inline constexpr std::size_t kNesting = 12;          ///< arrays within arrays
inline constexpr std::size_t kNameBytes = 128;       ///< names and task ids
inline constexpr std::size_t kPathBytes = 4096;      ///< a path in the store, an endpoint
inline constexpr std::size_t kTextBytes = 64 << 10;  ///< a command, an error sentence, a task's message
inline constexpr std::size_t kResultBytes =
    kFrameBytes - kHeadRoomBytes - 2 * kTextBytes;  ///< fits into a STATUS
inline constexpr std::size_t kOffersPerMessage = 1024;
inline constexpr std::size_t kTasksPerAccept = 1024;
inline constexpr std::size_t kKindsPerAgent = 16;  ///< kinds of the slots of one agent
inline constexpr std::size_t kArgs = 1024;
inline constexpr std::size_t kRecordBytes = 64 << 20;  ///< a record that a machine keeps over its restarts
/// The value of a note in such a record; the rest is for its key.
inline constexpr std::size_t kNoteBytes = kRecordBytes - kTextBytes;
inline constexpr std::size_t kItems = 65536;           ///< any other list
inline constexpr std::size_t kChunkBytes = 256 << 10;  ///< one piece of what is fetched
inline constexpr std::size_t kPoolDepth = 8;
/// Largest quantity of one kind in one bag: sums stay far from overflow.
inline constexpr std::int64_t kQuantity = 1ll << 40;
inline constexpr std::int64_t kDurationUs = 1ll << 53;  ///< microseconds: now + any duration stays a time

// State of the allocator, the agents and the catalog.
inline constexpr std::size_t kAgents = 131072;
inline constexpr std::size_t kFrameworks = 16384;
inline constexpr std::size_t kOffersPerFramework = 4096;  ///< outstanding offers
inline constexpr std::size_t kTasksPerAgent = 1024;
inline constexpr std::size_t kKinds = 64;           ///< kinds in a cluster, and so in any bag
inline constexpr std::size_t kEndedTasks = 10'000;  ///< remembered ids of a framework's ended tasks
/// Tasks about which a framework may ask with RECONCILE in a second; one question is always answered.
inline constexpr std::size_t kReconciledTasksPerSecond = 16 * 1024;
inline constexpr std::size_t kAcceptsRemembered = 1024;  ///< accepts of a framework, with their answers
inline constexpr std::size_t kJobChanges = 1024;         ///< requests to frameworks that are not yet answered
inline constexpr std::int64_t kSlotsPerAgent = 1024;
/// A bulk resource of one agent; of all agents together it stays where shares are exact.
inline constexpr std::int64_t kBulkPerAgent = 1ll << 26;
inline constexpr std::size_t kFiles = 1 << 20;  ///< files in the store
inline constexpr std::size_t kBlocksPerFile = 65536;
inline constexpr std::size_t kReplicasPerAgent = 1 << 20;
inline constexpr std::uint64_t kBlockBytes = 1ull << 32;
inline constexpr std::uint32_t kReplication = 512;
/// Endpoint of a data port: many of them travel in one message.
inline constexpr std::size_t kEndpointBytes = 256;
inline constexpr std::size_t kPools = 1024;  ///< pools that were set; one change writes all of them
/// Set aside by an allocator or a catalog for the day its disk is full.
inline constexpr std::uint64_t kBallastBytes = 8 << 20;
/// The same of an agent or a framework, of which one disk may have many.
inline constexpr std::uint64_t kSmallBallastBytes = 2 << 20;

// Queues of one peer.
inline constexpr std::size_t kPeerQueueMessages = 1024;
inline constexpr std::size_t kPeerQueueBytes = 4 << 20;

// Things that one connection may make a server keep.
/// Bytes read from the connection and not yet handled.
inline constexpr std::size_t kPeerHeldBytes = 32 << 20;
/// Frameworks that the connection brought and that are still known.
inline constexpr std::size_t kFrameworksPerPeer = 64;
/// Agents that the connection brought and that are still known.
inline constexpr std::size_t kAgentsPerPeer = 64;
inline constexpr std::size_t kKindsPerPeer = kKindsPerAgent;  ///< kinds of slots that no agent had before
inline constexpr std::size_t kUnfinishedFilesPerPeer = 1024;

// Absence.
/// Failover timeout of a framework at most.
inline constexpr std::int64_t kFailoverUs = 7ll * 24 * 3600 * 1'000'000;

// Runs.
inline constexpr std::uint64_t kOutputBytesPerStream = 64 << 20;  ///< stdout and stderr of a task, each
inline constexpr std::size_t kShippedFileBytes = 256 << 10;       ///< all -file arguments of a job together
inline constexpr std::size_t kDetachedJobs = 256;                 ///< detached jobs that have not ended
/// The bytes of the words, the environment and the files of a detached job together, so that SUBMIT_JOB is
/// passed on and its ACCEPT is sent whatever else stands in them.
inline constexpr std::size_t kDetachedBytes = kFrameBytes - 2 * kTextBytes;
inline constexpr std::size_t kTasksDescribed = 10'000;  ///< tasks in the answer to one DESCRIBE
inline constexpr std::size_t kDetachedJobsKept = 50;    ///< those that have, with their output
inline constexpr std::size_t kCachedFiles = 8;          ///< -cacheFile arguments of a job

// Sockets of one process: a port takes three. Each is a descriptor, and each connection is one more.
inline constexpr int kSockets = 16384;          ///< ZeroMQ's own limit is 1023
inline constexpr std::size_t kDataPorts = 640;  ///< connections to data ports: more than a block has replicas
/// A connection to a data port unused for this long is closed.
inline constexpr std::chrono::seconds kIdlePort{30};
/// Descriptors of a program that is no daemon, where the system allows so many.
inline constexpr std::uint64_t kDescriptors = 65536;

}  // namespace proffer::limits

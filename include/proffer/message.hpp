// All messages, and the envelope every one travels in.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "proffer/ids.hpp"
#include "proffer/messages/admin.hpp"
#include "proffer/messages/agent.hpp"
#include "proffer/messages/catalog.hpp"
#include "proffer/messages/data.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/one_of.hpp"

namespace proffer {

/// The order here is not the wire's: type numbers are in the codec and in docs/PROTOCOL.md.
struct MessageSet {
  using variant = std::variant<
      // messages between a framework and the allocator
      Teardown, Subscribe, Subscribed, Offers, Accept, Accepted, Decline, Rescind, Revive, Suppress, Update,
      Acknowledge, Kill, TaskMessage, MoreInputs, Release, Heartbeat, ErrorMessage, Preempt,
      // messages between an agent and the allocator (also Acknowledge, Kill, TaskMessage, MoreInputs,
      // Release, Heartbeat, ErrorMessage)
      Register, Registered, Launch, LaunchAck, Status,
      // messages of the catalog
      CreateFile, AddBlock, BlockAllocated, SealBlock, CompleteFile, ListFiles, FilesListed, RenameFiles,
      RemoveFiles, CatalogDone, BlockReport, CatalogWelcome, BlocksChanged, SendBlockReport, DeleteBlocks,
      // messages at a data port
      Fetch, Chunk, Store, Stored, DataFailed,
      // messages for people who look
      Describe, ClusterState,
      // replication of hot blocks
      BlocksUsed, ReplicasChanged, CopyBlock, CopyFailed,
      // messages of operators
      ChangePool, ReloadPools, MoveFramework, AdminDone, KillJob, MoveJob,
      // a message between an agent and the allocator; appended, since a place here is a number
      AgentHealth,
      // sessions of the catalog's clients
      CatalogHello, CatalogSession,
      // questions of frameworks; farewells; wishes of operators about agents
      Reconcile, Reconciled, Bye, ChangeAgent,
      // detached jobs
      SubmitJob, DescribeJobs, DetachedJobs,
      // reports of agents on their slots, for research
      SlotReport>;
  static constexpr bool comparable = true;
};
using Message = OneOf<MessageSet>;

/// The name of a message as in docs/PROTOCOL.md: SUBSCRIBE, OFFERS, ...
std::string_view type_name(const Message& message);

/// Returns the number of the request that a message makes or answers; none for messages that have no number.
std::optional<std::uint64_t> request_of(const Message& message);
/// Gives a request its number. Aborts for messages that have none.
void set_request(Message& message, std::uint64_t number);

/// The frame around every message; on the wire [v, type, cluster, epoch, session, seq, body].
struct Envelope {
  ClusterId cluster;      ///< nil in a first message
  Epoch epoch;            ///< the newest epoch that the sender knows; 0: none yet
  SessionId session;      ///< 0 before there is one
  std::uint64_t seq = 0;  ///< +1 per message, session and direction, from 1; 0 outside sessions
  Message message;
  bool operator==(const Envelope&) const = default;
};

}  // namespace proffer

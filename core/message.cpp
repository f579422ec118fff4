#include "proffer/message.hpp"

#include <array>
#include <type_traits>

#include "core/one_of.hpp"
#include "proffer/check.hpp"
#include "proffer/dispatch.hpp"
#include "proffer/fnv.hpp"

namespace proffer {

PROFFER_ONE_OF(MessageSet);

static_assert(std::is_nothrow_move_constructible_v<Message>,
              "vectors of actions would copy messages as they grow");

namespace {

template <class T>
bool same_pointee(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a && b && *a == *b);
}

/// The messages that make a request, or answer one, and have its number.
using Numbered = Types<CreateFile, AddBlock, BlockAllocated, SealBlock, CompleteFile, ListFiles, FilesListed,
                       RenameFiles, RemoveFiles, CatalogDone, Fetch, Chunk, Store, Stored, DataFailed,
                       Describe, ClusterState, ChangePool, ReloadPools, MoveFramework, AdminDone, KillJob,
                       MoveJob, Reconcile, Reconciled, ChangeAgent, SubmitJob, DescribeJobs, DetachedJobs>;

/// Returns the place of the number in a message that a `Message` or `const Message` holds; null when it has
/// none. A message that has a number and is not listed does not compile, nor does one that is listed and has
/// none.
template <class Held>
auto* number_in(Held& message) {
  return std::visit(
      [](auto& body) {
        using Body = std::remove_reference_t<decltype(body)>;
        using Number = std::conditional_t<std::is_const_v<Body>, const std::uint64_t, std::uint64_t>;
        if constexpr (is_listed<std::remove_const_t<Body>>(Numbered{})) {
          return static_cast<Number*>(&body.request);
        } else {
          static_assert(
              !requires { body.request; }, "a numbered message that is not listed");
          return static_cast<Number*>(nullptr);
        }
      },
      message);
}

}  // namespace

bool TaskSpec::operator==(const TaskSpec& other) const {
  return id == other.id && resources == other.resources && job == other.job && same_pointee(work, other.work);
}

bool TaskStatus::operator==(const TaskStatus& other) const {
  return framework == other.framework && task == other.task && seq == other.seq && state == other.state &&
         reason == other.reason && exit == other.exit && message == other.message && agent == other.agent &&
         run_time == other.run_time && same_pointee(result, other.result);
}

std::uint64_t hash_of_task(FrameworkId framework, const TaskId& task) {
  // Mixed at the end, so that names that differ in their last letter alone differ in many bits.
  auto hash = fnv1a(fnv1a(kFnvBasis, framework.value.hi), framework.value.lo);
  hash = fnv1a(hash, task.value);
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93ull;
  return hash ^ (hash >> 32);
}

/// In the order of the variant.
constexpr std::array<std::string_view, std::variant_size_v<Message::variant>> kTypeNames{"TEARDOWN",
                                                                                         "SUBSCRIBE",
                                                                                         "SUBSCRIBED",
                                                                                         "OFFERS",
                                                                                         "ACCEPT",
                                                                                         "ACCEPTED",
                                                                                         "DECLINE",
                                                                                         "RESCIND",
                                                                                         "REVIVE",
                                                                                         "SUPPRESS",
                                                                                         "UPDATE",
                                                                                         "ACKNOWLEDGE",
                                                                                         "KILL",
                                                                                         "MESSAGE",
                                                                                         "MORE_INPUTS",
                                                                                         "RELEASE",
                                                                                         "HEARTBEAT",
                                                                                         "ERROR",
                                                                                         "PREEMPT",
                                                                                         "REGISTER",
                                                                                         "REGISTERED",
                                                                                         "LAUNCH",
                                                                                         "LAUNCH_ACK",
                                                                                         "STATUS",
                                                                                         "CREATE_FILE",
                                                                                         "ADD_BLOCK",
                                                                                         "BLOCK_ALLOCATED",
                                                                                         "SEAL_BLOCK",
                                                                                         "COMPLETE_FILE",
                                                                                         "LIST_FILES",
                                                                                         "FILES_LISTED",
                                                                                         "RENAME_FILES",
                                                                                         "REMOVE_FILES",
                                                                                         "CATALOG_DONE",
                                                                                         "BLOCK_REPORT",
                                                                                         "CATALOG_WELCOME",
                                                                                         "BLOCKS_CHANGED",
                                                                                         "SEND_BLOCK_REPORT",
                                                                                         "DELETE_BLOCKS",
                                                                                         "FETCH",
                                                                                         "CHUNK",
                                                                                         "STORE",
                                                                                         "STORED",
                                                                                         "DATA_FAILED",
                                                                                         "DESCRIBE",
                                                                                         "CLUSTER_STATE",
                                                                                         "BLOCKS_USED",
                                                                                         "REPLICAS_CHANGED",
                                                                                         "COPY_BLOCK",
                                                                                         "COPY_FAILED",
                                                                                         "CHANGE_POOL",
                                                                                         "RELOAD_POOLS",
                                                                                         "MOVE_FRAMEWORK",
                                                                                         "ADMIN_DONE",
                                                                                         "KILL_JOB",
                                                                                         "MOVE_JOB",
                                                                                         "AGENT_HEALTH",
                                                                                         "CATALOG_HELLO",
                                                                                         "CATALOG_SESSION",
                                                                                         "RECONCILE",
                                                                                         "RECONCILED",
                                                                                         "BYE",
                                                                                         "CHANGE_AGENT",
                                                                                         "SUBMIT_JOB",
                                                                                         "DESCRIBE_JOBS",
                                                                                         "DETACHED_JOBS",
                                                                                         "SLOT_REPORT"};

std::string_view type_name(const Message& message) { return kTypeNames[message.index()]; }

std::optional<std::uint64_t> request_of(const Message& message) {
  const auto* number = number_in(message);
  return number ? std::optional(*number) : std::nullopt;
}

void set_request(Message& message, std::uint64_t number) {
  auto* place = number_in(message);
  PROFFER_CHECK(place != nullptr, "a message that has no request number");
  *place = number;
}

}  // namespace proffer

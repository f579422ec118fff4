// What agent and launcher say to each other over their socket: length-prefixed packets, both ends of one
// build on one machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/task_state.hpp"

namespace proffer::live {

enum class PacketType : std::uint8_t {
  // agent -> launcher
  spawn,
  signal,   ///< `number` to the run's process group
  deliver,  ///< `bytes` to the run, as a frame of kind `number`
  // launcher -> agent
  started,  ///< `number` is its process id, and that of its group
  exited,   ///< with `exit`, and the result in `bytes`; or `text` says why it never started
  said,     ///< `bytes` from the run
  asked,    ///< the run asks for leave to compute
};

struct Packet {
  PacketType type = PacketType::spawn;
  LaunchId launch;
  std::int32_t number = 0;
  ExitStatus exit;
  std::uint64_t cap = 0;  ///< of spawn: bytes kept of each stream
  bool has_result = false;
  std::string bytes;
  std::string text;               ///< of spawn: the sandbox
  std::vector<std::string> argv;  ///< of spawn
  std::vector<std::string> env;   ///< of spawn: NAME=VALUE
  bool of_agent = false;  ///< of spawn: the program is the agent's own; of exited: the fault is the agent's
  std::string lost;       ///< of exited: what the run wrote that could not be kept, and why; empty: nothing
  std::string remark;     ///< of exited: what people should know of it, whatever its end was
  std::vector<std::string> kept_as;  ///< of spawn: second names of stdout and stderr; none: they get none
  bool operator==(const Packet&) const = default;
};

/// The packet with its length before it.
std::string to_wire(const Packet& packet);

/// Puts packets together from whatever a stream brings.
class PacketReader {
 public:
  void feed(std::string_view bytes) { buffer_.append(bytes); }
  /// The next whole packet, or none yet. Aborts on bytes that this build did not write.
  std::optional<Packet> next();

 private:
  std::string buffer_;
  std::size_t read_ = 0;
};

/// The descriptors that a task finds open beside the usual three: PROFFER_RESULT_FD and PROFFER_DELIVER_FD.
inline constexpr int kResultFd = 3;
inline constexpr int kDeliverFd = 4;

/// What a task writes to PROFFER_RESULT_FD, and reads from PROFFER_DELIVER_FD: u32 length (little-endian, of
/// what follows the kind), u8 kind, bytes.
enum class TaskFrameKind : std::uint8_t {
  said = 0,    ///< either way: a TaskMessage's payload
  result = 1,  ///< of the task
  ask = 2,     ///< of a reduce that has copied all its input: may it compute? Empty
  inputs = 3,  ///< to a reduce: MoreInputs
  leave = 4,   ///< to a reduce: it may compute. Empty
  lost = 5,    ///< of a worker: the agent's disk did not keep what it wrote, and why
};
inline constexpr std::size_t kTaskFrameHeader = 5;
struct TaskFrame {
  TaskFrameKind kind = TaskFrameKind::said;
  std::string bytes;
  bool operator==(const TaskFrame&) const = default;
};
std::string task_frame(TaskFrameKind kind, std::string_view bytes);

}  // namespace proffer::live

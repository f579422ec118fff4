// Packets between agent and launcher: length-prefixed, over a socket; both ends are of one build on one
// machine.
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
  started,       ///< `number` is its process id, and that of its group
  exited,        ///< `exit`, and the result in `bytes`; or `text` says why the run never started
  message,       ///< `bytes` from the run
  permit_asked,  ///< the run asks whether it may compute
};

struct Packet {
  PacketType type = PacketType::spawn;
  LaunchId launch;
  std::int32_t number = 0;
  ExitStatus exit;
  std::uint64_t cap = 0;  ///< spawn: bytes kept of each stream
  bool has_result = false;
  std::string bytes;
  std::string text;               ///< spawn: the sandbox
  std::vector<std::string> argv;  ///< spawn
  std::vector<std::string> env;   ///< spawn: NAME=VALUE
  bool of_agent = false;          ///< spawn: the program is the agent's own; exited: the fault is the agent's
  std::string lost;               ///< exited: output that could not be kept, and why; empty: none
  std::string remark;             ///< exited: a remark for people, whatever the end was
  std::vector<std::string> kept_as;  ///< spawn: second names of stdout and stderr; none: they get none
  bool operator==(const Packet&) const = default;
};

/// Returns the packet with its length before it.
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

/// The frames that a task writes to PROFFER_RESULT_FD, and reads from PROFFER_DELIVER_FD: u32 length
/// (little-endian, of what follows the kind), u8 kind, bytes.
enum class TaskFrameKind : std::uint8_t {
  message = 0,     ///< either way: a TaskMessage's payload
  result = 1,      ///< the task's result
  ask_permit = 2,  ///< a reduce has copied all its input: may it compute? Empty
  inputs = 3,      ///< MoreInputs for a reduce
  permit = 4,      ///< a reduce may compute. Empty
  lost = 5,        ///< the agent's disk did not keep what a worker wrote, and why
};
inline constexpr std::size_t kTaskFrameHeader = 5;
struct TaskFrame {
  TaskFrameKind kind = TaskFrameKind::message;
  std::string bytes;
  bool operator==(const TaskFrame&) const = default;
};
std::string task_frame(TaskFrameKind kind, std::string_view bytes);

}  // namespace proffer::live

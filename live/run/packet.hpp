// Packets between agent, launcher and shims: length-prefixed, over sockets and in the records of runs. Shims
// outlive agents and launchers, and so may be of an older build: fields are only ever added, at the end of
// fields() in packet.cpp. Those that one end does not know are passed over; those that are missing are as here.
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
  // agent -> launcher (-> shim)
  spawn,
  signal,   ///< `number` to the run's process group
  deliver,  ///< `bytes` to the run, as a frame of kind `number`
  // shim -> launcher -> agent
  started,       ///< `number` is its process id, and that of its group
  exited,        ///< `exit`, and the result in `bytes`; or `text` or `ran` says what went wrong
  message,       ///< `bytes` from the run
  permit_asked,  ///< the run asks whether it may compute
  // either way
  heard,  ///< all that the other end has numbered up to `seq` has come
  beat,   ///< whoever gets it is alive
  // agent -> launcher
  hello,    ///< `bytes` is the token, `seq` counts the agent's starts
  settle,   ///< the end of the run is known: its record may go
  end_all,  ///< all runs end, and so does the launcher
  // launcher -> agent
  welcome,  ///< `argv` names the runs of which more will be said: each is `listed` or has `exited`
  refused,  ///< `text` says why this agent is not served
  // launcher -> shim, and the answer, which goes to the agent
  attach,  ///< an agent is there, which may know nothing: say all that it has not heard
  listed,  ///< a run that lives: `number`, `asked`; `seq` is what it has heard
};

struct Packet {
  PacketType type = PacketType::spawn;
  LaunchId launch;
  std::int32_t number = 0;
  ExitStatus exit;
  std::uint64_t cap = 0;  ///< spawn: bytes kept of each stream
  bool has_result = false;
  std::string bytes;
  std::string text;               ///< spawn: the sandbox; exited: why the run never started
  std::vector<std::string> argv;  ///< spawn
  std::vector<std::string> env;   ///< spawn: NAME=VALUE
  bool of_agent = false;          ///< spawn: the program is the agent's own; exited: the fault is the agent's
  std::string lost;               ///< exited: output that could not be kept, and why; empty: none
  std::string remark;             ///< exited: a remark for people, whatever the end was
  std::vector<std::string> kept_as;  ///< spawn: second names of stdout and stderr; none: they get none
  std::uint64_t seq = 0;  ///< signal, deliver, message, permit_asked: its number in that direction of the run
  std::string ran;     ///< exited: what became of the shim, so that the true end is not known; empty: nothing
  bool asked = false;  ///< listed: the run has asked whether it may compute
  std::vector<std::string> cached;  ///< spawn: files in the sandbox whose bytes are the agent's
  std::string boot;                 ///< in a record: the boot of the host in which the run was started
  std::uint64_t start_time = 0;     ///< in a record: of the process, as /proc/PID/stat has it
  bool operator==(const Packet&) const = default;
};

inline Packet packet_of(PacketType type, LaunchId launch = {}) {
  Packet packet;
  packet.type = type;
  packet.launch = launch;
  return packet;
}

/// Returns the packet with its length before it.
std::string to_wire(const Packet& packet);
/// Returns the packet that these bytes are, and none when they are not exactly one.
std::optional<Packet> from_wire(std::string_view wire);

/// Puts packets together from whatever a stream brings.
class PacketReader {
 public:
  void feed(std::string_view bytes) { buffer_.append(bytes); }
  /// Returns the next whole packet, or none yet.
  std::optional<Packet> next();
  /// True once something came that is no packet; nothing after it counts.
  bool broken() const { return broken_; }

 private:
  bool broken_ = false;
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

// The agent's end of its launcher: connects to one that lives or starts one, and replaces it when it dies or
// hangs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/os/descriptor.hpp"
#include "live/run/packet_channel.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

struct LauncherPlan {
  std::string dir;        ///< the agent's folder
  std::string program;    ///< proffer-launcher
  std::uint64_t run = 0;  ///< counts the agent's starts: a later one has the runs
  std::chrono::milliseconds idle{};
};

class LauncherClient {
 public:
  explicit LauncherClient(LauncherPlan plan) : plan_(std::move(plan)) {}
  LauncherClient(const LauncherClient&) = delete;
  LauncherClient& operator=(const LauncherClient&) = delete;
  ~LauncherClient();  ///< leaves the launcher and its runs alone

  Result<> open();
  /// Readable when receive() has something to do, which is at least once a second.
  int fd() const { return poll_.get(); }
  /// Sees to it that there is a launcher soon: it may yet have to answer, or to be started. The error says
  /// why there is none.
  Result<> ensure();
  /// Returns why there is no launcher; none when there is one, or may be soon.
  std::optional<Error> missing() const { return channel_.open() ? std::nullopt : missing_; }
  /// True once the launcher has said which runs there are. What is sent before is lost.
  bool welcomed() const { return welcomed_; }
  void send(const Packet& packet);
  /// Returns what has come. A `welcome` among it means that a launcher is there that knows nothing of what
  /// was sent to the former one.
  std::vector<Packet> receive();

  /// Has the launcher end all runs, and itself; waits for that.
  Result<> end_all();

 private:
  Result<> connect();
  Result<> start();
  void greet(Descriptor socket, pid_t pid);
  void lose();
  void note_unanswered();
  void refuse(Error why);
  void tick();
  void kill_it();
  void update_interest();
  void take(std::vector<Packet>& packets);
  bool wait_readable(std::chrono::steady_clock::time_point until) const;
  Result<std::string> token() const;

  LauncherPlan plan_;
  Descriptor poll_;
  Descriptor timer_;
  PacketChannel channel_;
  Descriptor process_;           // of the launcher
  std::vector<pid_t> children_;  // launchers that were started here and are not reaped
  bool welcomed_ = false;
  bool wants_room_ = false;
  std::uint32_t silent_ = 0;      // beats since it was heard
  int unanswered_ = 0;            // launchers in a row that ended before they said anything
  std::optional<Error> missing_;  // why the newest could not be had
  bool refused_ = false;          // none is to be had any more
  bool may_retry_ = true;         // once between two beats: one that dies at once is not started without end
};

}  // namespace proffer::live

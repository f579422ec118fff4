// The mailbox between the agent's control thread and its data thread: the only thing that both touch.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "live/os/event_fd.hpp"
#include "proffer/machine.hpp"

namespace proffer::live {

struct StopServing {};
/// Puts a copy in place whose bytes are all there, beside the blocks.
struct PutInPlace {
  BlockId block;
  std::uint64_t length = 0;
};
using DataCommand = std::variant<DropBlock, DropOutputs, StopServing, PutInPlace>;

class DataMailbox {
 public:
  DataMailbox();

  // ---- the control thread, and those that fetch blocks ----
  void command(DataCommand command);
  /// Sets the token, which holds for everything that arrives after this call, unlike a command.
  void set_token(std::string token);
  std::vector<Event> take_events();
  int event_fd() const { return reported_.fd(); }

  // ---- the data thread, and those that fetch blocks ----
  void report(Event event);
  std::vector<DataCommand> take_commands();
  /// Returns none until the first set_token.
  std::optional<std::string> token();
  int command_fd() const { return commanded_.fd(); }

 private:
  std::mutex mutex_;
  std::optional<std::string> token_;
  std::vector<DataCommand> commands_;
  std::vector<Event> events_;
  EventFd commanded_;
  EventFd reported_;
};

}  // namespace proffer::live

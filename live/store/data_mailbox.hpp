// What the agent's control thread and its data thread tell each other; the only thing that both touch.
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
/// All of a copy is there, beside the blocks.
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
  /// Holds for everything that arrives after this call, unlike a command.
  void set_token(std::string token);
  std::vector<Event> take_events();
  int event_fd() const { return told_.fd(); }

  // ---- the data thread, and those that fetch blocks ----
  void tell(Event event);
  std::vector<DataCommand> take_commands();
  /// None until the first set_token.
  std::optional<std::string> token();
  int command_fd() const { return commanded_.fd(); }

 private:
  std::mutex mutex_;
  std::optional<std::string> token_;
  std::vector<DataCommand> commands_;
  std::vector<Event> events_;
  EventFd commanded_;
  EventFd told_;
};

}  // namespace proffer::live

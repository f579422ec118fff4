// The run's end of an outpost (proffer/live/outpost.hpp), through the command that starts it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/cluster/seeded_store.hpp"
#include "live/os/load.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/machines.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// A machine's clock against this one's.
struct ClockReading {
  Duration ahead{};       ///< its time less ours, wrong by half the round trip at most
  Duration round_trip{};  ///< the shortest of some
};

/// Errors of all functions: `io`, with the machine's name, when it cannot be reached or has gone, or
/// something failed there. The outpost ends with this object, at the latest.
class OutpostLink {
 public:
  /// Starts the command; does not wait for its answer. `log`: the file for what it writes to standard error.
  static Result<OutpostLink> open(const ListedMachine& machine, const std::string& proffer_path,
                                  std::string log);
  OutpostLink(OutpostLink&&) noexcept = default;
  OutpostLink& operator=(OutpostLink&&) = delete;
  ~OutpostLink();

  const ListedMachine& machine() const { return machine_; }
  /// Waits for its first word; `version` when it is another version than ours.
  Result<> hello(const std::string& version);
  Result<> put_blocks(const std::string& agent, const std::vector<SeededBlock>& blocks);
  /// Starts an agent, or starts it again; does not wait until it is ready.
  Result<> start(const std::string& agent, const Config& settings);
  Result<> wait_ready(const std::string& agent);
  Result<> kill(const std::string& agent);
  Result<> signal(const std::string& agent, int number);
  /// Fails as well when an agent has ended by itself.
  Result<> look();
  Result<ClockReading> read_clock();
  Result<Load> load();
  /// Ends the agents in good order, then the outpost.
  Result<> stop();
  /// Lets the outpost end by itself; nothing else may be asked of it.
  void close() { child_->close_input(); }

 private:
  OutpostLink(ListedMachine machine, std::string log, Child child);
  struct Look {
    Time clock;
    std::string ended;
  };
  Result<Look> ask_look();
  Result<std::string> ask(const std::string& request, const std::string& body = "");
  Result<> tell(const std::string& request, const std::string& body = "");
  Error gone(const char* what) const;

  ListedMachine machine_;
  std::string log_;
  std::unique_ptr<Child> child_;
};

}  // namespace proffer::live

// The folders in which the records of runs outlive agents and launchers:
//
//   <dir>/runs/<epoch>.<n>/socket    where the shim of the run listens
//                          started   what is known of the run before its program begins
//                          exit      its end
//
// A record is there as a whole or not at all. None is synced: they outlive processes, and not the host.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "live/run/packet.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

inline constexpr const char* kShimSocket = "socket";
inline constexpr const char* kLauncherSocket = "launcher.sock";

/// Returns "<epoch>.<n>".
std::string name_of(LaunchId launch);
/// Returns the launch of that name; none when it is no such name.
std::optional<LaunchId> launch_of(const std::string& name);

class RunFolders {
 public:
  /// `dir` is the agent's own folder.
  explicit RunFolders(std::string dir) : dir_(std::move(dir)) {}

  const std::string& dir() const { return dir_; }
  std::string of(LaunchId launch) const { return dir_ + "/runs/" + name_of(launch); }
  /// Returns the line of the environment by which the processes of a run are known.
  std::string mark_of(LaunchId launch) const { return "PROFFER_LAUNCH=" + of(launch); }
  /// `io` when it cannot be made.
  Result<> make(LaunchId launch) const;
  void remove(LaunchId launch) const;
  std::vector<LaunchId> all() const;

  Result<> write_started(const Packet& record) const;
  Result<> write_exit(const Packet& record) const;
  /// Returns the record; none when there is none that can be read.
  std::optional<Packet> started(LaunchId launch) const;
  std::optional<Packet> exit(LaunchId launch) const;

 private:
  std::string dir_;
};

}  // namespace proffer::live

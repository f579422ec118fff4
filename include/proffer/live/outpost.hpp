// The process of a live run on another machine. It starts the agents that are to be there, and ends them and
// itself when its standard input ends, wherever the other end of that is: a connection of ssh that breaks, or
// a run that was killed, leaves nothing behind.
//
// An outpost first writes "outpost VERSION". A request is a line, further lines where it has a body, and the
// line "."; each is answered by one line, "ok ..." or "no WHY":
//
//   blocks NAME, and lines "ID BYTES"  replicas of blocks into the folder of an agent; before its start
//   start NAME, and its TOML           starts an agent, also one that was killed; in a folder of the outpost
//   ready NAME                         waits until the agent has registered
//   kill NAME, signal NAME NUMBER      as DaemonSet has them
//   look                               "ok MICROSECONDS [NAME]": the clock, an agent that has ended by itself
//   load                               "ok ..." and the machine's load (live/os/load)
//   stop                               ends the agents in good order
#pragma once

#include <string>

#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

struct OutpostConfig {
  std::string proffer_path;  ///< the `proffer` program
  std::string dir;           ///< an empty folder
  std::string version;       ///< what it calls itself
};

/// Serves standard input until that ends, `stop` is requested, or nothing has come for five minutes (the run
/// looks every second: its machine, or the way to it, is gone). All agents have ended when it returns. `io`
/// when one would not end.
Result<> run_outpost(const OutpostConfig& config, Stop& stop);

}  // namespace proffer::live

// The machines on which the agents of a live run are started: `--machines FILE`.
//
//   address = "10.0.0.1"      this machine's, as the others reach it
//   insecure = true           who reaches these addresses can run commands; needed unless all are loopback
//
//   [[machine]]
//   name = "m1"
//   address = "10.0.0.2"      as the others reach it
//   run = "ssh m1"            the words in front of a command that is to run there; none: as it stands
//   program = "/usr/bin/proffer"  the program there; none: where it is here
//   agents = 4                how many of the experiment's nodes; none: the rest is dealt out evenly
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::live {

/// The name of the machine of the run itself, where its results name machines.
inline constexpr const char* kRunsMachine = "run";

/// The most agents that one machine is asked to hold.
inline constexpr std::size_t kMostLiveNodes = 64;

struct ListedMachine {
  std::string name;
  std::string address;
  std::vector<std::string> run;
  std::string program;  ///< empty: where it is here
  std::optional<std::uint32_t> agents;
};

struct MachineList {
  std::string file;
  std::string address;
  std::vector<ListedMachine> all;
};

/// `not_found`, `io`; `invalid` with "FILE:LINE:COL: ", what is wrong and what to write.
Result<MachineList> read_machines(const std::string& path);

/// Returns for each node, in their order, the index of its machine: the first machine has the first nodes.
/// `invalid` when the machines take more or fewer than there are, or one takes more than kMostLiveNodes.
Result<std::vector<std::size_t>> deal_nodes(const MachineList& machines, std::size_t nodes);

}  // namespace proffer::live

// Checks who can reach a daemon, by the addresses in its settings. There are no keys yet: whoever reaches a
// port may do all that can be done through it, which is to run commands as the agents' user. So daemons
// listen beyond this machine only where somebody has said so.
#pragma once

#include <string>

#include "proffer/formats/config.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Returns whether only programs of this machine reach whatever listens at `endpoint`: 127.0.0.0/8,
/// localhost, [::1], an interface that is loopback, ipc://. Not a wildcard.
bool only_from_here(const std::string& endpoint);

/// `refused` with one sentence that says what to do, unless every address at which the daemon would listen is
/// only_from_here() or its `insecure` is set. Then `warning`, if there is anything to warn of.
struct Reach {
  Result<> allowed;
  std::string warning;
};
Reach reach_of(const AllocatorSettings& settings);
Reach reach_of(const CatalogSettings& settings);
Reach reach_of(const AgentSettings& settings);

/// `invalid` when an agent of another machine's allocator would tell others to fetch its blocks at an address
/// that leads nowhere, or to themselves: loopback or a wildcard.
Result<> check_data_address(const AgentSettings& settings);

}  // namespace proffer::live

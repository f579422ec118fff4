// Messages and actions as one line each. Ids that are random numbers are printed as the names of what they
// stand for; sessions and numbers of messages are not printed.
#pragma once

#include <map>
#include <string>

#include "proffer/machine.hpp"

namespace proffer::scenario {

class Printer {
 public:
  /// Remembers whom the ids in an answer stand for. `to` is the name of the client it goes to.
  void learn(const std::string& to, const Message& message);
  /// "OFFERS o1 a1 map:2 ...".
  std::string print(const Message& message) const;

  std::string name(AgentId agent) const;
  std::string name(FrameworkId framework) const;
  AgentId agent(const std::string& name) const;

 private:
  std::map<AgentId, std::string> agents_;
  std::map<FrameworkId, std::string> frameworks_;
};

std::string print(const Resources& resources);
/// "o3"; the epoch is left out while it is the first.
std::string print(const OfferId& offer);
std::string print(const LaunchId& launch);

}  // namespace proffer::scenario

#include "agent/kept_servers.hpp"

#include "proffer/check.hpp"

namespace proffer::agent {

const std::optional<KeptServer>& KeptServers::find(ServerRole role) const {
  return role == ServerRole::allocator ? allocator_ : catalog_;
}

void KeptServers::restore(const KeptServer& server) {
  PROFFER_CHECK(!of(server.role), "two records of one server");
  of(server.role) = server;
}

// Two servers of one epoch are two processes on copies of one folder. The first is believed for good: to
// listen to both would be to obey two masters, each of which thinks that the slots are its own.
std::optional<Error> KeptServers::refuse(const KeptServer& server) const {
  const auto& known = find(server.role);
  if (!known || known->epoch != server.epoch) return {};
  const bool both_say = known->incarnation != 0 && server.incarnation != 0;
  if (!both_say || known->incarnation == server.incarnation) return {};
  return Error{
      ErrorCode::split_brain,
      "two allocators of one cluster call themselves the same start (epoch " +
          std::to_string(server.epoch.value) +
          "): one runs on a copy of the other's state_dir; stop the one that is wrong, and start the "
          "right one again"};
}

bool KeptServers::learn(const KeptServer& server) {
  auto& known = of(server.role);
  if (known == server) return false;
  known = server;
  return true;
}

void KeptServers::teach(ServerRole role, session::ClientSession& session) const {
  if (const auto& known = find(role)) session.belong(known->cluster, known->epoch);
}

}  // namespace proffer::agent

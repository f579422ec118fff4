#include "proffer/live/reach.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <initializer_list>
#include <string_view>

namespace proffer::live {
namespace {

/// Returns HOST of tcp://HOST:PORT, without the brackets of IPv6; empty for any other address.
std::string host_of(const std::string& endpoint) {
  if (!endpoint.starts_with("tcp://")) return {};
  auto host = endpoint.substr(6, endpoint.rfind(':') - 6);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

bool is_wildcard(const std::string& host) {
  return host == "*" || host == "0.0.0.0" || host == "0" || host == "::";
}

/// Returns whether none of the interface's addresses can be reached from elsewhere.
bool is_loopback_interface(const std::string& name) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  bool is = false;
  for (const auto* one = all; one != nullptr; one = one->ifa_next) {
    if (name == one->ifa_name) is = (one->ifa_flags & IFF_LOOPBACK) != 0;
  }
  ::freeifaddrs(all);
  return is;
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost" || is_loopback_interface(host);
}

std::string port_of(const std::string& endpoint) {
  const auto port = endpoint.substr(endpoint.rfind(':') + 1);
  return port == "0" || port == "*" ? "PORT" : port;
}

Reach reach(const char* who, bool insecure, std::initializer_list<std::string> endpoints) {
  for (const auto& endpoint : endpoints) {
    if (only_from_here(endpoint)) continue;
    if (insecure) {
      return {
          {},
          "insecure: " + endpoint +
              " is reached from other machines, and whoever reaches the ports of a cluster can run commands "
              "as the user of its agents"};
    }
    return {
        Error{ErrorCode::refused,
              std::string(who) + " does not listen at " + endpoint +
                  ", beyond this machine: whoever reaches it could run commands as the user of the agents; "
                  "give an address of 127.0.0.1, or --insecure if only people you trust can reach it"},
        {}};
  }
  return {};
}

}  // namespace

bool only_from_here(const std::string& endpoint) {
  if (endpoint.starts_with("ipc://")) return true;
  return is_loopback(host_of(endpoint));
}

Reach reach_of(const AllocatorSettings& settings) {
  auto ports =
      reach("the allocator", settings.insecure, {settings.frameworks_endpoint, settings.agents_endpoint});
  if (settings.http.empty() || !ports.allowed || only_from_here("tcp://" + settings.http)) return ports;
  const auto seen =
      settings.http + ", beyond this machine: whoever reaches it sees all that runs, and whose it is";
  if (!settings.insecure) {
    return {Error{ErrorCode::refused, "the dashboard is not served at " + seen +
                                          "; give an address of 127.0.0.1, or --insecure if only people you "
                                          "trust can reach it"},
            {}};
  }
  if (ports.warning.empty()) ports.warning = "insecure: the dashboard is served at " + seen;
  return ports;
}

Reach reach_of(const CatalogSettings& settings) {
  return reach("the catalog", settings.insecure, {settings.endpoint});
}

Reach reach_of(const AgentSettings& settings) {
  return reach("the agent", settings.insecure, {settings.data_endpoint});
}

Result<> check_data_address(const AgentSettings& settings) {
  if (only_from_here(settings.allocator)) return {};
  const auto& told = settings.advertise.empty() ? settings.data_endpoint : settings.advertise;
  if (!only_from_here(told) && !is_wildcard(host_of(told))) return {};
  const auto cure = "tcp://ADDRESS-OF-THIS-HOST:" + port_of(told);
  return Error{ErrorCode::invalid,
               "the allocator is at " + settings.allocator + ", but other machines cannot fetch blocks at " +
                   told + ": give --data-endpoint " + cure +
                   (only_from_here(settings.data_endpoint) ? "" : ", or --advertise " + cure)};
}

}  // namespace proffer::live

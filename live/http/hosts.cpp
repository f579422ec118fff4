#include "live/http/hosts.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace proffer::live {
namespace {

/// Removes ":PORT"; returns an empty text for what is no host with a port.
std::string without_port(std::string_view host) {
  const auto begin = host.starts_with('[') ? host.find(']') : 0;
  if (begin == std::string_view::npos) return {};
  const auto colon = host.find(':', begin);
  if (colon == std::string_view::npos) return std::string(host);
  const auto port = host.substr(colon + 1);
  const bool digits = !port.empty() && std::all_of(port.begin(), port.end(),
                                                   [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits ? std::string(host.substr(0, colon)) : std::string();
}

}  // namespace

bool is_loopback_name(std::string_view host) {
  auto name = without_port(host);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name == "localhost" || name == "[::1]") return true;
  in_addr v4{};
  return ::inet_pton(AF_INET, name.c_str(), &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}

}  // namespace proffer::live

#include "live/transport/endpoint.hpp"

#include <charconv>

#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

bool is_port(std::string_view text, Side side) {
  if (text == "*") return side == Side::listen;
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port > 65535) return false;
  return port > 0 || side == Side::listen;
}

bool is_tcp(std::string_view rest, Side side) {
  const auto colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return is_port(rest.substr(colon + 1), side);
}

}  // namespace

Result<> check_endpoint(const std::string& endpoint, Side side) {
  const std::string_view text = endpoint;
  const bool is_short = text.size() <= limits::kPathBytes;
  if (is_short && text.starts_with("tcp://") && is_tcp(text.substr(6), side)) return {};
  if (is_short && text.starts_with("ipc://") && text.size() > 6) return {};
  const auto shown = endpoint.substr(0, 100);
  return Error{ErrorCode::invalid, "\"" + shown + "\" is no address: it should look like tcp://HOST:PORT"};
}

}  // namespace proffer::live

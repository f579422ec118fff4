// All messages and the envelope, as lists of fields.
#pragma once

#include <type_traits>
#include <variant>

#include "formats/fields/admin.hpp"
#include "formats/fields/agent.hpp"
#include "formats/fields/catalog.hpp"
#include "formats/fields/data.hpp"
#include "formats/fields/framework.hpp"
#include "proffer/message.hpp"

namespace proffer::formats {

/// The fields before the body. The version will always come first, so that any two peers can compare it.
struct Head {
  std::uint8_t version = limits::kProtocolVersion;
  std::uint64_t type = 0;  // at most 127 so far; any larger one is unknown, not malformed
  ClusterId cluster;
  Epoch epoch;
  SessionId session;
  std::uint64_t seq = 0;
};

template <>
struct Layout<Head> {
  static constexpr std::string_view name = "envelope";
  static constexpr auto fields = std::tuple{field("v", &Head::version),       field("type", &Head::type),
                                            field("cluster", &Head::cluster), field("epoch", &Head::epoch),
                                            field("session", &Head::session), field("seq", &Head::seq)};
};

namespace detail {
template <class Visit, class... Ms>
constexpr void for_each_alternative(std::type_identity<std::variant<Ms...>>, Visit&& visit) {
  (visit(std::type_identity<Ms>{}), ...);
}
}  // namespace detail

/// Calls visit(std::type_identity<M>) for each kind of message.
template <class Visit>
constexpr void for_each_message(Visit&& visit) {
  detail::for_each_alternative(std::type_identity<Message::variant>{}, visit);
}

}  // namespace proffer::formats

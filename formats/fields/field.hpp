// One list of fields a struct, in the order of the wire. The codec, the event log, the schema that
// docs/PROTOCOL.md is compared with and the test vectors are all read from it.
//
//   template <> struct Layout<Kill> {
//     static constexpr std::uint8_t number = 12;                  // of messages
//     static constexpr auto fields = std::tuple{field("framework", &Kill::framework), ...};
//   };
#pragma once

#include <string_view>
#include <tuple>
#include <utility>

#include "proffer/formats/rules.hpp"

namespace proffer::formats {

template <class Struct>
struct Layout;

template <class Struct>
concept HasLayout = requires { Layout<Struct>::fields; };

template <class Struct, class Member, class Rule>
struct Field {
  using rule = Rule;
  using type = Member;
  std::string_view name;
  Member Struct::*member;
};

template <class Struct, class Member, class Rule = Plain>
constexpr Field<Struct, Member, Rule> field(std::string_view name, Member Struct::*member,
                                            Rule /*rule*/ = {}) {
  return {name, member};
}

template <class Struct>
inline constexpr std::size_t kFieldCount = std::tuple_size_v<decltype(Layout<Struct>::fields)>;

/// Calls visit(field) for each field in order.
template <class Struct, class Visit>
constexpr void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, Layout<Struct>::fields);
}

/// Calls visit(field) for each field until one call returns false; returns whether all returned true.
template <class Struct, class Visit>
constexpr bool all_fields(Visit&& visit) {
  return std::apply([&](const auto&... field) { return (visit(field) && ...); }, Layout<Struct>::fields);
}

}  // namespace proffer::formats

// Dispatch from a variant to the overload of handle() for the alternative that it holds, by an explicit list.
#pragma once

#include <type_traits>
#include <variant>

namespace proffer {

/// A list of types: what a machine handles of one kind of peer, or of all events.
template <class... T>
struct Types {};

/// Returns whether `T` is one of a list of types.
template <class T, class... Listed>
constexpr bool is_listed(Types<Listed...>) {
  return (std::is_same_v<T, Listed> || ...);
}

/// Returns whether `variant` holds one of a list of types.
template <class... Listed, class Variant>
bool holds_one_of(Types<Listed...>, const Variant& variant) {
  return (std::holds_alternative<Listed>(variant) || ...);
}

template <class Held, class... Context>
concept HandledWith = requires(Context&... context, const Held& held) { handle(context..., held); };

/// Calls handle(context..., held) if `held`, the alternative that `variant` holds, is one of `Handled`, and
/// returns whether it is. A type in the list for which there is no such handle() does not compile, so a
/// handler whose signature has drifted cannot be skipped in silence. handle() is found among those of the
/// namespaces of `context`.
template <class... Handled, class Variant, class... Context>
bool dispatch(Types<Handled...>, const Variant& variant, Context&... context) {
  return std::visit(
      [&]<class Held>(const Held& held) {
        constexpr bool kHandled = is_listed<Held>(Types<Handled...>{});
        if constexpr (kHandled) {
          static_assert(HandledWith<Held, Context...>, "listed, but there is no handle() for it");
          handle(context..., held);
        }
        return kHandled;
      },
      variant);
}

}  // namespace proffer

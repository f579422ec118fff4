// The parts of OneOf that are compiled once for each set. A source says PROFFER_ONE_OF(Set) in namespace
// proffer.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>

#include "proffer/one_of.hpp"

namespace proffer {

template <class Set>
OneOf<Set>::OneOf() = default;
template <class Set>
OneOf<Set>::OneOf(const OneOf& other) = default;
template <class Set>
OneOf<Set>::OneOf(OneOf&& other) noexcept = default;
// Assignments by construction: those of std::variant have a case for each alternative, which is a third of
// the time in which this is compiled.
template <class Set>
OneOf<Set>& OneOf<Set>::operator=(const OneOf& other) {
  return *this = OneOf(other);
}
template <class Set>
OneOf<Set>& OneOf<Set>::operator=(OneOf&& other) noexcept {
  static_assert(std::is_nothrow_move_constructible_v<variant>);
  if (this != &other) {
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}
template <class Set>
OneOf<Set>::~OneOf() = default;

template <class Set>
template <class T>
void OneOf<Set>::set(T&& value) {
  variant::template emplace<std::decay_t<T>>(std::forward<T>(value));
}

template <class Set>
bool OneOf<Set>::operator==(const OneOf& other) const
  requires(Set::comparable)
{
  return static_cast<const variant&>(*this) == static_cast<const variant&>(other);
}

namespace detail {
/// The setters of a OneOf; taking their addresses makes the compiler emit them.
template <class Set, class Variant = typename Set::variant>
struct Setters;
template <class Set, class... Ts>
struct Setters<Set, std::variant<Ts...>> {
  std::tuple<void (OneOf<Set>::*)(Ts&&)...> all{&OneOf<Set>::template set<Ts>...};
};
}  // namespace detail

}  // namespace proffer

#define PROFFER_ONE_OF(Set)                           \
  template class OneOf<Set>;                          \
  extern const detail::Setters<Set> setters_of_##Set; \
  const detail::Setters<Set> setters_of_##Set

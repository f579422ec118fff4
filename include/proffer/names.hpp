// The names of enumerations: a list of them stands beside each, in the order of its values.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include "proffer/check.hpp"

namespace proffer {

/// Returns the name of `value` in `names`, which has one for each value of the enumeration, from 0, in their
/// order. Aborts if the list has none for it.
template <class Names, class Enum>
constexpr std::string_view enum_name(const Names& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  PROFFER_CHECK(index < std::size(names), "an enumeration outside its list of names");
  return names[index];
}

}  // namespace proffer
